import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { loadChartAt, readChartFolder } from "./index.ts";

const chart = { "Chart.yaml": "name: web\nversion: 1.0.0" };

/** Runs `work` with a folder of these files. */
function within(files: Readonly<Record<string, string>>, run: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "chart-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function namesIn(folder: string): readonly string[] {
  return readChartFolder(folder).map(({ name }) => name);
}

test("files come in the order of their names, folder by folder", () => {
  within({ ...chart, "templates/b.yaml": "", "templates/a/z.yaml": "", "templates/.swp": "", "a.txt": "" }, (folder) => {
    assert.deepEqual(namesIn(folder), ["Chart.yaml", "a.txt", "templates/a/z.yaml", "templates/b.yaml"]);
  });
});

test("what .helmignore names is left out", () => {
  within({ ...chart, ".helmignore": "*.bak\nci/\n", "a.bak": "", "ci/x.yaml": "", "b.txt": "" }, (folder) => {
    assert.deepEqual(namesIn(folder), [".helmignore", "Chart.yaml", "b.txt"]);
  });
});

test("links are followed, to files and to folders", () => {
  within({ ...chart, "other/a.yaml": "x" }, (folder) => {
    symlinkSync(join(folder, "other"), join(folder, "templates"));
    symlinkSync(join(folder, "other/a.yaml"), join(folder, "values.yaml"));
    assert.deepEqual(namesIn(folder), ["Chart.yaml", "other/a.yaml", "templates/a.yaml", "values.yaml"]);
  });
});

test("a link that leads back is refused, and one that leads nowhere", () => {
  within(chart, (folder) => {
    symlinkSync(folder, join(folder, "self"));
    assert.throws(() => readChartFolder(folder), { message: `error evaluating symlink ${join(folder, "self")}: too many links` });
  });
  within(chart, (folder) => {
    symlinkSync("gone/deeper", join(folder, "link"));
    const message = `error evaluating symlink ${join(folder, "link")}: lstat ${join(folder, "gone")}: no such file or directory`;
    assert.throws(() => readChartFolder(folder), { message });
  });
  within(chart, (folder) => {
    symlinkSync("loop", join(folder, "loop"));
    const message = `error evaluating symlink ${join(folder, "loop")}: EvalSymlinks: too many links`;
    assert.throws(() => readChartFolder(folder), { message });
  });
});

test("what is no file, and what is too large, is refused", () => {
  within(chart, (folder) => {
    symlinkSync("/dev/null", join(folder, "device"));
    const message = `cannot load irregular file ${join(folder, "device")} as it has file mode type bits set`;
    assert.throws(() => readChartFolder(folder), { message });
  });
  within({ ...chart, "big.bin": "x".repeat(5 * 2 ** 20 + 1) }, (folder) => {
    const message = 'chart file "big.bin" is larger than the maximum file size 5242880';
    assert.throws(() => readChartFolder(folder), { message });
  });
});

test("a link leads into the chart, or into the repository around it", () => {
  within({ "a/Chart.yaml": chart["Chart.yaml"], "b/values.yaml": "x" }, (folder) => {
    const link = join(folder, "a", "values.yaml");
    symlinkSync("../b/values.yaml", link);
    const real = realpathSync(folder);
    assert.throws(() => readChartFolder(join(folder, "a")), {
      message:
        `chart file ${link} is a link to ${join(real, "b", "values.yaml")}, which is outside of ${join(real, "a")}. ` +
        "A chart reads its own files only: copy the file into the chart, or list the link in .helmignore",
    });
    mkdirSync(join(folder, ".git"));
    assert.deepEqual(namesIn(join(folder, "a")), ["Chart.yaml", "values.yaml"]);
  });
});

for (const [what, target] of Object.entries({ "/proc/self/environ": "/proc/self/environ", "/sys": "/sys/kernel", "/etc": "/etc/passwd" })) {
  test(`a link to ${what} is refused, as a file, a folder and .helmignore`, { skip: process.platform !== "linux" }, () => {
    for (const name of ["file", ".helmignore"]) {
      within(chart, (folder) => {
        symlinkSync(target, join(folder, name));
        assert.throws(() => readChartFolder(folder), /is a link to \/(proc|sys|etc)\/.*(keeps its own files|is outside of)/);
      });
    }
    within({ ...chart, ".helmignore": "file\n" }, (folder) => {
      symlinkSync(target, join(folder, "file"));
      assert.deepEqual(namesIn(folder), [".helmignore", "Chart.yaml"]);
    });
  });
}

test("a FIFO is not waited for", { skip: process.platform === "win32" }, () => {
  for (const name of ["pipe", ".helmignore"]) {
    within(chart, (folder) => {
      execFileSync("mkfifo", [join(folder, name)]);
      assert.throws(() => readChartFolder(folder), { message: /^cannot load irregular file .* as it has file mode type bits set$/ });
      assert.throws(() => loadChartAt(join(folder, name)), { message: /^cannot load irregular file/ });
    });
  }
});

test("a chart is a folder or an archive, and anything else is refused", () => {
  within({ ...chart, "v.yaml": "a: 1", "v.txt": "text" }, (folder) => {
    assert.equal(loadChartAt(folder).metadata.name, "web");
    const [yaml, text, none] = ["v.yaml", "v.txt", "none"].map((name) => join(folder, name));
    assert.throws(() => loadChartAt(yaml!), { message: `file '${yaml}' seems to be a YAML file, but expected a gzipped archive` });
    assert.throws(() => loadChartAt(text!), {
      message: `file '${text}' does not appear to be a gzipped archive; got 'text/plain; charset=utf-8'`,
    });
    assert.throws(() => loadChartAt(none!), { message: `stat ${none}: no such file or directory` });
  });
});

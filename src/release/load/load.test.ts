import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BadInput } from "../../core/fault/index.ts";
import { load, type SourceReaders } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-load-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
const readers: SourceReaders = {
  stdin: async () => configMap("from-stdin"),
  fetch: async (url) => configMap(`from-${new URL(url).hostname}`),
};
const { signal } = new AbortController();
const names = async (...sources: string[]) => {
  const { manifests, invalid } = await load(sources, readers, { signal });
  if (invalid !== undefined) throw new BadInput(invalid.problems);
  return manifests.map(({ object }) => object.metadata.name);
};

file("app/b.yaml", `${configMap("b1")}---\n${configMap("b2")}`);
file("app/a.yml", configMap("a"));
file(
  "app/deep/c.json",
  JSON.stringify({ apiVersion: "v1", kind: "List", items: [{ apiVersion: "v1", kind: "Secret", metadata: { name: "c" } }] }),
);
file("app/notes.txt", "no manifest");

test("a folder is read with all below it, by name, and what is no manifest is passed over", async () => {
  assert.deepEqual(await names(join(folder, "app")), ["a", "b1", "b2", "c"]);
});

test("standard input, addresses and files come in the order in which they were named", async () => {
  assert.deepEqual(await names("-", "https://example.com/x.yaml", join(folder, "app", "a.yml")), ["from-stdin", "from-example.com", "a"]);
});

test("all problems are reported at once, by file and line", async () => {
  const broken = file("broken.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  annotations:\n    port: 80\n");
  const worse = file("worse.yaml", "kind: [\n");
  await assert.rejects(names(broken, worse), (error: Error) => {
    assert.match(error.message, /broken\.yaml:6: .*80.*quote it/);
    assert.match(error.message, /worse\.yaml:\d+: /);
    return true;
  });
});

test("a source that is not there, or has nothing in it, is named", async () => {
  await assert.rejects(names(join(folder, "nowhere.yaml")), /nowhere\.yaml: there is no such file or folder/);
  await assert.rejects(names(file("empty/readme.md", "")), /no Kubernetes object|expected/);
  await assert.rejects(names(join(folder, "app"), join(folder, "empty")), /empty: no \.yaml/);
  const { invalid } = await load(["-", join(folder, "app")], { ...readers, stdin: async () => "# nothing\n" }, { signal });
  assert.deepEqual(invalid?.problems, [{ at: "standard input", message: "no Kubernetes object in it; expected at least one manifest" }]);
  await assert.rejects(names(join(folder, "empty")), /empty: no \.yaml, \.yml or \.json file there; expected at least one manifest/);
});

test("an address that is neither http nor https is refused by what would do", async () => {
  await assert.rejects(names("ftp://example.com/a.yaml"), /read ftp:\/\/example\.com\/a\.yaml: expected .* http:\/\/ or https:\/\//);
});

test("an address that does not answer is named", async () => {
  const dead: SourceReaders = { ...readers, fetch: async () => Promise.reject(new Error("nothing answers at http://127.0.0.1:1/a.yaml")) };
  await assert.rejects(
    load(["http://127.0.0.1:1/a.yaml"], dead, { signal }),
    /^Error: nothing answers at http:\/\/127\.0\.0\.1:1\/a\.yaml$/,
  );
});

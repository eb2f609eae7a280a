/** What a build calls itself, by the tags of its repository. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readBuildVersion } from "../../tools/build/build-version.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-version-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.com", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.com" };
const when = { GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z", GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z" };

/** A repository with a commit for a package of that version. */
function repository(name: string, version: string) {
  const root = join(folder, name);
  mkdirSync(root);
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, ...who, ...when, GIT_CONFIG_GLOBAL: "/dev/null" },
    }).trim();
  const release = (next: string) => writeFileSync(join(root, "package.json"), JSON.stringify({ version: next }));
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message", "change");
    return git("rev-parse", "HEAD").slice(0, 7);
  };
  git("init", "--quiet");
  release(version);
  return { root, git, release, commit, version: () => readBuildVersion(root).version };
}

test("a build from a tag has the tag's version, and later ones say what comes next", () => {
  const { root, git, release, commit, version } = repository("tagged", "0.1.0");
  const first = commit();
  assert.equal(version(), `0.1.0-next.1+g${first}`);
  git("tag", "v0.1.0");
  git("tag", "other");
  assert.deepEqual(readBuildVersion(root), {
    version: "0.1.0",
    commit: git("rev-parse", "HEAD"),
    seconds: Date.parse(when.GIT_COMMITTER_DATE) / 1000,
  });
  const second = commit();
  // What is out already does not come next.
  assert.equal(version(), `0.1.1-next.1+g${second}`);
  release("0.2.0");
  assert.equal(version(), `0.2.0-next.1+g${second}.dirty`);
  assert.equal(`0.2.0-next.2+g${commit()}`, version());
  git("tag", "--annotate", "--message", "release", "v0.2.0");
  assert.equal(version(), "0.2.0");
});

test("without git, and inside of somebody else's repository, it is that of package.json", () => {
  const { root, commit } = repository("outer", "9.9.9");
  commit();
  const inner = join(root, "inner");
  mkdirSync(inner);
  cpSync(join(root, "package.json"), join(inner, "package.json"));
  assert.deepEqual(readBuildVersion(inner), { version: "9.9.9", commit: undefined, seconds: 0 });
  const bare = join(folder, "bare");
  mkdirSync(bare);
  cpSync(join(root, "package.json"), join(bare, "package.json"));
  assert.deepEqual(readBuildVersion(bare), { version: "9.9.9", commit: undefined, seconds: 0 });
});

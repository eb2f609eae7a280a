import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { compileCacheFolder, type CacheOwner } from "./compile-cache.ts";

const uid = process.getuid?.() ?? 0;

function ownerWith(prepare: (home: string) => void, more: Partial<CacheOwner> = {}): CacheOwner {
  const home = mkdtempSync(join(tmpdir(), "sluice-cache-"));
  prepare(home);
  return { env: {}, home, platform: "linux", uid, ...more };
}

const kept: Record<string, { owner: CacheOwner; at: string }> = {
  "of a new user": { owner: ownerWith(() => undefined), at: ".cache/sluice/compile" },
  "where the user keeps caches": { owner: ownerWith(() => undefined, { platform: "darwin" }), at: "Library/Caches/sluice/compile" },
  "that others could write to, closed to them": {
    owner: ownerWith((home) => {
      mkdirSync(join(home, ".cache/sluice/compile"), { recursive: true });
      for (const folder of [".cache/sluice", ".cache/sluice/compile"]) chmodSync(join(home, folder), 0o777);
    }),
    at: ".cache/sluice/compile",
  },
};

for (const [name, { owner, at }] of Object.entries(kept)) {
  test(`a folder ${name}`, () => {
    const folder = compileCacheFolder(owner);
    assert.equal(folder, join(owner.home, at));
    for (const each of [folder, join(folder, "..")]) assert.equal(statSync(each).mode & 0o777, 0o700);
  });
}

test("XDG_CACHE_HOME is heeded", () => {
  const owner = ownerWith(() => undefined);
  const home = join(owner.home, "elsewhere");
  assert.equal(compileCacheFolder({ ...owner, env: { XDG_CACHE_HOME: home } }), join(home, "sluice/compile"));
});

const refused: Record<string, CacheOwner> = {
  "of somebody else": ownerWith((home) => mkdirSync(join(home, ".cache/sluice/compile"), { recursive: true }), { uid: uid + 1 }),
  "that is a link": ownerWith((home) => {
    mkdirSync(join(home, ".cache/sluice"), { recursive: true });
    mkdirSync(join(home, "other"));
    symlinkSync(join(home, "other"), join(home, ".cache/sluice/compile"));
  }),
  "in a folder that is a link": ownerWith((home) => {
    mkdirSync(join(home, ".cache"));
    mkdirSync(join(home, "other/compile"), { recursive: true });
    symlinkSync(join(home, "other"), join(home, ".cache/sluice"));
  }),
  "that cannot be made": ownerWith((home) => writeFileSync(join(home, ".cache"), "")),
};

for (const [name, owner] of Object.entries(refused)) {
  test(`no folder ${name}`, () => {
    assert.equal(compileCacheFolder(owner), undefined);
    assert.ok(readdirSync(owner.home).length > 0, "what was there is left alone");
  });
}

test("the program puts no code into the temporary folder, and runs none from there", () => {
  const { home } = ownerWith((folder) => mkdirSync(join(folder, "tmp")));
  const env = { PATH: process.env["PATH"], HOME: home, TMPDIR: join(home, "tmp") };
  execFileSync(process.execPath, [join(import.meta.dirname, "main.ts"), "version"], { env });
  assert.deepEqual(readdirSync(env.TMPDIR), []);
});

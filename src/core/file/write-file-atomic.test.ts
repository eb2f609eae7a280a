import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { writeFileAtomic } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-file-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("a file is created with its mode, and replaced with the new one", () => {
  const file = join(folder, "modes", "a");
  mkdirSync(join(folder, "modes"));
  writeFileAtomic(file, "one", { mode: 0o600 });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  writeFileAtomic(file, Buffer.from("two"), { mode: 0o644, fsync: false });
  assert.equal(readFileSync(file, "utf8"), "two");
  assert.equal(statSync(file).mode & 0o777, 0o644 & ~process.umask());
  assert.deepEqual(readdirSync(join(folder, "modes")), ["a"]);
});

test("a failure leaves what was there, and nothing beside it", () => {
  const place = join(folder, "failure");
  mkdirSync(join(place, "a", "full"), { recursive: true });
  assert.throws(() => writeFileAtomic(join(place, "a"), "text", { mode: 0o644 }), { code: /EISDIR|ENOTEMPTY|EEXIST/ });
  assert.deepEqual(readdirSync(place), ["a"]);
  assert.throws(() => writeFileAtomic(join(place, "none", "a"), "text", { mode: 0o644 }), { code: "ENOENT" });
});

test("what a killed process with the same id has left is not in the way", () => {
  const place = join(folder, "leftovers");
  mkdirSync(place);
  const leftovers = Array.from({ length: 20 }, (_, number) => `a.${process.pid}-${number}.new`);
  for (const name of leftovers) writeFileSync(join(place, name), "");
  writeFileAtomic(join(place, "a"), "text", { mode: 0o644 });
  assert.equal(readFileSync(join(place, "a"), "utf8"), "text");
  assert.equal(readdirSync(place).length, leftovers.length + 1);
});

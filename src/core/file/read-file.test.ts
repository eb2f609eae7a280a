import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readFileBytes, readTextFile, readTextStream } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-read-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, "a");
const tooLarge = { code: "EFBIG", message: "it has more than 100000 bytes, which is the most that is read, or no end" };

async function* chunks(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield Buffer.alloc(1000, "é");
}

test("a file is read whole up to the limit, and what has no end is refused there", async () => {
  for (const length of [0, 1, 65_536, 99_999, 100_000]) {
    writeFileSync(file, "x".repeat(length));
    assert.equal(readFileBytes(file, 100_000).length, length);
    assert.equal((await readTextFile(file, 100_000)).length, length);
  }
  writeFileSync(file, "x".repeat(100_001));
  for (const path of [file, "/dev/zero"]) {
    assert.throws(() => readFileBytes(path, 100_000), tooLarge);
    await assert.rejects(readTextFile(path, 100_000), tooLarge);
  }
  // The size of these is said to be none.
  assert.match(await readTextFile("/proc/self/status"), /^Name:[^]*nonvoluntary_ctxt_switches/);
  assert.match(readFileBytes("/proc/self/status").toString(), /^Name:[^]*nonvoluntary_ctxt_switches/);
  assert.equal(await readTextStream(chunks(100), 100_000), "é".repeat(50_000));
  await assert.rejects(readTextStream(chunks(Infinity), 100_000), tooLarge);
});

test("what is missing or a folder is told as by the system", async () => {
  await assert.rejects(readTextFile(join(folder, "none")), { code: "ENOENT" });
  assert.throws(() => readFileBytes(join(folder, "none")), { code: "ENOENT" });
  await assert.rejects(readTextFile(folder), { code: "EISDIR" });
  assert.throws(() => readFileBytes(folder), { code: "EISDIR" });
});

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fuzz } from "./watch-fuzz.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-fuzz-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));
process.env["SLUICE_TEST_FUZZ_MARKER"] = join(folder, "marker");

const module = join(import.meta.dirname, "misbehaving-targets.ts");
const limits = { cpuMs: 300, memoryMiB: 256, waitMs: 60_000 };
/** Its input is empty. */
const seed = 11;
/** Until something is found, on any machine. */
const longMs = 60_000;

describe("a process that is watched", { concurrency: 2 }, () => {
  const found: Readonly<Record<string, RegExp>> = {
    barely: /^takes more than 300 ms of the processor$/,
    endless: /^takes more than 300 ms of the processor$/,
    memory: /^takes more than 256 MiB$/,
    grows: /^takes more than 256 MiB together with the inputs from seed 11 on$/,
    exits: /^ends the process \(exit code 3\)$/,
    crash: /^TypeError: crashes/,
  };
  for (const [target, what] of Object.entries(found))
    test(`has a finding: ${target}`, async () => {
      const { finding, next, unconfirmed } = await fuzz(target, seed, longMs, { module, limits });
      assert.match(finding?.what ?? "", what);
      assert.deepEqual([finding?.target, next, unconfirmed], [target, finding!.seed + 1, undefined]);
      if (target !== "grows") assert.equal(finding!.seed, seed);
    });

  test("has a finding if an input neither ends nor does anything", async () => {
    const { finding } = await fuzz("waits", seed, longMs, { module, limits: { ...limits, waitMs: 1000 } });
    assert.equal(finding?.what, "does not end within 1000 ms");
  });

  test("has none if an input takes long because others have the processor", async () => {
    const { finding, unconfirmed, next } = await fuzz("slow", seed, 500, { module, limits });
    assert.deepEqual([finding, unconfirmed, next], [undefined, undefined, seed + 1]);
  });

  test("has none if an input took too much once and does not again", async () => {
    const { finding, unconfirmed } = await fuzz("once", seed, longMs, { module, limits });
    assert.deepEqual([finding, unconfirmed?.what, unconfirmed?.seed], [undefined, "takes more than 300 ms of the processor", seed]);
  });

  test("goes on where it was when its time was over", async () => {
    const { finding, next } = await fuzz("fine", seed, 500, { module, limits });
    assert.ok(finding === undefined && next > seed + 1, `${next}`);
  });

  test("fails if it runs nothing", async () => {
    await assert.rejects(
      fuzz("missing", seed, 500, { module, limits }),
      /target missing has run nothing \(exit code 1\): [^]*no target missing/,
    );
  });
});

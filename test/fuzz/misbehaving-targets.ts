/** Targets that do what is looked for, and what only looks like it. */
import { existsSync, writeFileSync } from "node:fs";
import type { FuzzTarget } from "./fuzz-target.ts";

/** A file that is there after the first process of a test. */
const marker = process.env["SLUICE_TEST_FUZZ_MARKER"] ?? "";
const kept: Buffer[] = [];

function burn(ms: number): void {
  const start = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(start);
    if (user + system > ms * 1000) return;
  }
}

const wait = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Most inputs are empty, so that nobody makes them smaller. */
const targetOf = (run: FuzzTarget["run"]): FuzzTarget => ({ seeds: [""], tokens: [""], run });

export const targets: Readonly<Record<string, FuzzTarget>> = {
  fine: targetOf(() => {}),
  // As on a machine that has no time for it.
  slow: targetOf(() => wait(600)),
  barely: targetOf(() => burn(310)),
  endless: targetOf(() => {
    for (;;);
  }),
  once: targetOf(() => {
    if (existsSync(marker)) return;
    writeFileSync(marker, "");
    burn(600);
  }),
  memory: targetOf(() => Buffer.alloc(300 << 20, 1)),
  grows: targetOf(() => kept.push(Buffer.alloc(20 << 20, 1))),
  waits: targetOf(() => new Promise<void>((resolve) => void setTimeout(resolve, 2 ** 30))),
  exits: targetOf(() => process.exit(3)),
  // It is made smaller, and all of that takes longer than one input may.
  crash: {
    seeds: ["abcdefghijkl"],
    tokens: ["m"],
    run: () => {
      burn(100);
      throw new TypeError("crashes");
    },
  },
};

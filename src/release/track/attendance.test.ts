import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { failedBecause, progressingBecause, ready, silentBecause, type Health } from "../../health/index.ts";
import { Attendance } from "./attendance.ts";

const silent = silentBecause("no status yet");
const absent = "no controller runs";

type Turn = readonly [afterMs: number, answer: string | undefined, health: Health, expected: Health];

const cases: Readonly<Record<string, { readonly isSilent?: boolean; readonly turns: readonly Turn[] }>> = {
  "what is ready or has failed is left alone": {
    turns: [
      [0, absent, ready, ready],
      [5_000, absent, failedBecause("bad"), failedBecause("bad")],
    ],
  },
  "a status that is missing counts as missing only when somebody is known to work on it": {
    turns: [
      [0, undefined, silent, progressingBecause("no status yet")],
      [2_999, undefined, silent, progressingBecause("no status yet")],
      [1, undefined, silent, silent],
    ],
  },
  "nobody is a reason to wait, and after two minutes a failure": {
    turns: [
      [0, absent, silent, progressingBecause("no status yet")],
      [3_000, absent, silent, progressingBecause("no status yet: no controller runs")],
      [116_999, absent, silent, progressingBecause("no status yet: no controller runs")],
      [1, absent, silent, failedBecause("no status yet: no controller runs")],
    ],
  },
  "a controller that starts within two minutes is enough": {
    turns: [
      [0, absent, silent, progressingBecause("no status yet")],
      [3_000, absent, silent, progressingBecause("no status yet: no controller runs")],
      [117_000, undefined, silent, silent],
    ],
  },
  "of an object that has never had a status it is asked at once": {
    isSilent: true,
    turns: [
      [0, absent, silent, progressingBecause("no status yet")],
      [1, absent, silent, progressingBecause("no status yet: no controller runs")],
    ],
  },
};

for (const [name, { isSilent = false, turns }] of Object.entries(cases))
  test(name, async () => {
    const clock = new VirtualClock();
    let answer: string | undefined;
    const attendance = new Attendance(
      clock,
      async () => answer,
      () => undefined,
      isSilent,
    );
    for (const [afterMs, said, health, expected] of turns) {
      answer = said;
      await clock.advance(afterMs);
      assert.deepEqual(attendance.apply(health), expected);
    }
    attendance.end();
  });

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { LogCursor } from "./log-cursor.ts";

const at = (ms: number, text: string) => `${new Date(ms).toISOString().replace("Z", "000000Z")} ${text}`;

/** What an API server sends that keeps `sinceTime` to the second, as the kubelet filters it. */
const since = (log: readonly string[], time: string | undefined) =>
  time === undefined ? log : log.filter((line) => Date.parse(line.split(" ")[0]!) >= Date.parse(time));

test("wherever a stream breaks, every line is read once, also when times repeat or run backwards", () => {
  const times = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 30 });
  // Two streams of one container are written in an order that differs from their times by a little.
  const written = times.map((all) => all.toSorted((a, b) => a - b).map((ms, n) => at(1e12 + Math.max(0, ms - (n % 3)), `line ${n % 4}`)));
  fc.assert(
    fc.property(written, fc.array(fc.nat(30), { maxLength: 4 }), (log, breaks) => {
      const cursor = new LogCursor();
      const read: string[] = [];
      for (const end of [...breaks.toSorted((a, b) => a - b), log.length]) {
        const sent = since(log.slice(0, end), cursor.sinceTime);
        cursor.reopen();
        for (const line of sent) {
          const next = cursor.next(line);
          if (next !== undefined) read.push(`${next.time} ${next.text}`);
        }
      }
      assert.deepEqual(read, log);
    }),
  );
});

test("a line without a time is a message of the kubelet, which is read once", () => {
  const cursor = new LogCursor();
  const message = "failed to try resolving symlinks in path";
  assert.deepEqual([cursor.next(message), cursor.next(message)], [{ text: message }, undefined]);
});

test("empty lines and times of any zone are read", () => {
  const cursor = new LogCursor();
  assert.deepEqual(cursor.next("2026-01-02T03:04:05.123456789+02:00 "), { text: "", time: "2026-01-02T03:04:05.123456789+02:00" });
  assert.equal(cursor.sinceTime, "2026-01-02T01:04:05Z");
});

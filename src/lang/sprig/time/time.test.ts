import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { durationText, parseGoDuration, roundDuration } from "./duration.ts";
import { formatGoTime, goTimeText } from "./format.ts";
import { between, later, goTimeAt, goTimeOf, dateTimeOf, secondsOf, type GoTime } from "./go-time.ts";
import { parseGoTime } from "./parse.ts";
import { fixedZone, utc, zoneNamed } from "./zone.ts";

// What Go itself writes and reads in many layouts and zones is recorded in src/release/render/recorded: dateInZone, mustToDate.

const moments: fc.Arbitrary<GoTime> = fc.record({
  seconds: fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
  nanos: fc.integer({ min: 0, max: 999_999_999 }),
  zone: fc.integer({ min: -14 * 60, max: 14 * 60 }).map((minutes) => fixedZone("", minutes * 60)),
});

test("a time with a zone reads back as the same instant", () => {
  fc.assert(
    fc.property(moments, (time) => {
      // Years before 0 and after 9999, which a zone can lead to, have another width.
      fc.pre(dateTimeOf(time).year >= 0 && dateTimeOf(time).year <= 9999);
      const text = formatGoTime(time, "2006-01-02T15:04:05.999999999Z07:00");
      assert.equal(between(parseGoTime("2006-01-02T15:04:05Z07:00", text, utc), time), 0n);
    }),
  );
});

test("the calendar is JavaScript's", () => {
  fc.assert(
    fc.property(moments, ({ seconds }) => {
      const date = new Date(seconds * 1000);
      const parts = dateTimeOf({ seconds, nanos: 0, zone: utc });
      assert.deepEqual(
        [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second],
        [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()],
      );
      assert.equal(secondsOf(parts), seconds);
    }),
  );
});

test("a duration reads back as itself", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (duration) => {
      assert.equal(parseGoDuration(durationText(duration)), duration);
    }),
  );
});

test("durations are rounded away from zero", () => {
  assert.equal(roundDuration(1_500_000_000n, 1_000_000_000n), 2_000_000_000n);
  assert.equal(roundDuration(-1_500_000_000n, 1_000_000_000n), -2_000_000_000n);
  assert.equal(roundDuration(7n, 0n), 7n);
});

test("adding a duration carries into seconds", () => {
  const time = goTimeAt(1500, utc);
  assert.deepEqual(later(time, -600_000_000n), { seconds: 0, nanos: 900_000_000, zone: utc });
  assert.equal(goTimeText(goTimeAt(Date.parse("2024-01-02T03:04:05.120Z"), utc)), "2024-01-02 03:04:05.12 +0000 UTC");
});

test("zones know daylight saving time", () => {
  const paris = zoneNamed("Europe/Paris")!;
  const summer = goTimeOf({ year: 2024, month: 7, day: 1, hour: 12, minute: 0, second: 0 }, 0, paris);
  assert.equal(goTimeText(summer), "2024-07-01 12:00:00 +0200 CEST");
  assert.equal(summer.seconds, Date.parse("2024-07-01T10:00:00Z") / 1000);
  assert.equal(zoneNamed("europe/paris"), undefined);
  assert.equal(zoneNamed("../etc/passwd"), undefined);
});

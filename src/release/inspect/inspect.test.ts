import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import { latestOf, revisionIn, type Revision } from "../record/index.ts";
import { ansicText, secondsText } from "./go-time.ts";
import { hooksText, metadataText, notesText, valuesText, wholeText, type RecordFormat } from "./index.ts";

/** What Helm 4.2.4 printed of these records. `test/cluster/get.e2e.ts` writes it anew with UPDATE_GOLDEN=1. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "recorded", "helm-get.json"), "utf8")) as readonly {
  readonly name: string;
  readonly records: readonly KubeObject[];
  readonly outputs: Readonly<Record<string, string>>;
}[];

function textFor(topic: string, revision: Revision, output: RecordFormat, all: boolean, named: boolean): string | undefined {
  if (topic === "values") return valuesText(revision, output, { all });
  if (topic === "metadata") return metadataText(revision, output, { named });
  if (topic === "manifest") return revision.manifest;
  if (topic === "all") return wholeText(revision);
  return topic === "hooks" ? hooksText(revision) : notesText(revision);
}

for (const { records, outputs } of recorded) {
  const revisions = records.map((record) => revisionIn(record)!);
  for (const [command, expected] of Object.entries(outputs)) {
    test(command, () => {
      const number = Number(/--revision (\d+)/.exec(command)?.[1] ?? 0);
      const revision = number === 0 ? latestOf(revisions)! : revisions.find((each) => each.revision === number)!;
      const output = (/-o (\w+)/.exec(command)?.[1] ?? "table") as RecordFormat;
      const text = textFor(command.split(" ")[1]!, revision, output, / (-a|--all)\b/.test(command), number > 0);
      assert.equal(text === undefined ? "" : `${text}\n`, expected);
    });
  }
}

/** By Go's time package. */
const times: readonly (readonly [time: string | undefined, seconds: string, ansic: string])[] = [
  ["2026-11-05T22:21:38.857123456Z", "2026-11-05T22:21:38Z", "Thu Nov  5 22:21:38 2026"],
  ["2026-01-31T00:30:00+02:00", "2026-01-31T00:30:00+02:00", "Sat Jan 31 00:30:00 2026"],
  ["2026-01-31T00:30:00.5+00:00", "2026-01-31T00:30:00Z", "Sat Jan 31 00:30:00 2026"],
  [undefined, "0001-01-01T00:00:00Z", "Mon Jan  1 00:00:00 0001"],
];

for (const [time, seconds, ansic] of times) {
  test(`the time ${time}, as Go prints it`, () => assert.deepEqual([secondsText(time), ansicText(time)], [seconds, ansic]));
}

import assert from "node:assert/strict";
import { test } from "node:test";
import type { OccurrenceOutline } from "../../view/index.ts";
import { changesSince } from "./occurrence-changes.ts";

const nowMs = Date.parse("2026-01-05T10:00:00Z");
const [east, west] = ["east", "west"].map((name) => ({ type: "Sveltos" as const, namespace: "fleet", name }));

function failing(fields: Partial<OccurrenceOutline> = {}): OccurrenceOutline {
  const object = { kind: "EventTrigger", namespace: "", name: "web" };
  return { state: "failing", object, clusters: [east!], reason: "Failed", message: "no such ConfigMap", ...fields };
}

const cases: Readonly<
  Record<string, readonly [before: readonly OccurrenceOutline[], now: readonly OccurrenceOutline[], told: readonly string[]]>
> = {
  "what is as before is not told": [[failing()], [failing()], []],
  "what appears is told": [[], [failing()], ["failing no such ConfigMap"]],
  "what is gone has healed": [[failing()], [], ["healed no such ConfigMap"]],
  "another cluster is told": [[failing()], [failing({ clusters: [east!, west!] })], ["failing no such ConfigMap"]],
  "another reason for the same failure is no change": [[failing({ reason: "ResourcesFailed" })], [failing({ reason: "DeployFailed" })], []],
  "more objects of the same failure are no change": [[failing()], [failing({ message: "no such ConfigMap (and 2 more)" })], []],
  "another message is another failure": [
    [failing()],
    [failing({ message: "forbidden" })],
    ["healed no such ConfigMap", "failing forbidden"],
  ],
  "what was only noted does not heal": [[failing({ state: "noted" })], [], []],
};

for (const [what, [before, now, told]] of Object.entries(cases))
  test(what, () => {
    assert.deepEqual(
      changesSince(before, now, nowMs).map(({ state, message }) => `${state} ${message}`),
      told,
    );
  });

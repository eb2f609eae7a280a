import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import "../../../../test/support/fixed-seed.ts";
import { gvkOf, readProfile, type ClusterId } from "../../api/index.ts";
import { apiVersionOf, type KubeObject } from "../../../core/object/index.ts";
import { policyContent, profileObject } from "../../../../test/support/profile/profile-fixture.ts";
import { rollOut, type RollOut, type SummaryWrite } from "./roll-out.ts";
import { desiredSummary, type ValidProfile } from "./desired-summary.ts";

const cluster = (name: string): ClusterId => ({ type: "Sveltos", namespace: "mgmt", name });

function validProfileFor(spec: object): ValidProfile {
  const object = profileObject("demo", { ...policyContent, ...spec }, "ClusterProfile", { uid: "u1" });
  const reading = readProfile(object);
  assert.ok(reading.state === "read");
  return { object, profile: reading.value };
}

const provisioned = { featureSummaries: [{ featureID: "Resources", status: "Provisioned" }] };
const failed = { featureSummaries: [{ featureID: "Resources", status: "Failed", failureMessage: "no" }] };

type SummaryState = "none" | "old" | "new" | "done" | "failed" | "deleting" | "foreign" | "paused";

/** A ClusterSummary in one of the states that a roll-out can meet. */
function summaryIn(state: SummaryState, validProfile: ValidProfile, id: ClusterId): readonly KubeObject[] {
  if (state === "none") return [];
  const { object, profile: read } = state === "old" || state === "paused" ? validProfileFor({ tier: 1 }) : validProfile;
  const summary = desiredSummary({ object, profile: read }, id);
  if (state === "deleting") return [{ ...summary, metadata: { ...summary.metadata, deletionTimestamp: "2030-01-01T00:00:00Z" } }];
  if (state === "foreign")
    return [
      {
        ...summary,
        metadata: {
          ...summary.metadata,
          ownerReferences: [{ apiVersion: apiVersionOf(gvkOf("ClusterProfile")), kind: "ClusterProfile", name: "demo", uid: "u0" }],
        },
      },
    ];
  return [{ ...summary, ...(state === "new" ? {} : { status: state === "failed" ? failed : provisioned }) }];
}

function planFor(states: readonly SummaryState[], maxUpdate: number | string | undefined, syncMode = "Continuous"): RollOut {
  const validProfile = validProfileFor({ ...(maxUpdate !== undefined && { maxUpdate }), syncMode });
  const ids = states.map((_, index) => cluster(`c${index}`));
  const isPaused = ({ name }: ClusterId) => states[Number(name.slice(1))] === "paused";
  const summaries = states.flatMap((state, index) => summaryIn(state, validProfile, ids[index] ?? cluster("")));
  return rollOut({ validProfile, matching: ids, summaries, isPaused, canUpdate: (id) => !isPaused(id), isKnown: () => true });
}

function lineFor({ verb, cluster: { name } }: SummaryWrite): string {
  return `${verb} ${name}`;
}

const cases: readonly (readonly [string, readonly SummaryState[], number | string | undefined, readonly string[]])[] = [
  ["without a limit all at once", ["none", "old", "done", "new"], undefined, ["create c0", "update c1"]],
  ["0 is no limit", ["none", "old"], 0, ["create c0", "update c1"]],
  ["one after the other", ["old", "old", "none"], 1, ["update c0"]],
  ["the next when the one before is done", ["done", "old", "none"], 1, ["update c1"]],
  ["an updating cluster counts", ["new", "old"], 1, []],
  ["a failed cluster blocks the rest", ["failed", "old", "old"], 1, []],
  ["with a limit of two a failed cluster counts as one", ["failed", "old", "old"], 2, ["update c1"]],
  ["half of three is two", ["old", "old", "old"], "50%", ["update c0", "update c1"]],
  ["a little of three is one", ["old", "old", "old"], "1%", ["update c0"]],
  ["all of three", ["old", "old", "old"], "100%", ["update c0", "update c1", "update c2"]],
  ["a number in quotes is a number", ["old", "old", "old"], "2", ["update c0", "update c1"]],
  ["a paused cluster is skipped and not waited for", ["paused", "old"], 1, ["update c1"]],
  ["a ClusterSummary that is being deleted is waited for", ["deleting"], undefined, []],
  ["a ClusterSummary of an earlier profile is deleted first", ["foreign"], undefined, ["delete c0"]],
];

for (const [title, states, maxUpdate, expected] of cases) {
  test(`roll-out: ${title}`, () => assert.deepEqual(planFor(states, maxUpdate).writes.map(lineFor), expected));
}

test("roll-out: a dry run has no limit", () => {
  assert.equal(planFor(["old", "old"], 1, "DryRun").writes.length, 2);
});

test("roll-out: progress lists the updated and the updating clusters", () => {
  const { progress } = planFor(["done", "new", "old", "old"], 2);
  assert.deepEqual(progress, { updating: [cluster("c1"), cluster("c2")], updated: [cluster("c0")] });
  assert.equal(planFor(["done"], undefined).progress, undefined);
});

test("roll-out: a cluster that no longer matches is removed, unless the fleet does not know it", () => {
  const validProfile = validProfileFor({});
  const summaries = summaryIn("done", validProfile, cluster("c0"));
  const situation = { validProfile, matching: [], summaries, isPaused: () => false, canUpdate: () => true };
  assert.deepEqual(rollOut({ ...situation, isKnown: () => true }).writes.map(lineFor), ["delete c0"]);
  assert.deepEqual(rollOut({ ...situation, isKnown: () => false }).writes, []);
});

test("roll-out: never are more clusters updating than allowed, and all that can be updated are in the end", () => {
  const state = fc.constantFrom<SummaryState>("none", "old", "done");
  const limit = fc.oneof(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 100 }).map((share) => `${share}%`),
  );
  fc.assert(
    fc.property(fc.array(state, { minLength: 1, maxLength: 12 }), limit, fc.infiniteStream(fc.boolean()), (begun, maxUpdate, fails) => {
      const most = typeof maxUpdate === "number" ? maxUpdate : Math.ceil((Number(maxUpdate.slice(0, -1)) * begun.length) / 100);
      const now = [...begun];
      for (let round = 0; round < 60 && now.some((each) => each !== "done"); round++) {
        for (const {
          cluster: { name },
        } of planFor(now, maxUpdate).writes)
          now[Number(name.slice(1))] = "new";
        const onTheWay = now.filter((each) => each === "new" || each === "failed").length;
        assert.ok(onTheWay <= most, `${onTheWay} at once`);
        assert.ok(onTheWay > 0, "somebody is always on the way");
        // Whoever fails is tried again, and fails less often than for ever.
        for (const [index, each] of now.entries()) {
          if (each === "failed") now[index] = "done";
          else if (each === "new") now[index] = fails.next().value === true ? "failed" : "done";
        }
      }
      assert.ok(now.every((each) => each === "done"));
    }),
    { numRuns: 60 },
  );
});

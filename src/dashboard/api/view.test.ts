import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { pathOf, viewAt, type View } from "./index.ts";

const word = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });
const place = { context: word, namespace: word.filter((text) => text !== "-"), name: word };
const plain = { noNullPrototype: true };
const clusterKind = fc.constantFrom("SveltosCluster" as const, "Cluster" as const);
const trigger = fc.record({ kind: fc.constantFrom("EventTrigger" as const, "EventBasedAddOn" as const), name: word }, plain);
const views: fc.Arbitrary<View> = fc.oneof(
  fc.record({ type: fc.constantFrom("overview" as const, "fleet" as const, "actions" as const), context: word }),
  fc.record(
    {
      type: fc.constant("events" as const),
      context: word,
      trigger,
      cluster: fc.record({ kind: clusterKind, namespace: word, name: word }, plain),
    },
    { requiredKeys: ["type", "context"], ...plain },
  ),
  fc.record({ type: fc.constant("release" as const), ...place }),
  fc.record({ type: fc.constant("release" as const), ...place, revision: fc.integer({ min: 1, max: 999_999_999 }) }),
  fc.record({ type: fc.constant("cluster" as const), kind: clusterKind, ...place }),
  fc.record({ type: fc.constant("profile" as const), kind: fc.constant("Profile" as const), ...place }),
  fc.record({ type: fc.constant("profile" as const), kind: fc.constant("ClusterProfile" as const), ...place, namespace: fc.constant("") }),
);

test("every view has a path that leads back to it", () => {
  fc.assert(fc.property(views, (view) => assert.deepEqual(viewAt(pathOf(view)), { ...view })));
});

for (const path of [
  "",
  "/",
  "/c",
  "/c/",
  "/c/a/b",
  "/c/a/releases/x",
  "/c/a/releases/x/y/0",
  "/c/a/releases//y",
  "/c/a/clusters/Pod/x/y",
  "/c/a/events/triggers",
  "/c/a/events/triggers/Pod/x",
  "/c/a/events/triggers/EventTrigger/x/clusters",
  "/c/a/events/clusters/Cluster/x",
  "/c/a/events/clusters/Cluster/x/y/z",
  "/c/a/events/x",
  "/c/%",
])
  test(`${JSON.stringify(path)} is no view`, () => assert.equal(viewAt(path), undefined));

import assert from "node:assert/strict";
import { test } from "node:test";
import { byUrgency, matchesText, stateOf } from "./release-order.ts";

const release = (name: string, state: string, updatedAtMs = 0) =>
  ({ type: "release", namespace: "shop", name, revision: 1, state, updatedAtMs }) as const;

test("what has failed comes first, then what is at work, then the latest", () => {
  const all = [
    release("old", "deployed", 1),
    release("gone", "uninstalled", 9),
    release("new", "deployed", 2),
    release("busy", "pending-upgrade", 3),
    release("bad", "failed", 0),
    release("odd", "unknown", 0),
  ];
  assert.deepEqual(
    all.toSorted(byUrgency).map(({ name }) => name),
    ["bad", "busy", "odd", "new", "old", "gone"],
  );
});

test("every word of a filter has to be there, in any case", () => {
  assert.equal(matchesText(release("web", "failed"), "SHOP fail"), true);
  assert.equal(matchesText(release("web", "failed"), "shop deployed"), false);
  assert.equal(matchesText(release("web", "failed"), " "), true);
});

test("a release that is being deleted is at work", () => assert.equal(stateOf(release("web", "uninstalling")), "progressing"));

import assert from "node:assert/strict";
import { test } from "node:test";
import { beginRevision, type Revision, type RevisionState } from "../record/index.ts";
import { rollbackTarget } from "./rollback-target.ts";

const release = { name: "web", namespace: "shop" };

/** Revisions 1, 2, … by their states. */
function revisions(states: string): readonly Revision[] {
  const first = beginRevision(release, "install", { manifest: "", hooks: [] }, { previous: undefined, at: "2030-01-01T00:00:00Z" });
  return states.split(" ").map((state, at) => ({ ...first, revision: at + 1, state: state as RevisionState }));
}

/** The target of a rollback without a revision. */
const cases: readonly (readonly [string, string, number])[] = [
  ["to the one before", "superseded deployed", 1],
  ["to what is still deployed after a failure", "superseded deployed failed", 2],
  ["to the same again after a killed rollback", "superseded deployed pending-rollback", 1],
  ["to the same again after a killed rollback of a failure", "deployed failed pending-rollback", 1],
  ["past a killed upgrade", "superseded deployed pending-upgrade", 2],
  ["to the one before, also when it is not superseded yet", "superseded deployed deployed", 2],
  ["to what was deleted with its history kept", "superseded uninstalled", 2],
  ["to what was deleted, the first revision too", "uninstalled", 1],
  ["to what was deleted before a deploy that failed", "superseded uninstalled failed", 2],
  ["to the same again after a killed rollback of a deletion", "superseded uninstalled pending-rollback", 2],
];

for (const [where, states, expected] of cases) {
  test(`a rollback goes ${where}`, () => assert.equal(rollbackTarget(revisions(states), release, undefined).revision, expected));
}

test("with nowhere to go it is refused", () => {
  assert.throws(() => rollbackTarget(revisions("deployed"), release, undefined), /no other revision of it was ever deployed/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseHead, RevisionOutline } from "../../src/dashboard/api/index.ts";
import { isCarriedOn, isRolledBackTo } from "./release-choices.ts";

const outline = (revision: number, state: string): RevisionOutline => ({ revision, state, description: "", isRecorded: false });
const head = (state: string, more: Partial<ReleaseHead> = {}): ReleaseHead => ({
  type: "head",
  namespace: "shop",
  name: "web",
  revision: 3,
  isLatest: true,
  state,
  status: "ready",
  description: "",
  revisions: [outline(3, state), outline(2, "superseded"), outline(1, "failed")],
  ...more,
});
const targets = (state: string) => {
  const { revisions } = head(state);
  return revisions.filter((each) => isRolledBackTo(each, revisions)).map(({ revision }) => revision);
};
const holder = { name: "ada", sinceMs: 0, isSilent: false };

test("what is unfinished and in nobody's hands can be carried on", () => {
  assert.equal(isCarriedOn(head("pending-upgrade")), true);
  assert.equal(isCarriedOn(head("uninstalling", { holder: { ...holder, isSilent: true } })), true);
  assert.equal(isCarriedOn(head("pending-upgrade", { holder })), false);
  assert.equal(isCarriedOn(head("failed")), false);
  assert.equal(isCarriedOn(head("superseded", { isLatest: false, revisions: [outline(4, "pending-rollback")] })), true);
});

test("a release can go back to what is finished, and not to what is deployed", () => {
  assert.deepEqual(targets("deployed"), [2, 1]);
  assert.deepEqual(targets("failed"), [3, 2, 1]);
  assert.deepEqual(targets("uninstalled"), [3, 2, 1]);
  assert.deepEqual(targets("pending-upgrade"), [2, 1]);
});

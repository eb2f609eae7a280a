import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../kube/index.ts";
import { ActionFixture } from "../../../test/support/dashboard/action-fixture.ts";
import { carryOnInterrupted } from "./carry-on-interrupted.ts";

const settings = (value: string, more = "") => `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {value: "${value}"}
---
apiVersion: v1
kind: Secret
metadata: {name: creds}
stringData: {password: "correct-${value}"}
${more}`;
const slow = `---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/hook: "pre-upgrade,pre-rollback", helm.sh/hook-delete-policy: before-hook-creation}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: slow}]}}}
`;
const rollback = { type: "rollback", namespace: "default", name: "web", to: 1 } as const;
const redeploy = { type: "redeploy", namespace: "default", name: "web" } as const;
const reading = { apiGroups: ["*"], resources: ["*"], verbs: ["get", "list", "watch"] };
const writing = ["create", "patch", "update"];
const wasOurs = (holder: string) => holder.startsWith("ada@test");

async function withTwoRevisions(more = ""): Promise<ActionFixture> {
  const at = new ActionFixture();
  await at.deploy(settings("one", more));
  await at.deploy(settings("two", more));
  return at;
}

test("a preview says what a rollback changes, without secrets, and changes nothing", async () => {
  const at = await withTwoRevisions(slow);
  const ada = await at.visitor("ada");
  const before = await at.records();
  const preview = await at.preview(rollback, ada);
  assert.deepEqual(preview.refusals, []);
  assert.equal(preview.title, "Roll back web to revision 1");
  assert.deepEqual(preview.command, ["sluice", "rollback", "web", "1", "-n", "default"]);
  assert.deepEqual(preview.summary, [
    "In the cluster of context test, namespace default: revision 3 of release web is made, with the content of revision 1.",
    "2 objects are changed, 1 object is deleted and made anew.",
    "Hooks run: job/migrate.",
  ]);
  assert.match(JSON.stringify(preview.changes), /- {3}value: two/);
  assert.match(preview.steps.join("\n"), /configmap\/settings/);
  assert.doesNotMatch(JSON.stringify(preview), /correct-/);
  assert.deepEqual(await at.records(), before);
});

test("a rollback and a redeploy are new revisions, and say how they ended", async () => {
  const at = await withTwoRevisions();
  const ada = await at.visitor("ada");
  const back = await at.act(rollback, ada);
  assert.deepEqual([back.state, back.because, back.path], ["succeeded", "Revision 3 of web is deployed.", "/c/test/releases/default/web"]);
  assert.deepEqual(await at.value("settings"), { value: "one" });
  await at.clock.until(at.admin.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "settings" }));
  const again = await at.act(redeploy, ada);
  assert.equal(again.state, "succeeded");
  assert.deepEqual(await at.value("settings"), { value: "one" });
  assert.deepEqual(await at.records(), [
    "1 superseded Install complete",
    "2 superseded Upgrade complete",
    "3 superseded Rollback to 1",
    "4 deployed Redeploy of 3",
  ]);
});

test("a click that comes twice acts once", async () => {
  const at = await withTwoRevisions();
  const ada = await at.visitor("ada");
  const { id } = await at.preview(redeploy, ada);
  const [first, second] = [at.runner.start(id, ada), at.runner.start(id, ada)];
  assert.deepEqual(first, second);
  await at.end(id, ada);
  assert.equal(at.runner.start(id, ada).state, "succeeded");
  assert.equal((await at.records()).length, 3);
});

for (const [right, rules] of [
  ['cannot patch resource "configmaps"', [reading, { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: writing }]],
  [
    "You may not create secrets in default",
    [
      reading,
      { apiGroups: [""], resources: ["configmaps"], verbs: writing },
      { apiGroups: [""], resources: ["secrets"], verbs: ["patch", "update"] },
      { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: writing },
    ],
  ],
  [
    "You may not create leases.coordination.k8s.io in default",
    [reading, { apiGroups: [""], resources: ["configmaps", "secrets"], verbs: writing }],
  ],
] as const)
  test(`who lacks a right is refused before anything happens: ${right}`, async () => {
    const at = await withTwoRevisions();
    const joe = await at.visitor("joe", rules);
    const before = await at.records();
    const preview = await at.preview(rollback, joe);
    assert.ok(
      preview.refusals.some((refusal) => refusal.includes(right)),
      preview.refusals.join("\n"),
    );
    at.runner.start(preview.id, joe);
    const { state, because = "" } = await at.end(preview.id, joe);
    assert.equal(state, "refused");
    assert.ok(because.includes(right), because);
    assert.deepEqual(await at.records(), before);
    const leases = await at.clock.until(
      at.admin.list({ group: "coordination.k8s.io", version: "v1", kind: "Lease" }, { namespace: "default" }),
    );
    assert.deepEqual(
      leases.items.filter(({ spec }) => (spec as { holderIdentity?: string }).holderIdentity?.startsWith("joe") === true),
      [],
    );
  });

test("a right that is taken away after the preview is missed before anything happens", async () => {
  const at = await withTwoRevisions();
  const joe = await at.visitor("joe");
  const { id, refusals } = await at.preview(rollback, joe);
  assert.deepEqual(refusals, []);
  const role = { group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole", namespace: "", name: "joe" };
  await at.clock.until(at.admin.patch(role, { type: "merge", patch: { rules: [reading] } }));
  at.runner.start(id, joe);
  const { state, because } = await at.end(id, joe);
  assert.equal(state, "refused");
  assert.match(because ?? "", /You may not create secrets in default/);
  assert.equal((await at.records()).length, 2);
});

test("what has changed since the preview is a refusal", async () => {
  const at = await withTwoRevisions();
  const ada = await at.visitor("ada");
  const { id } = await at.preview(rollback, ada);
  const settingsRef = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "settings" };
  await at.clock.until(at.admin.patch(settingsRef, { type: "merge", patch: { data: { value: "three" } } }));
  at.runner.start(id, ada);
  const { state, because } = await at.end(id, ada);
  assert.equal(state, "refused");
  assert.match(because ?? "", /since it was drawn up, configmap\/settings was changed/);
  assert.equal((await at.records()).length, 2);
});

test("of two visitors at once one acts, and the other is told who", async () => {
  const at = await withTwoRevisions(slow);
  const [ada, bob] = [await at.visitor("ada"), await at.visitor("bob")];
  const [first, second] = [await at.preview(rollback, ada), await at.preview(redeploy, bob)];
  at.runner.start(first.id, ada);
  await at.clock.advance(5_000);
  at.runner.start(second.id, bob);
  const { state, because } = await at.end(second.id, bob);
  assert.equal(state, "refused");
  assert.match(because ?? "", /ada@test \(1\) is at work on the release/);
  const late = await at.preview(redeploy, bob);
  assert.match(late.warnings.join(), /ada@test \(1\) has been at work on this release since/);
  at.runner.start(late.id, bob);
  await at.clock.advance(1_000);
  const waiting = at.runner.listOf(bob).find(late.id);
  assert.equal(waiting?.state, "waiting");
  assert.match(waiting.because ?? "", /ada@test \(1\)/);
  assert.match((await at.end(late.id, bob)).because ?? "", /somebody else is at work on it: .*ada@test \(1\)/);
  assert.equal((await at.end(first.id, ada)).state, "succeeded");
  assert.deepEqual(
    at.runner.listOf(ada).items.map(({ id }) => id),
    [first.id],
  );
});

test("an action goes on when the session's cluster is let go, and the dashboard ends after it", async () => {
  const at = await withTwoRevisions(slow);
  const ada = await at.visitor("ada");
  let held = 0;
  const holding = {
    ...ada,
    hold: () => {
      held++;
      return () => void held--;
    },
  };
  const { id } = await at.preview(rollback, holding);
  at.runner.start(id, holding);
  assert.equal(held, 1);
  const finishing = at.runner.finish(Number.POSITIVE_INFINITY);
  await at.clock.advance(1_000);
  assert.deepEqual(at.runner.running, ["Roll back web to revision 1"]);
  const { id: refused } = await at.preview(redeploy, ada);
  assert.throws(() => at.runner.start(refused, ada), /the dashboard is about to end/);
  await at.clock.until(finishing);
  assert.equal(held, 0);
  assert.equal(at.runner.listOf(ada).find(id)?.state, "succeeded");
});

test("a dashboard whose time is up stops in order, and the next one carries on at once", async () => {
  const at = await withTwoRevisions(slow);
  const ada = await at.visitor("ada");
  const { id } = await at.preview(rollback, ada);
  at.runner.start(id, ada);
  await at.clock.until(at.runner.finish(10_000));
  assert.equal(at.runner.listOf(ada).find(id)?.state, "interrupted");
  assert.equal((await at.records()).at(-1), "3 pending-rollback Rollback to 1");
  const next = at.dashboard();
  const preview = await at.preview(redeploy, ada, next);
  assert.equal(preview.title, "Carry on revision 3 of web");
  assert.match(preview.summary[0] ?? "", /revision 3 of release web, which was interrupted, is carried on/);
  assert.deepEqual(preview.warnings, []);
  const from = at.clock.now();
  next.start(preview.id, ada);
  assert.equal((await at.end(preview.id, ada, next)).state, "succeeded");
  assert.ok(at.clock.now() - from < 70_000);
  assert.deepEqual((await at.records()).slice(1), ["2 superseded Upgrade complete", "3 deployed Rollback to 1"]);
});

test("what a killed dashboard was doing is carried on by the next one on the machine", async () => {
  const at = await withTwoRevisions(slow);
  const ada = await at.visitor("ada");
  let isDead = false;
  const mortal = at.actAs("ada", async (request) => (isDead ? new Promise<never>(() => undefined) : at.exchange(request)));
  const { id } = await at.preview(rollback, mortal);
  at.runner.start(id, mortal);
  await at.clock.advance(10_000);
  isDead = true;
  assert.equal((await at.records()).at(-1), "3 pending-rollback Rollback to 1");
  const next = at.dashboard(wasOurs);
  const { signal } = new AbortController();
  const titles = await at.clock.until(carryOnInterrupted(next, ada, { wasOurs, signal }));
  assert.deepEqual(titles, ["Carry on revision 3 of web"]);
  assert.equal((await at.end("carried-on-default-web", ada, next)).state, "succeeded");
  assert.equal((await at.records()).at(-1), "3 deployed Rollback to 1");
  const third = at.dashboard(wasOurs);
  assert.deepEqual(await at.clock.until(carryOnInterrupted(third, ada, { wasOurs, signal })), []);
});

test("what was interrupted long ago, or by others, is left to the visitor", async () => {
  const at = await withTwoRevisions(slow);
  const ada = await at.visitor("ada");
  let isDead = false;
  const mortal = at.actAs("ada", async (request) => (isDead ? new Promise<never>(() => undefined) : at.exchange(request)));
  const { id } = await at.preview(rollback, mortal);
  at.runner.start(id, mortal);
  await at.clock.advance(10_000);
  isDead = true;
  const next = at.dashboard();
  const { signal } = new AbortController();
  assert.deepEqual(await at.clock.until(carryOnInterrupted(next, ada, { wasOurs: () => false, signal })), []);
  await at.clock.advance(2 * 60 * 60_000);
  assert.deepEqual(await at.clock.until(carryOnInterrupted(next, ada, { wasOurs: () => true, signal })), []);
  assert.equal((await at.preview(redeploy, ada, next)).title, "Carry on revision 3 of web");
});

test("a saved plan is shown with what is live, run once, and refused when it no longer fits", async () => {
  const at = await withTwoRevisions();
  const ada = await at.visitor("ada");
  const text = await at.savedPlan(settings("three"));
  const plan = { type: "plan", file: "web.plan", text } as const;
  const preview = await at.preview(plan, ada);
  assert.deepEqual(preview.refusals, []);
  assert.match(JSON.stringify(preview.changes), /- {3}value: two/);
  assert.doesNotMatch(JSON.stringify(preview), /correct-/);
  assert.ok((preview.drawnUpAtMs ?? 0) > 0);
  at.runner.start(preview.id, ada);
  assert.equal((await at.end(preview.id, ada)).state, "succeeded");
  assert.deepEqual(await at.value("settings"), { value: "three" });
  const again = await at.preview(plan, ada);
  assert.match(again.refusals.join(), /drawn up for revision 2 as it was, and the latest is revision 3, deployed/);
  assert.match(again.steps.join("\n"), /configmap\/settings/);
});

test("a plan for another cluster, a damaged one and anything else are refused in a sentence", async () => {
  const at = await withTwoRevisions();
  const ada = await at.visitor("ada");
  const other = await withTwoRevisions();
  // Clusters of one seed have the same uids.
  const kubeSystem = { group: "", version: "v1", kind: "Namespace", namespace: "", name: "kube-system" };
  const { uid = "" } = (await at.clock.until(at.admin.get(kubeSystem))).metadata;
  const foreign = connect(
    async (request) => {
      const answer = await other.exchange(request);
      return request.path.endsWith("/kube-system")
        ? { ...answer, body: [(await textOf(answer.body)).replaceAll(uid, "another-uid")] }
        : answer;
    },
    { clock: other.clock },
  );
  const text = await at.savedPlan(settings("three"));
  const elsewhere = await other.clock.until(
    other.runner.preview("elsewhere-1", { type: "plan", file: "p", text }, { ...ada, cluster: foreign }, new AbortController().signal),
  );
  assert.match(elsewhere.refusals.join(), /it was drawn up for another cluster/);
  for (const [bad, why] of [
    [text.replace("three", "four"), /it is damaged, or somebody has edited it/],
    ["apiVersion: v1", /it is not a plan that sluice plan --save wrote/],
    ["null", /it is not a plan/],
  ] as const) {
    const { refusals } = await at.preview({ type: "plan", file: "p", text: bad }, ada);
    assert.match(refusals.join(), why);
    assert.equal(refusals.length, 1);
  }
});

async function textOf(body: AsyncIterable<string | Uint8Array> | readonly (string | Uint8Array)[]): Promise<string> {
  let text = "";
  for await (const chunk of body) text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
  return text;
}

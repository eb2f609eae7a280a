import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../../core/exchange/index.ts";
import { ReleaseFixture } from "../../../test/support/dashboard/release-fixture.ts";

const app = (image: string) => `
apiVersion: v1
kind: Secret
metadata: {name: creds}
stringData: {password: correct-horse}
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {werf.io/weight: "-10"}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: "${image}"}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {of: "${image}"}}
spec: {selector: {matchLabels: {a: web}}, template: {metadata: {labels: {a: web}}, spec: {containers: [{name: c, image: app}]}}}
`;
const behaviour = [
  { match: { image: "slow" }, pull: "1s", run: "60s" },
  { match: { image: "bad" }, run: "1s", result: { exitCode: 1 }, logs: ["cannot reach the database"] },
  { match: { image: "app" }, pull: "1s" },
];

test("a deploy is followed from the first object to the last", async () => {
  const at = new ReleaseFixture(behaviour);
  const view = at.open();
  await at.clock.advance(1000);
  assert.match(view.notices.join(), /There is no release web in default/);
  const done = at.deploy(app("slow"));
  await at.clock.advance(10_000);
  assert.equal(view.head?.status, "progressing");
  assert.equal(view.head.holder?.name, "tester");
  assert.deepEqual(view.notices, []);
  assert.deepEqual(view.edges, ["job/migrate -(ready)-> secret/creds", "job/migrate -(ready)-> deployment/web"]);
  assert.match(
    view.nodes.join("\n"),
    /^job\/migrate progressing: .*\nsecret\/creds waiting: it does not exist\ndeployment\/web waiting: it does not exist$/,
  );
  const [chain] = view.ofType("chain");
  assert.equal(chain?.blocked, 2);
  assert.equal(chain.cause, "main/batch/Job/default/migrate");
  await at.clock.until(done);
  await at.clock.advance(1000);
  assert.equal(view.head.status, "ready");
  assert.equal(view.head.chart, undefined, "plain manifests are no chart");
  assert.deepEqual(view.nodes, ["job/migrate ready", "secret/creds ready", "deployment/web ready"]);
  assert.deepEqual(view.ofType("chain"), []);
  const [timeline] = view.ofType("timeline");
  assert.equal(timeline?.status, "deployed");
  assert.equal(timeline.isRunning, false);
  assert.deepEqual(
    view.ofType("row").map(({ title, outcome }) => `${title} ${outcome}`),
    ["job/migrate finished", "secret/creds finished", "deployment/web finished"],
  );
  const [job] = view.ofType("row");
  assert.match(job?.waits?.[0]?.because ?? "", /0 of 1 completions/);
  assert.ok(job!.waits!.every(({ atMs }) => atMs >= job!.fromMs && atMs <= job!.toMs));
});

test("a failed deploy shows the first cause, and what was skipped", async () => {
  const at = new ReleaseFixture(behaviour);
  await at.clock.until(at.deploy(app("bad")));
  const view = at.open();
  await at.clock.advance(1000);
  assert.equal(view.head?.status, "failed");
  assert.match(view.nodes[0] ?? "", /^job\/migrate failed: /);
  assert.match(view.nodes[1] ?? "", /^secret\/creds skipped: /);
  const [web] = view.ofType("node").filter(({ title }) => title === "deployment/web");
  assert.equal(web?.waitsFor?.id, "main/batch/Job/default/migrate");
  assert.deepEqual(
    view.ofType("chain").map(({ nodes }) => nodes.at(-1)),
    ["main/batch/Job/default/migrate"],
  );
});

test("an earlier revision is shown as it was recorded", async () => {
  const at = new ReleaseFixture(behaviour);
  await at.clock.until(at.deploy(app("bad")));
  await at.clock.until(at.deploy(app("slow")));
  const view = at.open({ revision: 1 });
  await at.clock.advance(1000);
  assert.equal(view.head?.isLatest, false);
  assert.equal(view.head.state, "failed");
  assert.deepEqual(
    view.ofType("node").map(({ title, state }) => `${title} ${state}`),
    ["job/migrate failed", "secret/creds skipped", "deployment/web skipped"],
  );
  assert.deepEqual(
    view.head.revisions.map(({ revision, state, isRecorded }) => `${revision} ${state} ${isRecorded}`),
    ["2 deployed true", "1 failed true"],
  );
});

test("looking costs no request after the first time, whatever changes", async () => {
  const at = new ReleaseFixture(behaviour);
  await at.clock.until(at.deploy(app("slow")));
  const view = at.open();
  await at.clock.advance(1000);
  at.requested.length = 0;
  const sequence = view.live.sequence;
  await at.clock.until(at.cluster.delete({ group: "apps", version: "v1", kind: "Deployment", namespace: "default", name: "web" }));
  await at.clock.advance(1000);
  assert.match(view.nodes.join("\n"), /deployment\/web gone: it does not exist/);
  assert.ok(view.live.sequence > sequence);
  assert.deepEqual(
    at.requested.filter((request) => !request.includes("watch=")),
    [],
  );
});

test("what may not be read is said, and the rest is shown", async () => {
  const at = new ReleaseFixture(behaviour);
  await at.clock.until(at.deploy(app("slow")));
  at.answer = async (request, real) => (request.path.includes("/deployments") ? forbidden : real(request));
  const view = at.open();
  await at.clock.advance(1000);
  assert.match(view.nodes.join("\n"), /deployment\/web progressing: it cannot be looked at: /);
  assert.match(view.notices.join("\n"), /You may not read Deployment\.v1\.apps in default/);
  at.answer = async (request, real) => (request.path.includes("/secrets") ? forbidden : real(request));
  const blind = at.open();
  await at.clock.advance(1000);
  assert.deepEqual(blind.nodes, []);
  assert.match(blind.notices.join("\n"), /You may not read release web in default: /);
});

const status = { apiVersion: "v1", kind: "Status", status: "Failure", code: 403, reason: "Forbidden", message: "not for you" };
const forbidden: Answer = { status: 403, headers: { "content-type": "application/json" }, body: [JSON.stringify(status)] };

test("whoever may not read the Lease sees all but who is at work", async () => {
  const at = new ReleaseFixture(behaviour);
  await at.clock.until(at.deploy(app("slow")));
  at.answer = async (request, real) => (request.path.includes("/leases") ? forbidden : real(request));
  const view = at.open();
  await at.clock.advance(1000);
  assert.deepEqual(view.nodes, ["job/migrate ready", "secret/creds ready", "deployment/web ready"]);
  assert.equal(view.head?.status, "ready");
  assert.match(view.notices.join("\n"), /^You may not read Lease\.v1\.coordination\.k8s\.io in default .*$/);
});

test("a view that nobody looks at any more ends its informers", async () => {
  const at = new ReleaseFixture(behaviour);
  await at.clock.until(at.deploy(app("slow")));
  const stop = new AbortController();
  const view = at.open({ signal: stop.signal });
  await at.clock.advance(1000);
  stop.abort();
  const sequence = view.live.sequence;
  await at.clock.until(at.cluster.delete({ group: "apps", version: "v1", kind: "Deployment", namespace: "default", name: "web" }));
  await at.clock.advance(10_000);
  assert.equal(view.live.sequence, sequence);
});

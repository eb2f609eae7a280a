import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectDetail, Replay, RevisionComparison } from "../api/index.ts";
import { requests } from "../requests.ts";
import { ReleaseFixture } from "../../../test/support/dashboard/release-fixture.ts";
import { thisMachine } from "../../kube/index.ts";
import { networkOpener } from "../../sveltos/fleet/index.ts";

const { signal } = new AbortController();
const behaviour = [
  { match: { image: "slow" }, run: "60s" },
  { match: { image: "quick" }, run: "2s" },
  { match: { image: "bad" }, run: "1s", result: { exitCode: 1 }, logs: ["the token is correct-horse", "<script>alert(1)</script>"] },
];
const app = (image: string) => `
apiVersion: v1
kind: Secret
metadata: {name: creds}
stringData: {password: correct-horse}
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate-${image}, annotations: {werf.io/weight: "-10"}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: "${image}"}]}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {image: "${image}"}
`;

async function ask<T>(at: ReleaseFixture, name: string, query: Readonly<Record<string, string>>): Promise<T> {
  const openManaged = networkOpener(thisMachine(), at.clock);
  return (await at.clock.until(requests[name]!(new URLSearchParams(query), { cluster: at.visitor, openManaged, signal }))) as T;
}

test("an object is explained by its conditions, Events and logs, without secrets", async () => {
  const at = new ReleaseFixture(behaviour);
  await at.clock.until(at.deploy(app("bad")));
  const job = { group: "batch", version: "v1", kind: "Job", namespace: "default", name: "migrate-bad", release: "default/web" };
  const detail = await ask<ObjectDetail>(at, "object", job);
  assert.equal(detail.health.state, "failed");
  assert.deepEqual(
    detail.conditions.map(({ type, status }) => `${type}=${status}`),
    ["FailureTarget=True", "Failed=True"],
  );
  assert.deepEqual(
    detail.logs.map(({ container, lines }) => [container, ...lines]),
    [["c", "the token is (hidden)", "<script>alert(1)</script>"]],
  );
  assert.ok(detail.events.some(({ reason, about }) => reason === "BackoffLimitExceeded" && about === "job/migrate-bad"));
  assert.match(detail.yaml ?? "", /^apiVersion: batch\/v1$/m);
  assert.doesNotMatch(detail.yaml ?? "", /managedFields/);
  assert.deepEqual(detail.notices, []);
});

test("the values of a Secret are hidden, and the diff says whether they changed", async () => {
  const at = new ReleaseFixture(behaviour);
  await at.clock.until(at.deploy(app("quick")));
  await at.clock.until(at.deploy(app("slow").replace("correct-horse", "battery-staple")));
  const secret = { version: "v1", kind: "Secret", namespace: "default", name: "creds", release: "default/web" };
  const detail = await ask<ObjectDetail>(at, "object", secret);
  assert.equal(detail.health.state, "ready");
  assert.match(detail.yaml ?? "", /password: \(hidden\)/);
  assert.deepEqual([detail.diff?.before, detail.diff?.after, detail.diff?.change], [1, 2, "updated"]);
  assert.match(detail.diff?.lines.join("\n") ?? "", /\+ +password: \(hidden, changed\)/);
  assert.doesNotMatch(JSON.stringify(detail), /correct-horse|battery-staple|Y29ycmVjdC1ob3JzZQ|YmF0dGVyeS1zdGFwbGU/);
});

test("an object that is not there, and a kind that is not served", async () => {
  const at = new ReleaseFixture();
  const gone = await ask<ObjectDetail>(at, "object", { version: "v1", kind: "ConfigMap", namespace: "default", name: "none" });
  assert.deepEqual([gone.health.state, gone.yaml, gone.diff], ["gone", undefined, undefined]);
  const widget = { group: "example.com", version: "v1", kind: "Widget", namespace: "default", name: "none" };
  assert.equal((await ask<ObjectDetail>(at, "object", widget)).health.state, "gone");
  await assert.rejects(ask(at, "object", { version: "v1", kind: "ConfigMap" }), /it has no name/);
});

test("a recording is told by the nodes of the graph", async () => {
  const at = new ReleaseFixture(behaviour);
  await at.clock.until(at.deploy(app("quick")));
  await at.clock.until(at.deploy(app("slow")));
  const view = at.open({ revision: 2 });
  await at.clock.advance(1000);
  const replay = await ask<Replay>(at, "recording", { namespace: "default", name: "web", revision: "2" });
  const nodes = new Set(view.ofType("node").map(({ id }) => id));
  assert.deepEqual(
    replay.steps.filter(({ node }) => !nodes.has(node)),
    [],
  );
  assert.ok(nodes.has("gone/batch/Job/default/migrate-quick"));
  assert.ok(replay.lengthMs >= 60_000);
  await assert.rejects(ask(at, "recording", { namespace: "default", name: "web", revision: "7" }), /there is none of that number/);
});

test("two revisions are compared by their objects and their times", async () => {
  const at = new ReleaseFixture(behaviour);
  await at.clock.until(at.deploy(app("quick")));
  await at.clock.until(at.deploy(app("slow")));
  const compared = await ask<RevisionComparison>(at, "comparison", { namespace: "default", name: "web", before: "1", after: "2" });
  assert.deepEqual(
    compared.objects.map(({ ref, change }) => `${ref.kind} ${ref.name} ${change}`),
    ["Job migrate-slow created", "ConfigMap settings updated", "Job migrate-quick deleted"],
  );
  assert.ok((compared.times?.afterMs ?? 0) > (compared.times?.beforeMs ?? 0) + 50_000);
  assert.deepEqual(
    compared.times?.added.map(({ ref }) => ref.name),
    ["migrate-slow"],
  );
});

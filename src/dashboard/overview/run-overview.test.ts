import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestCluster, viewOf, type ViewUnderTest } from "../../../test/support/dashboard/view-under-test.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { deploy, uninstallRelease } from "../../release/deploy/index.ts";
import type { OverviewRelease } from "../api/index.ts";

const { signal } = new AbortController();
const release = { name: "web", namespace: "default" };
const view = { type: "overview", context: "test" } as const;
let identities = 0;

async function endOf(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) void event;
}

async function deployed({ clock, cluster }: Pick<ViewUnderTest, "clock" | "cluster">, yaml: string, options: object = {}): Promise<void> {
  const { manifests } = readManifests(yaml, "web.yaml");
  const events = deploy({ release, manifests }, cluster, { signal, identity: `tester-${++identities}`, ...options });
  await clock.until(endOf(events));
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {v: x}\n";
const failing = `apiVersion: batch/v1
kind: Job
metadata: {name: bad, annotations: {sim.sluice.dev/exit-code: "3"}}
spec: {backoffLimit: 0, template: {metadata: {annotations: {sim.sluice.dev/exit-code: "3"}}, spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
`;

test("every release is shown by its latest revision, and leaves with its last record", async () => {
  const at = openTestCluster();
  await deployed(at, configMap);
  const shown = viewOf(view, at);
  await at.clock.advance(1000);
  const only = () => [...shown.items<OverviewRelease>("release").values()].map(({ name, revision, state }) => [name, revision, state]);
  assert.deepEqual(only(), [["web", 1, "deployed"]]);
  await deployed(at, configMap.replace("v: x", "v: z"));
  await at.clock.advance(1000);
  assert.deepEqual(only(), [["web", 2, "deployed"]]);
  await at.clock.until(endOf(uninstallRelease({ release }, at.cluster, { signal, identity: "remover" })));
  await at.clock.advance(1000);
  assert.deepEqual(only(), []);
  shown.end();
});

test("a release that has failed says why, and nothing of a deployed one's record is kept", async () => {
  const at = openTestCluster();
  await deployed(at, failing);
  const shown = viewOf(view, at);
  await at.clock.advance(1000);
  const [item] = shown.items<OverviewRelease>("release").values();
  assert.equal(item?.state, "failed");
  assert.match(item?.because ?? "", /job\/bad/);
  shown.end();
});

test("records that may not be read are said to be so, and shown when they may", async () => {
  const at = openTestCluster();
  const cluster = at.cluster.impersonate("nobody");
  const shown = viewOf(view, { ...at, cluster });
  await at.clock.advance(1000);
  assert.match(shown.live.notices.map(({ text }) => text).join(), /Releases cannot be read/);
  shown.end();
});

test("a release that is being deployed says what it waits for", async (t) => {
  const at = openTestCluster();
  const slow = `apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {werf.io/weight: "-1"}}
spec: {template: {metadata: {annotations: {sim.sluice.dev/exit-after: 60s}}, spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
---
${configMap}`;
  const { manifests } = readManifests(slow, "web.yaml");
  const shown = viewOf(view, at);
  t.after(shown.end);
  const work = endOf(deploy({ release, manifests }, at.cluster, { signal, identity: "slow" }));
  await at.clock.advance(5000);
  const item = () => [...shown.items<OverviewRelease>("release").values()][0];
  assert.equal(item()?.state, "pending-install");
  assert.match(item()?.because ?? "", /waits for job\/migrate/);
  await at.clock.until(work);
  await at.clock.advance(1000);
  assert.deepEqual([item()?.state, item()?.because], ["deployed", undefined]);
});

/** The record of a deployed release, without its content. */
const record = (index: number, status: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  type: "helm.sh/release.v1",
  metadata: {
    name: `sh.helm.release.v1.r${index}.v1`,
    namespace: "default",
    labels: { owner: "helm", name: `r${index}`, version: "1", status, modifiedAt: "1700000000" },
  },
});

test("5,000 releases are shown, and a change of one is one change", async (t) => {
  const at = openTestCluster();
  for (let index = 0; index < 5000; index++) await at.clock.until(at.cluster.create(record(index, "deployed")));
  const shown = viewOf(view, at);
  t.after(shown.end);
  await at.clock.advance(1000);
  assert.equal(shown.items("release").size, 5000);
  let changes = 0;
  shown.live.subscribe({ onChange: ({ set = [] }) => (changes += set.length), onNotices: () => undefined });
  await at.clock.until(at.cluster.apply(record(7, "failed"), { manager: "t", force: true }));
  await at.clock.advance(1000);
  assert.equal(changes, 1);
});

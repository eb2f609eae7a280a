import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { gvkOf } from "../../api/index.ts";
import type { AddonOutcome } from "../../deploy/index.ts";
import { listAt, type KubeObject } from "../../../core/object/index.ts";
import { noTelemetry, type RecordedEvent } from "../../telemetry/index.ts";
import { ClusterConfigurationWriter } from "./cluster-configuration-writer.ts";
import { updateConfiguration } from "./update-configuration.ts";

const kind = gvkOf("ClusterConfiguration");
const cluster = { type: "Sveltos", namespace: "mgmt", name: "c1" } as const;
const summary: KubeObject = { apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterSummary", metadata: { name: "s" } };

function outcomeWith(resources: number): AddonOutcome {
  const lastAppliedTime = "2026-01-01T00:00:00Z";
  const owner = { kind: "ConfigMap", namespace: "default", name: "content" };
  const resource = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", owner, lastAppliedTime };
  const listed = Array.from({ length: resources }, (_, at) => ({ ...resource, name: `object-${at}`, ignoreForConfigurationDrift: false }));
  const features = [{ featureID: "Resources" as const, resources: listed }];
  return { summary, status: {}, unserved: [], report: undefined, settled: true, final: false, displaced: [], features, keptFeatures: [] };
}

function entryOf({ metadata: { name, uid = "" } }: KubeObject, resources = 1) {
  const owner = { kind: "ClusterProfile", namespace: "", name, uid } as const;
  return { owner, present: true, outcome: outcomeWith(resources) } as const;
}

/** `sveltos--c1 100`: the parts, and how many profiles each has. */
async function partsIn(fixture: EmbeddedFleet): Promise<readonly string[]> {
  const parts = await fixture.list(kind);
  return parts.map((part) => {
    const profiles = listAt(part, "status.clusterProfileResources").length;
    assert.equal(part.metadata.ownerReferences?.length, profiles);
    return `${part.metadata.name} ${profiles}`;
  });
}

async function versionsIn(fixture: EmbeddedFleet): Promise<readonly string[]> {
  return (await fixture.list(kind)).map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
}

test("a ClusterConfiguration of many profiles has parts, of which one is written for one change", async (t) => {
  const fixture = await EmbeddedFleet.open();
  t.after(() => fixture.close());
  const { signal } = fixture;
  await fixture.until(fixture.context.cache.waitForSync([kind]));
  const writer = new ClusterConfigurationWriter(fixture.context);
  // The garbage collector deletes what nobody owns.
  const created = Array.from({ length: 206 }, (_, at) =>
    fixture.hub.create({
      apiVersion: "config.projectsveltos.io/v1beta1",
      kind: "ClusterProfile",
      metadata: { name: `p${at}` },
      spec: { clusterSelector: {} },
    }),
  );
  const [large, ...profiles] = await fixture.until(Promise.all(created));
  await fixture.until(Promise.all(profiles.map((profile) => writer.update(cluster, entryOf(profile), signal))));
  assert.deepEqual(await partsIn(fixture), ["sveltos--c1 100", "sveltos--c1--part-2 100", "sveltos--c1--part-3 5"]);

  const before = await versionsIn(fixture);
  await fixture.until(writer.update(cluster, entryOf(profiles[150]!, 2), signal));
  await fixture.until(writer.update(cluster, entryOf(large!, 1000), signal));
  const changed = (await versionsIn(fixture)).filter((version) => !before.includes(version));
  assert.deepEqual(
    changed.map((version) => version.split(" ")[0]),
    ["sveltos--c1--part-2", "sveltos--c1--part-4"],
  );
  assert.deepEqual((await partsIn(fixture)).slice(-1), ["sveltos--c1--part-4 1"]);

  const gone = [...profiles, large!].map((profile) => writer.update(cluster, { owner: entryOf(profile).owner, present: false }, signal));
  await fixture.until(Promise.all(gone));
  assert.deepEqual(await partsIn(fixture), []);
});

test("as many changes as there are workers are not kept waiting for the next second", async (t) => {
  const fixture = await EmbeddedFleet.open();
  t.after(() => fixture.close());
  const { signal } = fixture;
  await fixture.until(fixture.context.cache.waitForSync([kind]));
  const writer = new ClusterConfigurationWriter(fixture.context);
  const profile = { apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", spec: { clusterSelector: {} } };
  const names = Array.from({ length: 1 + 31 + 32 }, (_, at) => `p${at}`);
  const created = await fixture.until(Promise.all(names.map((name) => fixture.hub.create({ ...profile, metadata: { name } }))));
  const elapsedMs = async (some: readonly KubeObject[]) => {
    const startedAt = fixture.clock.now();
    await fixture.until(Promise.all(some.map((each) => writer.update(cluster, entryOf(each), signal))));
    return fixture.clock.now() - startedAt;
  };
  await elapsedMs(created.slice(0, 1));
  const few = await elapsedMs(created.slice(1, 32));
  const many = await elapsedMs(created.slice(32));
  assert.ok(few > 900 && many < 100, `31 took ${few} ms and 32 took ${many} ms`);
});

test("a profile with more resources than an object can list is told of it once, and not tried again", async (t) => {
  const events: string[] = [];
  const recordEvent = (_object: KubeObject, { reason, message }: RecordedEvent) => void events.push(`${reason}: ${message}`);
  const fixture = await EmbeddedFleet.open({ context: { telemetry: { ...noTelemetry, recordEvent } } });
  t.after(() => fixture.close());
  const { context, signal } = fixture;
  await fixture.until(context.cache.waitForSync([kind]));
  const configurations = new ClusterConfigurationWriter(context);
  const requeued: unknown[] = [];
  const queue = { add: (key: unknown) => void requeued.push(key) };
  const profile = { apiVersion: summary.apiVersion, kind: "ClusterProfile", metadata: { name: "large" }, spec: { clusterSelector: {} } };
  const entry = entryOf(await fixture.until(fixture.hub.create(profile)), 8000);
  const key = { cluster: "Sveltos/mgmt/c1", namespace: "mgmt", name: "s" };
  updateConfiguration(key, entry, { context, configurations, queue, summaryIndex: { find: () => summary } }, signal);
  await fixture.advance(10_000);
  assert.deepEqual(requeued, []);
  assert.match(
    events.join("\n"),
    /^ConfigurationTooLarge: .*Sveltos\/mgmt\/c1 does not list the 8000 deployed resources.*divide the content[^\n]*$/,
  );
});

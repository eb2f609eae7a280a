import assert from "node:assert/strict";
import { gvkOf, type KindName } from "../../src/sveltos/api/index.ts";
import { isNotFound, type Cluster } from "../../src/kube/index.ts";
import { fieldsAt, keyOf, listAt, numberAt, refOf, stringAt, type KubeObject, type ObjectRef } from "../../src/core/object/index.ts";
import { applyManifests, eventually, eventuallyGone } from "./test-fleet.ts";
import type { FleetScenario, FleetFixture } from "./fleet-fixture.ts";
import { configMapRef, sveltosRef } from "../support/sveltos-objects.ts";

type Holds = (object: KubeObject) => boolean;

/** What one scenario does to a fleet fixture and expects of it. Remembers what it applied, and removes it in the end. */
export class ScenarioContext {
  readonly fixture: FleetFixture;
  readonly #put = new Map<string, { readonly cluster: Cluster; readonly ref: ObjectRef }>();

  constructor(fixture: FleetFixture) {
    this.fixture = fixture;
  }

  get hub(): Cluster {
    return this.fixture.hub;
  }

  get one(): Cluster {
    return this.fixture.managed[0];
  }

  get two(): Cluster {
    return this.fixture.managed[1];
  }

  /** Applies objects as kubectl does. */
  async apply(cluster: Cluster, ...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      this.#put.set(this.#keyOf(cluster, refOf(object)), { cluster, ref: refOf(object) });
      await applyManifests(this.fixture, cluster, [object]);
    }
  }

  /** Deletes an object if it exists, and waits until it is gone. */
  async delete(cluster: Cluster, ref: ObjectRef): Promise<void> {
    this.#put.delete(this.#keyOf(cluster, ref));
    await this.#delete(cluster, ref);
    await this.#gone(cluster, ref);
  }

  async #delete(cluster: Cluster, ref: ObjectRef): Promise<void> {
    await this.fixture.until(cluster.delete(ref)).catch((error: unknown) => assert.ok(isNotFound(error), String(error)));
  }

  async #gone(cluster: Cluster, ref: ObjectRef): Promise<void> {
    // A real cluster takes seconds to delete a namespace, so nothing waits for that.
    if (ref.kind !== "Namespace") await eventuallyGone(this.fixture, cluster, ref);
  }

  async patch(cluster: Cluster, ref: ObjectRef, patch: object, subresource?: "status"): Promise<void> {
    await this.fixture.until(cluster.patch(ref, { type: "merge", patch }, subresource === undefined ? {} : { subresource }));
  }

  /** Changes the labels of the second cluster; null removes one. */
  async relabelSecond(labels: Readonly<Record<string, string | null>>): Promise<void> {
    const [, { namespace, name }] = this.fixture.ids;
    await this.patch(this.hub, sveltosRef("SveltosCluster", name, namespace), { metadata: { labels } });
  }

  find(cluster: Cluster, ref: ObjectRef): Promise<KubeObject | undefined> {
    return this.fixture.until(cluster.find(ref));
  }

  async list(cluster: Cluster, kind: KindName): Promise<readonly KubeObject[]> {
    return (await this.fixture.until(cluster.list(gvkOf(kind)))).items;
  }

  /** Waits until an object exists and `holds`. */
  async eventually(cluster: Cluster, ref: ObjectRef, holds?: Holds): Promise<KubeObject> {
    try {
      return await eventually(this.fixture, cluster, ref, holds);
    } catch (error) {
      const { metadata, ...rest }: Partial<KubeObject> = (await this.find(cluster, ref).catch(() => undefined)) ?? {};
      throw new Error(`${ref.kind} ${ref.name} is not as expected: ${metadata === undefined ? "gone" : JSON.stringify(rest)}`, {
        cause: error,
      });
    }
  }

  eventuallyGone(cluster: Cluster, ref: ObjectRef): Promise<void> {
    return eventuallyGone(this.fixture, cluster, ref);
  }

  /** Waits until ConfigMaps of a cluster, by default the first, have these values. */
  async eventuallyData(expected: Readonly<Record<string, string | undefined>>, cluster = this.one): Promise<void> {
    for (const [name, v] of Object.entries(expected)) {
      if (v === undefined) await this.eventuallyGone(cluster, configMapRef(name));
      else await this.eventually(cluster, configMapRef(name), (object) => fieldsAt(object, "data")["v"] === v);
    }
  }

  /** The value of a ConfigMap now. */
  async dataOf(name: string, cluster = this.one): Promise<unknown> {
    const found = await this.find(cluster, configMapRef(name));
    return found === undefined ? undefined : fieldsAt(found, "data")["v"];
  }

  /** Waits until the status of a Sveltos object matches, and returns it as text. */
  async eventuallyStatus(ref: ObjectRef, pattern: RegExp): Promise<string> {
    return statusText(await this.eventually(this.hub, ref, (object) => pattern.test(statusText(object))));
  }

  /** Waits until an EventSource reports so many matches in the first cluster, and failures of these objects. */
  async eventuallyMatches(source: string, matching: number, failing: readonly string[] = []): Promise<void> {
    await this.eventually(this.hub, sveltosRef("EventSource", source), (object) => {
      const info = listAt(object, "status.clusterInfo").find((each) => stringAt(each, "cluster.name") === this.fixture.ids[0].name);
      const names = listAt(info, "failures").map((failure) => stringAt(failure, "resource.name", "*"));
      return numberAt(info, "matchingResources") === matching && names.toSorted().join() === failing.toSorted().join();
    });
  }

  /** Waits for a Warning Event about an object whose message matches. */
  async eventuallyEvent(kind: KindName, name: string, pattern: RegExp): Promise<void> {
    const events = { group: "", version: "v1", kind: "Event" };
    for (let turn = 0; turn < 100; turn++) {
      const { items } = await this.fixture.until(this.hub.list(events, { fieldSelector: `involvedObject.name=${name}` }));
      const warnings = items.filter((event) => stringAt(event, "involvedObject.kind") === kind && stringAt(event, "type") === "Warning");
      if (warnings.some((event) => pattern.test(stringAt(event, "message", "")))) return;
      await this.fixture.pause();
    }
    assert.fail(`no Event about ${kind} ${name} says ${String(pattern)}`);
  }

  /** Deletes what was applied, the last first, and asserts that nothing is left in any cluster. */
  async cleanUp(): Promise<void> {
    const put = [...this.#put.values()].toReversed();
    for (const { cluster, ref } of put) await this.#delete(cluster, ref);
    for (const { cluster, ref } of put) await this.#gone(cluster, ref);
    for (const kind of ["ClusterSummary", "ClusterProfile", "EventReport"] as const) await this.#assertNone(this.hub, gvkOf(kind));
    for (const cluster of this.fixture.managed) {
      await this.#assertNone(cluster, { group: "", version: "v1", kind: "ConfigMap" }, "projectsveltos.io/reference-name");
    }
  }

  async #assertNone(cluster: Cluster, kind: { group: string; version: string; kind: string }, labelSelector?: string): Promise<void> {
    const selection = labelSelector === undefined ? {} : { labelSelector };
    let left: readonly string[] = [];
    for (let turn = 0; turn < 100; turn++) {
      const { items } = await this.fixture.until(cluster.list(kind, selection));
      left = items.map(({ metadata }) => metadata.name);
      if (left.length === 0) return;
      await this.fixture.pause();
    }
    assert.deepEqual(left, [], `${kind.kind}s that should be gone`);
  }

  #keyOf(cluster: Cluster, ref: ObjectRef): string {
    return `${[this.hub, this.one, this.two].indexOf(cluster)} ${keyOf(ref)}`;
  }
}

function statusText({ status = {} }: KubeObject): string {
  return JSON.stringify(status);
}

/** A scenario that cleans up after itself. */
export function fleetScenario(name: string, run: (context: ScenarioContext) => Promise<void>): FleetScenario {
  return {
    name,
    async run(fixture) {
      const context = new ScenarioContext(fixture);
      const failure = await run(context).catch((error: unknown) => ({ error }));
      // A failed scenario must not disturb the next ones.
      if (failure !== undefined) await context.cleanUp().catch(() => undefined);
      if (failure !== undefined) throw failure.error;
      await context.cleanUp();
    },
  };
}

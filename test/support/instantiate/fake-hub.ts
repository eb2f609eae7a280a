import assert from "node:assert/strict";
import { readCluster, readEventTrigger, type EventTrigger, type ManagedCluster } from "../../../src/sveltos/api/index.ts";
import { isKubeObject, keyOf, listAt, mapAt, refOf, valueAt, type KubeObject } from "../../../src/core/object/index.ts";
import { readManifests, readYaml } from "../../../src/lang/yaml/index.ts";
import type { Match } from "../../../src/sveltos/evaluate/index.ts";
import {
  EventTemplates,
  instantiate,
  type DesiredChange,
  type InstantiationCache,
  type InstantiateInput,
  type InstantiateEnvironment,
  type Instantiation,
  type HubReference,
} from "../../../src/sveltos/instantiate/index.ts";

/** An object from YAML. */
export function objectFrom(yaml: string): KubeObject {
  const object = readYaml(yaml, "yaml");
  assert.ok(isKubeObject(object));
  return object;
}

/** A trigger `t` of API generation C for EventSource `es`, from the YAML of the rest of its spec. */
export function triggerOf(spec: string): EventTrigger {
  return triggerFrom(`
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventTrigger
metadata: {name: t}
spec:
  eventSourceName: es
  sourceClusterSelector: {matchLabels: {env: fv}}
${spec.replaceAll(/^/gm, "  ")}`);
}

export function triggerFrom(yaml: string): EventTrigger {
  const reading = readEventTrigger(objectFrom(yaml));
  assert.ok(reading.state === "read" && reading.refused.length === 0, JSON.stringify(reading));
  return reading.value;
}

export const sourceCluster: ManagedCluster = clusterFrom(`
apiVersion: lib.projectsveltos.io/v1beta1
kind: SveltosCluster
metadata: {name: c1, namespace: mgmt, labels: {env: fv}}
status: {ready: true}`);

export function clusterFrom(yaml: string): ManagedCluster {
  const reading = readCluster(objectFrom(yaml));
  assert.ok(reading.state === "read");
  return reading.value;
}

/** A ConfigMap `default/NAME` with one key. By default its annotation instantiates it with the event. */
export function templateConfigMap(
  name: string,
  text: string,
  annotations: Readonly<Record<string, string>> = { "projectsveltos.io/instantiate": "ok" },
): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", annotations }, data: { text } };
}

/** A match with its object, as in a report that collects resources. */
export function collectedMatch(object: KubeObject): Match {
  return { ref: refOf(object), object, message: "" };
}

/** Matches of Services without their objects: `eng/web eng/api`. */
export function serviceMatches(names: string): readonly Match[] {
  return names
    .split(" ")
    .filter((place) => place !== "")
    .map((place) => {
      const [namespace = "", name = ""] = place.split("/");
      return { ref: { group: "", version: "v1", kind: "Service", namespace, name }, message: "" };
    });
}

/** Seeded randomness and a fixed clock. */
export function testEnvironment(seed = 1) {
  let state = seed;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const randomBytes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
  return { templates: new EventTemplates({ now: () => Date.parse("2026-01-01T00:00:00Z"), randomBytes }), random };
}

/** A management cluster in memory: `run` instantiates a trigger and applies the changes. */
export class FakeHub {
  objects: readonly KubeObject[];
  readonly #environment: InstantiateEnvironment;

  constructor(objects: readonly KubeObject[] = [], cache?: InstantiationCache) {
    this.objects = objects;
    this.#environment = { ...testEnvironment(), ...(cache !== undefined && { cache }) };
  }

  plan(trigger: EventTrigger, matches: readonly Match[] | undefined, options: Partial<InstantiateInput> = {}): Instantiation {
    const report = matches === undefined ? undefined : { eventSource: trigger.eventSourceName, matches };
    const find = (reference: HubReference) => this.find(reference);
    return instantiate({ trigger, cluster: sourceCluster, report, existing: this.objects, find, ...options }, this.#environment);
  }

  run(trigger: EventTrigger, matches: readonly Match[] | undefined, options: Partial<InstantiateInput> = {}): Instantiation {
    const planned = this.plan(trigger, matches, options);
    this.apply(planned.changes);
    return planned;
  }

  apply(changes: readonly DesiredChange[]): void {
    const next = new Map(this.objects.map((object) => [keyOf(refOf(object)), object]));
    for (const change of changes) {
      if (change.verb === "delete") next.delete(keyOf(change.ref));
      else next.set(keyOf(refOf(change.object)), change.object);
    }
    this.objects = [...next.values()];
  }

  find({ kind, namespace, name }: HubReference): KubeObject | undefined {
    return this.objects.find((one) => one.kind === kind && (one.metadata.namespace ?? "") === namespace && one.metadata.name === name);
  }

  /** The objects that a trigger has generated. */
  get generated(): readonly KubeObject[] {
    return this.objects.filter(({ metadata }) => metadata.labels?.["eventtrigger.lib.projectsveltos.io/eventtriggername"] !== undefined);
  }

  get profiles(): readonly KubeObject[] {
    return this.objects.filter(({ kind }) => kind === "ClusterProfile");
  }

  /** The texts of the generated ConfigMaps, sorted. */
  get texts(): readonly string[] {
    return this.generated.flatMap((object) => (object.kind === "ConfigMap" ? [String(valueAt(object, "data.text"))] : [])).toSorted();
  }

  /** The manifests in a key of the ConfigMap that a profile references. */
  manifests(profile: KubeObject, key: string): readonly KubeObject[] {
    const [ref] = listAt(profile, "spec.policyRefs");
    const content = this.objects.find(({ metadata }) => metadata.name === ref?.["name"] && metadata.namespace === ref["namespace"]);
    return readManifests(mapAt(content, "data")[key] ?? "", key).manifests.map(({ object }) => object);
  }
}

/** Changes in one line: `create ConfigMap, delete ClusterProfile`. */
export function verbsOf({ changes }: Pick<Instantiation, "changes">): string {
  return changes.map((change) => `${change.verb} ${change.verb === "delete" ? change.ref.kind : change.object.kind}`).join(", ");
}

import { fieldsAt, keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import type { DemoEvent } from "./demo-event.ts";
import { isWorkload } from "./watch-fleet-events.ts";

/** A workload that is not healthy yet in a cluster, and why. */
export type PendingWorkload = { readonly cluster: string; readonly ref: ObjectRef; readonly because: string };

/** The workloads among the manifests in ConfigMaps. */
export function workloadsInConfigMaps(manifests: readonly KubeObject[]): readonly ObjectRef[] {
  const texts = manifests
    .filter(({ kind }) => kind === "ConfigMap")
    .flatMap((map) => Object.entries(fieldsAt(map, "data")).flatMap(([name, text]) => (typeof text === "string" ? [{ name, text }] : [])));
  return texts.flatMap(({ name, text }) => readManifests(text, name).manifests.map(({ object }) => refOf(object))).filter(isWorkload);
}

/** Tracks which workloads are not yet deployed and healthy in each of the clusters. */
export class PendingWorkloads {
  readonly #workloads: ReadonlyMap<string, { readonly cluster: string; readonly ref: ObjectRef }>;
  readonly #deployed = new Set<string>();
  /** Why a workload is not healthy. Healthy workloads have no entry. */
  readonly #because = new Map<string, string>();

  constructor(clusters: readonly string[], workloads: readonly ObjectRef[]) {
    const all = clusters.flatMap((cluster) => workloads.map((ref) => ({ cluster, ref })));
    this.#workloads = new Map(all.map((each) => [workloadKey(each.cluster, each.ref), each]));
    for (const key of this.#workloads.keys()) this.#because.set(key, "nobody has seen it yet");
  }

  observe(event: DemoEvent): void {
    const { cluster, type } = event;
    if (type === "deployed") for (const ref of event.refs) this.#deployed.add(workloadKey(cluster, ref));
    if (type === "ready") this.#because.delete(workloadKey(cluster, event.ref));
    if (type === "waiting" || type === "failed") this.#because.set(workloadKey(cluster, event.ref), event.because);
  }

  get pending(): readonly PendingWorkload[] {
    return [...this.#workloads].flatMap(([key, each]) => {
      const because = this.#deployed.has(key) ? this.#because.get(key) : "not deployed yet";
      return because === undefined ? [] : [{ ...each, because }];
    });
  }

  /** The pending workloads that are deployed already. */
  get deployed(): readonly PendingWorkload[] {
    return this.pending.filter(({ cluster, ref }) => this.#deployed.has(workloadKey(cluster, ref)));
  }
}

function workloadKey(cluster: string, ref: ObjectRef): string {
  return `${cluster} ${keyOf(ref)}`;
}

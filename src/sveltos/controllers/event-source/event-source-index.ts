import { eventSourceFor } from "../../instantiate/index.ts";
import { gvkOf, failureMessageOf, readEventTrigger, type EventTrigger, type ReadResult } from "../../api/index.ts";
import { clusterKey, matchingClusters, selectedClustersOf, type Fleet, type FleetCluster } from "../../fleet/index.ts";
import { equal, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext, SharedCache } from "../context/index.ts";
import { EventSourceNames } from "./event-source-names.ts";
import type { EventSourceKey } from "./event-source-key.ts";

/** A trigger and the EventSource that it uses in a cluster. */
export type EventSourceUse = { readonly trigger: Pick<EventTrigger, "metadata" | "kind">; readonly eventSource: string };

/** What a trigger needs in a cluster: an EventSource, or that the reports on one (undefined: on any) are retained as they are. */
type TriggerEntry = { readonly use: EventSourceUse } | { readonly retained: string | undefined };

type KnownTrigger = { readonly reading: ReadResult<EventTrigger>; readonly object: KubeObject };

/** The kinds that use EventSources. */
export const triggerKindNames = ["EventTrigger", "EventBasedAddOn"] as const;

/**
 * Indexes by cluster the EventSources that triggers use there. It is updated by one trigger, set or cluster at a time, so
 * that a change does not cost all triggers times all clusters.
 */
export class EventSourceIndex {
  readonly #fleet: Fleet;
  readonly #cache: SharedCache;
  readonly #names: EventSourceNames;
  readonly #triggers = new Map<string, KnownTrigger>();
  /** By cluster, by trigger. */
  readonly #entries = new Map<string, Map<string, TriggerEntry>>();

  /** `onChange` is called with a cluster whose entries have changed because a name is known now. */
  constructor(context: ControllerContext, onChange: (key: EventSourceKey) => void, signal: AbortSignal) {
    this.#fleet = context.fleet;
    this.#cache = context.cache;
    const onRendered = (trigger: string) => {
      for (const cluster of this.#fleet.clusters()) if (this.#update(trigger, cluster)) onChange({ cluster: cluster.key });
    };
    this.#names = new EventSourceNames(context, onRendered, signal);
  }

  /** The EventSources that triggers use in a cluster, and whether reports on an unused one are retained. */
  inCluster(key: string): { readonly uses: readonly EventSourceUse[]; readonly isRetained: (eventSource: string) => boolean } {
    const entries = [...(this.#entries.get(key)?.values() ?? [])];
    const retained = entries.flatMap((entry) => ("retained" in entry ? [entry.retained] : []));
    return {
      uses: entries.flatMap((entry) => ("use" in entry ? [entry.use] : [])),
      isRetained: (eventSource) => retained.some((name) => name === undefined || name === eventSource),
    };
  }

  /** The clusters in which an EventSource is used. */
  *clustersUsing(eventSource: string): Iterable<EventSourceKey> {
    for (const [cluster, entries] of this.#entries) {
      for (const entry of entries.values()) {
        if (!("use" in entry) || entry.use.eventSource !== eventSource) continue;
        yield { cluster };
        break;
      }
    }
  }

  /** Updates the entries of a trigger. Gives the clusters in which they have changed. */
  updateTrigger({ kind, metadata: { name } }: KubeObject): readonly EventSourceKey[] {
    const key = `${kind}/${name}`;
    const object = this.#cache.find(gvkOf(kind === "EventTrigger" ? "EventTrigger" : "EventBasedAddOn"), "", name);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) {
      this.#triggers.delete(key);
      this.#names.forget(key);
    } else this.#triggers.set(key, { reading: readEventTrigger(object), object });
    return this.#fleet.clusters().flatMap((cluster) => (this.#update(key, cluster) ? [{ cluster: cluster.key }] : []));
  }

  /** As `updateTrigger`, for all triggers that use a ClusterSet. */
  updateClusterSet(name: string): readonly EventSourceKey[] {
    const users = [...this.#triggers].filter(([, { reading }]) => setsOf(reading).includes(name));
    return this.#fleet
      .clusters()
      .flatMap((cluster) => (users.map(([key]) => this.#update(key, cluster)).includes(true) ? [{ cluster: cluster.key }] : []));
  }

  /** Updates the entries of all triggers for a cluster. */
  updateCluster(key: string): void {
    const cluster = this.#fleet.find(key);
    if (cluster === undefined) this.#entries.delete(key);
    else for (const trigger of this.#triggers.keys()) this.#update(trigger, cluster);
  }

  #update(trigger: string, cluster: FleetCluster): boolean {
    const entries = this.#entries.get(cluster.key) ?? new Map<string, TriggerEntry>();
    this.#entries.set(cluster.key, entries);
    const known = this.#triggers.get(trigger);
    const entry = known === undefined ? undefined : this.#entryOf(trigger, known, cluster);
    if (equal(entry, entries.get(trigger))) return false;
    if (entry === undefined) entries.delete(trigger);
    else entries.set(trigger, entry);
    return true;
  }

  #entryOf(triggerKey: string, { reading, object }: KnownTrigger, { key, managed }: FleetCluster): TriggerEntry | undefined {
    // An invalid trigger changes nothing: which EventSource it uses, and where, is unknown.
    if (reading.state === "invalid" || failureMessageOf(reading) !== undefined) return { retained: plainName(object) };
    const trigger = reading.value;
    const ofSets = trigger.clusterSetRefs.flatMap((name) => selectedClustersOf(this.#cache.find(gvkOf("ClusterSet"), "", name)));
    // Readiness does not count here: a cluster that is not ready keeps its reports.
    const matching = matchingClusters({ selector: trigger.sourceClusterSelector, ofSets }, [{ ...managed, ready: true }]);
    const isMatching = matching.some((id) => clusterKey(id) === key);
    // A ClusterSet deselects a cluster that is down, and its reports are retained.
    if (!isMatching)
      return trigger.clusterSetRefs.length > 0 && (managed.down || !managed.ready) ? { retained: plainName(object) } : undefined;
    const found = eventSourceFor(trigger, managed, this.#names.templatesOf(triggerKey, object));
    // Until the name is known, all stays as it is.
    if ("isPending" in found) {
      this.#names.renderPending(triggerKey);
      return this.#entries.get(key)?.get(triggerKey) ?? { retained: undefined };
    }
    if ("problem" in found) return { retained: undefined };
    return { use: { trigger: { kind: trigger.kind, metadata: { name: trigger.metadata.name } }, eventSource: found.name } };
  }
}

function setsOf(reading: ReadResult<EventTrigger>): readonly string[] {
  return reading.state === "read" ? reading.value.clusterSetRefs : [];
}

/** The name of its EventSource; undefined when it is a template or missing. */
function plainName(trigger: KubeObject): string | undefined {
  const name = stringAt(trigger, "spec.eventSourceName");
  return name === undefined || name.includes("{{") ? undefined : name;
}

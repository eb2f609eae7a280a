import { EventTemplates, eventSourceFor } from "../../instantiate/index.ts";
import { gvkOf, failureMessageOf, readEventTrigger, type EventTrigger, type ReadResult } from "../../api/index.ts";
import { clusterKey, matchingClusters, selectedClustersOf, type Fleet, type FleetCluster } from "../../fleet/index.ts";
import { equal, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { Environment } from "../../../lang/sprig/index.ts";
import type { SharedCache } from "../context/index.ts";

/** A trigger and the EventSource that it means in a cluster. */
export type EventSourceUse = { readonly trigger: Pick<EventTrigger, "metadata" | "kind">; readonly eventSource: string };

/** What a trigger has to say of a cluster. `held`: it wants nothing now, and what there is of this EventSource, or of any, stays. */
type TriggerEntry = { readonly want: EventSourceUse } | { readonly held: string | undefined };

type KnownTrigger = { readonly reading: ReadResult<EventTrigger>; readonly object: KubeObject };

/** The kinds that want EventSources evaluated. */
export const triggerKindNames = ["EventTrigger", "EventBasedAddOn"] as const;

/**
 * Which EventSources matter in which cluster: those that triggers mean there. Kept up one trigger, set or cluster at a time,
 * so that a change costs what it concerns and not the fleet times all triggers.
 */
export class EventSourceIndex {
  readonly #fleet: Fleet;
  readonly #copies: SharedCache;
  readonly #templates: EventTemplates;
  readonly #triggers = new Map<string, KnownTrigger>();
  /** By cluster, by trigger. */
  readonly #words = new Map<string, Map<string, TriggerEntry>>();

  constructor(context: { readonly fleet: Fleet; readonly cache: SharedCache; readonly environment: Environment }) {
    this.#fleet = context.fleet;
    this.#copies = context.cache;
    this.#templates = new EventTemplates(context.environment);
  }

  /** What triggers want of a cluster, and whether reports on an EventSource have to stay though nothing wants them. */
  inCluster(key: string): { readonly wants: readonly EventSourceUse[]; readonly isHeld: (eventSource: string) => boolean } {
    const words = [...(this.#words.get(key)?.values() ?? [])];
    const held = words.flatMap((word) => ("held" in word ? [word.held] : []));
    return {
      wants: words.flatMap((word) => ("want" in word ? [word.want] : [])),
      isHeld: (eventSource) => held.some((name) => name === undefined || name === eventSource),
    };
  }

  /** The clusters in which an EventSource is wanted. */
  *clustersUsing(eventSource: string): Iterable<string> {
    for (const [key, words] of this.#words) {
      for (const word of words.values()) {
        if (!("want" in word) || word.want.eventSource !== eventSource) continue;
        yield key;
        break;
      }
    }
  }

  /** Takes in a trigger as it is now; answers the clusters for which that makes a difference. */
  updateTrigger({ kind, metadata: { name } }: KubeObject): readonly string[] {
    const key = `${kind}/${name}`;
    const object = this.#copies.find(gvkOf(kind === "EventTrigger" ? "EventTrigger" : "EventBasedAddOn"), "", name);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) this.#triggers.delete(key);
    else this.#triggers.set(key, { reading: readEventTrigger(object), object });
    return this.#fleet.clusters().flatMap((cluster) => (this.#note(key, cluster) ? [cluster.key] : []));
  }

  /** As `takeTrigger`, for all that name a ClusterSet. */
  updateClusterSet(name: string): readonly string[] {
    const users = [...this.#triggers].filter(([, { reading }]) => setsOf(reading).includes(name));
    return this.#fleet
      .clusters()
      .flatMap((cluster) => (users.map(([key]) => this.#note(key, cluster)).includes(true) ? [cluster.key] : []));
  }

  /** Takes in a cluster as it is now. */
  updateCluster(key: string): void {
    const cluster = this.#fleet.find(key);
    if (cluster === undefined) this.#words.delete(key);
    else for (const trigger of this.#triggers.keys()) this.#note(trigger, cluster);
  }

  #note(trigger: string, cluster: FleetCluster): boolean {
    const words = this.#words.get(cluster.key) ?? new Map<string, TriggerEntry>();
    this.#words.set(cluster.key, words);
    const known = this.#triggers.get(trigger);
    const word = known === undefined ? undefined : this.#wordOf(known, cluster);
    if (equal(word, words.get(trigger))) return false;
    if (word === undefined) words.delete(trigger);
    else words.set(trigger, word);
    return true;
  }

  #wordOf({ reading, object }: KnownTrigger, { key, managed }: FleetCluster): TriggerEntry | undefined {
    // Nothing is done for it, and nothing undone: what it means, or where, cannot be told.
    if (reading.state === "invalid" || failureMessageOf(reading) !== undefined) return { held: plainName(object) };
    const trigger = reading.value;
    const ofSets = trigger.clusterSetRefs.flatMap((name) => selectedClustersOf(this.#copies.find(gvkOf("ClusterSet"), "", name)));
    // A cluster that is not ready has lost nothing by that: its labels are what counts.
    const matching = matchingClusters({ selector: trigger.sourceClusterSelector, ofSets }, [{ ...managed, ready: true }]);
    const isMeant = matching.some((id) => clusterKey(id) === key);
    // A set lets go of a cluster that is down; that is no reason to forget what is known of it.
    if (!isMeant) return trigger.clusterSetRefs.length > 0 && (managed.down || !managed.ready) ? { held: plainName(object) } : undefined;
    const found = eventSourceFor(trigger, managed, this.#templates);
    if ("problem" in found) return { held: undefined };
    return { want: { trigger: { kind: trigger.kind, metadata: { name: trigger.metadata.name } }, eventSource: found.name } };
  }
}

function setsOf(reading: ReadResult<EventTrigger>): readonly string[] {
  return reading.state === "read" ? reading.value.clusterSetRefs : [];
}

/** The EventSource that it names; undefined where that depends on the cluster, or is missing. */
function plainName(trigger: KubeObject): string | undefined {
  const name = stringAt(trigger, "spec.eventSourceName");
  return name === undefined || name.includes("{{") ? undefined : name;
}

import { EventTemplates, eventSourceFor } from "../../instantiate/index.ts";
import { gvkOf, objectionTo, readEventTrigger, type EventTrigger, type Reading } from "../../api/index.ts";
import { clusterKey, matchingClusters, selectedBy, type Fleet, type FleetCluster } from "../../fleet/index.ts";
import { equal, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { Surroundings } from "../../../lang/sprig/index.ts";
import type { Copies } from "../context/index.ts";

/** A trigger and the EventSource that it means in a cluster. */
export type Want = { readonly trigger: Pick<EventTrigger, "metadata" | "kind">; readonly eventSource: string };

/** What a trigger has to say of a cluster. `held`: it wants nothing now, and what there is of this EventSource, or of any, stays. */
type Word = { readonly want: Want } | { readonly held: string | undefined };

type Known = { readonly reading: Reading<EventTrigger>; readonly object: KubeObject };

/** The kinds that want EventSources evaluated. */
export const triggerKinds = ["EventTrigger", "EventBasedAddOn"] as const;

/**
 * Which EventSources matter in which cluster: those that triggers mean there. Kept up one trigger, set or cluster at a time,
 * so that a change costs what it concerns and not the fleet times all triggers.
 */
export class Demand {
  readonly #fleet: Fleet;
  readonly #copies: Copies;
  readonly #templates: EventTemplates;
  readonly #triggers = new Map<string, Known>();
  /** By cluster, by trigger. */
  readonly #words = new Map<string, Map<string, Word>>();

  constructor(desk: { readonly fleet: Fleet; readonly copies: Copies; readonly surroundings: Surroundings }) {
    this.#fleet = desk.fleet;
    this.#copies = desk.copies;
    this.#templates = new EventTemplates(desk.surroundings);
  }

  /** What triggers want of a cluster, and whether reports on an EventSource have to stay though nothing wants them. */
  of(key: string): { readonly wants: readonly Want[]; readonly isHeld: (eventSource: string) => boolean } {
    const words = [...(this.#words.get(key)?.values() ?? [])];
    const held = words.flatMap((word) => ("held" in word ? [word.held] : []));
    return {
      wants: words.flatMap((word) => ("want" in word ? [word.want] : [])),
      isHeld: (eventSource) => held.some((name) => name === undefined || name === eventSource),
    };
  }

  /** The clusters in which an EventSource is wanted. */
  *wanting(eventSource: string): Iterable<string> {
    for (const [key, words] of this.#words) {
      for (const word of words.values()) {
        if (!("want" in word) || word.want.eventSource !== eventSource) continue;
        yield key;
        break;
      }
    }
  }

  /** Takes in a trigger as it is now; answers the clusters for which that makes a difference. */
  takeTrigger({ kind, metadata: { name } }: KubeObject): readonly string[] {
    const key = `${kind}/${name}`;
    const object = this.#copies.find(gvkOf(kind === "EventTrigger" ? "EventTrigger" : "EventBasedAddOn"), "", name);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) this.#triggers.delete(key);
    else this.#triggers.set(key, { reading: readEventTrigger(object), object });
    return this.#fleet.clusters().flatMap((cluster) => (this.#note(key, cluster) ? [cluster.key] : []));
  }

  /** As `takeTrigger`, for all that name a ClusterSet. */
  takeSet(name: string): readonly string[] {
    const users = [...this.#triggers].filter(([, { reading }]) => setsOf(reading).includes(name));
    return this.#fleet
      .clusters()
      .flatMap((cluster) => (users.map(([key]) => this.#note(key, cluster)).includes(true) ? [cluster.key] : []));
  }

  /** Takes in a cluster as it is now. */
  takeCluster(key: string): void {
    const cluster = this.#fleet.find(key);
    if (cluster === undefined) this.#words.delete(key);
    else for (const trigger of this.#triggers.keys()) this.#note(trigger, cluster);
  }

  #note(trigger: string, cluster: FleetCluster): boolean {
    const words = this.#words.get(cluster.key) ?? new Map<string, Word>();
    this.#words.set(cluster.key, words);
    const known = this.#triggers.get(trigger);
    const word = known === undefined ? undefined : this.#wordOf(known, cluster);
    if (equal(word, words.get(trigger))) return false;
    if (word === undefined) words.delete(trigger);
    else words.set(trigger, word);
    return true;
  }

  #wordOf({ reading, object }: Known, { key, managed }: FleetCluster): Word | undefined {
    // Nothing is done for it, and nothing undone: what it means, or where, cannot be told.
    if (reading.state === "invalid" || objectionTo(reading) !== undefined) return { held: plainName(object) };
    const trigger = reading.value;
    const ofSets = trigger.clusterSetRefs.flatMap((name) => selectedBy(this.#copies.find(gvkOf("ClusterSet"), "", name)));
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

function setsOf(reading: Reading<EventTrigger>): readonly string[] {
  return reading.state === "read" ? reading.value.clusterSetRefs : [];
}

/** The EventSource that it names; undefined where that depends on the cluster, or is missing. */
function plainName(trigger: KubeObject): string | undefined {
  const name = stringAt(trigger, "spec.eventSourceName");
  return name === undefined || name.includes("{{") ? undefined : name;
}

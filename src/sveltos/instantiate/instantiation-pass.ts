import type { Problem } from "../../core/fault/index.ts";
import { keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Match } from "../evaluate/index.ts";
import { diffGenerated, type DesiredChange } from "./diff-generated.ts";
import type { EventKeys, EventOutcome } from "./event-tracker.ts";
import type { EventProblem, InstantiateEnvironment, InstantiateInput, Instantiation } from "./instantiate.ts";
import { instantiateOccurrence, type OccurrenceResult } from "./instantiate-occurrence.ts";
import type { InstantiationCache } from "./instantiation-cache.ts";
import { GeneratedNames } from "./generated-names.ts";
import { eventKey, eventKeysFor, profileLabels } from "./generated-labels.ts";
import { occurrencesOf, type Occurrence } from "./occurrence.ts";
import type { HubReference, InstantiationContext } from "./occurrence-builder.ts";

/** The references that were looked up, by the key of their object. */
type References = Map<string, HubReference>;

/** Instantiates some or all events of a trigger in a cluster, once. */
export class InstantiationPass {
  readonly #input: InstantiateInput;
  readonly #eventSource: string;
  readonly #environment: InstantiateEnvironment & { readonly cache: InstantiationCache };
  readonly #keys: EventKeys;
  /** By event; all under one key when one profile is generated for all. */
  readonly #references = new Map<string, References>();
  readonly #profiles = new Map<string, string[]>();
  readonly #unsettled = new Set<string>();
  #isPending = false;

  constructor(input: InstantiateInput, eventSource: string, environment: InstantiateEnvironment & { readonly cache: InstantiationCache }) {
    this.#input = input;
    this.#eventSource = eventSource;
    this.#environment = environment;
    this.#keys = eventKeysFor(input.trigger.metadata.name, input.cluster);
  }

  /** `existing`: all that was generated for these matches, or for matches that are gone. */
  run(matches: readonly Match[], existing: readonly KubeObject[]): Instantiation {
    const { trigger, cluster } = this.#input;
    const context = this.#contextFor(existing);
    const occurrences = occurrencesOf(trigger, cluster, this.#eventSource, matches);
    const { desired, problems, failed } = this.#instantiateAll(occurrences, context, existing);
    const isRetained = isRetainedFor(failed);
    const diff = diffGenerated(desired, existing, isRetained);
    const profiles = new Map(
      [...desired, ...existing.filter(isRetained)].filter(isProfile).map((object) => [object.metadata.name, object]),
    );
    for (const [name, object] of profiles) append(this.#profiles, this.#keys.ofObject(object) ?? "", name);
    this.#markUnsettled(diff, problems, existing);
    const references = new Map([...this.#references.values()].flatMap((some) => [...some]));
    return {
      ...diff,
      problems,
      references: [...references.values()],
      profiles: [...profiles.keys()].toSorted(),
      isPending: this.#isPending,
    };
  }

  outcomeOf(event: string): EventOutcome {
    return {
      references: this.#references.get(event) ?? new Map<string, HubReference>(),
      profiles: this.#profiles.get(event) ?? [],
      isSettled: !this.#unsettled.has(event),
    };
  }

  #contextFor(existing: readonly KubeObject[]): InstantiationContext {
    const { trigger, cluster, find } = this.#input;
    const { templates, random } = this.#environment;
    const ownKeys = new Set(existing.map((object) => keyOf(refOf(object))));
    const isOurs = (object: KubeObject) => ownKeys.has(keyOf(refOf(object)));
    return { trigger, cluster, templates, names: new GeneratedNames(existing, random), isOurs, find };
  }

  #instantiateAll(occurrences: readonly Occurrence[], context: InstantiationContext, existing: readonly KubeObject[]) {
    const desired = new Map<string, KubeObject>();
    const problems: EventProblem[] = [];
    const failed: Occurrence[] = [];
    for (const occurrence of occurrences) {
      const result = this.#instantiate(occurrence, context, existing);
      if (result.state === "pending") {
        // What exists stays as it is until the next pass.
        failed.push(occurrence);
        this.#markPending(occurrence);
        continue;
      }
      const occurrenceProblems =
        result.state === "failed" ? result.problems : result.objects.flatMap((object) => nameConflicts(object, desired));
      if (result.state === "instantiated" && occurrenceProblems.length === 0)
        for (const object of result.objects) desired.set(keyOf(refOf(object)), object);
      if (occurrenceProblems.length > 0) failed.push(occurrence);
      problems.push(
        ...occurrenceProblems.map((problem) => ({ ...problem, ...(occurrence.match !== undefined && { match: occurrence.match }) })),
      );
    }
    return { desired: [...desired.values()], problems, failed };
  }

  #instantiate(occurrence: Occurrence, context: InstantiationContext, existing: readonly KubeObject[]): OccurrenceResult {
    const event = occurrence.match === undefined ? "" : this.#keys.ofMatch(occurrence.match);
    const { cache } = this.#environment;
    const lookedUp: References = this.#references.get(event) ?? new Map();
    this.#references.set(event, lookedUp);
    const found: [HubReference, KubeObject | undefined][] = [];
    const find: InstantiationContext["find"] = (reference) => {
      const object = context.find(reference);
      lookedUp.set(`${reference.kind} ${reference.namespace}/${reference.name}`, reference);
      found.push([reference, object]);
      return object;
    };
    const leftOut = leftOutOf(occurrence);
    const known = leftOut ?? cache.get(event, occurrence, { ...context, find });
    if (known !== undefined) return known;
    found.length = 0;
    const result = instantiateOccurrence({ ...context, find }, occurrence, existing);
    cache.set(event, result, { context, occurrence, found });
    return result;
  }

  #markPending({ match }: Occurrence): void {
    this.#isPending = true;
    this.#unsettled.add(match === undefined ? "" : this.#keys.ofMatch(match));
  }

  /** An event is settled when nothing is to be done for it. */
  #markUnsettled(
    { changes, waiting }: { readonly changes: readonly DesiredChange[]; readonly waiting: readonly ObjectRef[] },
    problems: readonly EventProblem[],
    existing: readonly KubeObject[],
  ): void {
    const pruned = new Set(waiting.map(keyOf));
    for (const change of changes) {
      if (change.verb === "delete") pruned.add(keyOf(change.ref));
      else this.#unsettled.add(this.#keys.ofObject(change.object) ?? "");
    }
    for (const object of existing)
      // What is being deleted makes room for another object, or for the content that waits for it.
      if (pruned.has(keyOf(refOf(object))) || object.metadata.deletionTimestamp !== undefined)
        this.#unsettled.add(this.#keys.ofObject(object) ?? "");
    for (const { match } of problems) this.#unsettled.add(match === undefined ? "" : this.#keys.ofMatch(match));
  }
}

/** Without the content of an object, templates would render something else. */
function leftOutOf({ matches }: Occurrence): OccurrenceResult | undefined {
  const leftOut = matches.filter(({ isLeftOut }) => isLeftOut);
  if (leftOut.length === 0) return undefined;
  const names = leftOut.map(({ ref }) => titleOf(ref)).join(", ");
  return { state: "failed", problems: [{ at: "EventReport", message: `the content of ${names} is too large for it` }] };
}

/** A name that the user has chosen may be the same for two matching objects: the first one gets it. */
function nameConflicts(object: KubeObject, desired: ReadonlyMap<string, KubeObject>): readonly Problem[] {
  if (!desired.has(keyOf(refOf(object)))) return [];
  const at = object.kind === "ClusterProfile" ? "spec.profileNameFormat" : "nameFormat";
  return [{ at, message: `${object.kind} ${object.metadata.name} is made for another matching object already` }];
}

/** Whether an object belongs to an occurrence that has failed. */
function isRetainedFor(failed: readonly Occurrence[]): (object: KubeObject) => boolean {
  if (failed.some(({ match }) => match === undefined)) return () => true;
  const keys = new Set(failed.map(({ origin }) => eventKey(profileLabels(origin))));
  return ({ metadata }) => keys.has(eventKey(metadata.labels));
}

function isProfile({ kind }: KubeObject): boolean {
  return kind === "ClusterProfile";
}

function append(lists: Map<string, string[]>, key: string, item: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** A matching object in messages: `Service default/web`. */
export function titleOf({ kind, namespace, name }: ObjectRef): string {
  return namespace === "" ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

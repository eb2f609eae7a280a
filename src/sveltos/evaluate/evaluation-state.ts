import type { EventSource } from "../api/index.ts";
import { apiVersionOf, keyOf, refOf, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { AggregationResult } from "./aggregation.ts";
import { AggregatedSelection } from "./aggregated-selection.ts";
import { EvaluatedObject, type IndexedMatcher } from "./evaluated-object.ts";
import { kindKey } from "./event-source-programs.ts";
import { compareRefs, SortedMatches } from "./sorted-matches.ts";
import { compileMetadata } from "./selector-matcher.ts";
import type { MatchFailure, EvaluationResult, Match, MatchResult } from "./evaluation-result.ts";

/** An object whose programs are to be run, as it was then. */
export type PendingObject = { readonly entry: EvaluatedObject; readonly object: KubeObject };

/**
 * The objects of one cluster that an EventSource selects from, and the last result of each. An object whose program fails keeps
 * its last result, with the content of that time; other objects are not affected.
 *
 * It runs no programs: whoever does takes what is pending and records the results.
 */
export class EvaluationState {
  readonly #matchers = new Map<string, IndexedMatcher[]>();
  readonly #aggregatedSelection: AggregatedSelection | undefined;
  readonly #objects = new Map<string, EvaluatedObject>();
  readonly #pending = new Set<EvaluatedObject>();
  /** Put since the last `evaluateMetadata`. */
  readonly #fresh = new Set<EvaluatedObject>();
  readonly #matches: SortedMatches;
  readonly #failing = new Set<EvaluatedObject>();
  readonly #unreadable = new Map<string, MatchFailure>();
  /** As texts: `v1 Servce`. */
  readonly #notServed = new Set<string>();
  readonly #last: ReadonlyMap<string, Match>;
  #broken: readonly MatchFailure[] = [];
  #setAside: readonly MatchFailure[] = [];
  /** The matches of the selectors have changed since the last run of the aggregating script. */
  #hasChanged = true;
  #evaluated = 0;
  #revision = 0;

  /**
   * `last`: the matches of the last report or of the previous spec of the EventSource. They hold for objects whose evaluation
   * fails.
   */
  constructor(source: EventSource, last: readonly Match[]) {
    for (const [index, selector] of source.selectors.entries()) {
      const key = kindKey(selector);
      this.#matchers.set(key, [...(this.#matchers.get(key) ?? []), { index, matcher: compileMetadata(selector) }]);
    }
    this.#matches = new SortedMatches(new Set(source.selectors.map(({ version }) => version)).size > 1);
    this.#last = new Map(last.map((match) => [keyOf(match.ref), match]));
    if (source.aggregatedSelection.trim() !== "") this.#aggregatedSelection = new AggregatedSelection(last);
  }

  /** How many objects were evaluated so far. An object that two selectors evaluate counts once. */
  get evaluated(): number {
    return this.#evaluated;
  }

  /** How many objects wait for evaluation. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Another number when the result may be another one. */
  get revision(): number {
    return this.#revision;
  }

  /** Adds or replaces an object, which is pending then. */
  put(object: KubeObject): void {
    const matchers = this.#matchers.get(`${object.apiVersion}/${object.kind}`);
    if (matchers === undefined) return;
    const ref = refOf(object);
    const key = versionedKey(ref);
    let entry = this.#objects.get(key);
    if (entry === undefined) this.#objects.set(key, (entry = new EvaluatedObject(object, key, matchers, this.#last.get(keyOf(ref)))));
    entry.object = object;
    this.#pending.add(entry);
    this.#fresh.add(entry);
  }

  /** Removes a deleted object. */
  remove(ref: ObjectRef): void {
    const key = versionedKey(ref);
    const entry = this.#objects.get(key);
    if (entry === undefined) return;
    this.#objects.delete(key);
    this.#pending.delete(entry);
    this.#fresh.delete(entry);
    this.#failing.delete(entry);
    this.#revision++;
    if (this.#matches.has(key)) this.#hasChanged = true;
    this.#matches.delete(key);
  }

  /** Marks a kind whose objects cannot be listed: last matches of that kind stay. */
  markUnreadable(kind: GroupVersionKind, reason: string): void {
    this.#revision++;
    this.#notServed.delete(kindText(kind));
    this.#unreadable.set(kindKey(kind), { reason: `${kindText(kind)}: ${reason}`, effect: "kept" });
  }

  /** Reverts `markUnreadable` and `markNotServed`: all objects of the kind have been put. */
  markReadable(kind: GroupVersionKind): void {
    this.#revision++;
    this.#unreadable.delete(kindKey(kind));
    this.#notServed.delete(kindText(kind));
  }

  /** Marks a kind that the cluster does not serve: it has no objects, until its definition comes. */
  markNotServed(kind: GroupVersionKind): void {
    this.markReadable(kind);
    this.#notServed.add(kindText(kind));
  }

  /** The result over all objects, as far as they are evaluated. */
  result(): EvaluationResult {
    const selected = this.#selected();
    const result = this.#aggregatedSelection?.result(selected) ?? {
      matches: this.#withUnreadable(selected.matches),
      failures: selected.failures,
      message: "",
    };
    return this.#notServed.size === 0 ? result : { ...result, notServed: [...this.#notServed].toSorted() };
  }

  /** Evaluates what needs no program. Of the rest, what was never evaluated keeps the match of the last report. */
  evaluateMetadata(): void {
    for (const entry of this.#fresh) {
      const results = entry.metadataResults(entry.object);
      if (isDecided(results)) this.record({ entry, object: entry.object }, results);
      else this.#postpone(entry);
    }
    this.#fresh.clear();
  }

  /** Takes some objects whose programs are to be run. Each is to be recorded, failed or put back. */
  takePending(most = Infinity, isReady: (key: string) => boolean = () => true): readonly PendingObject[] {
    const taken: PendingObject[] = [];
    for (const entry of this.#pending) {
      if (taken.length >= most) break;
      if (!isReady(entry.key)) continue;
      this.#pending.delete(entry);
      taken.push({ entry, object: entry.object });
    }
    return taken;
  }

  /** Records the results of an object, which may have changed or gone meanwhile. */
  record({ entry, object }: PendingObject, results: readonly MatchResult[]): void {
    if (this.#objects.get(entry.key) !== entry) return;
    if (entry.object === object) this.#pending.delete(entry);
    this.#evaluated += 1;
    entry.record(object, results);
    this.#update(entry);
  }

  /** The programs of an object could not be run. It is pending again. */
  fail(pending: PendingObject, because: string): void {
    const { entry, object } = pending;
    const results = entry.metadataResults(object).map((result): MatchResult => result ?? { state: "failed", because });
    this.record(pending, results);
    this.putBack([pending]);
  }

  /** Leaves objects for later. One that was never evaluated keeps the match of the last report. */
  putBack(pending: readonly PendingObject[]): void {
    for (const { entry } of pending) {
      if (this.#objects.get(entry.key) !== entry) continue;
      this.#pending.add(entry);
      this.#postpone(entry);
    }
  }

  /** Records why selectors do not compile. */
  recordBroken(reasons: readonly string[]): void {
    this.#revision++;
    this.#broken = reasons.map((reason) => ({ reason, effect: "kept" }));
  }

  /** Records why the programs of the EventSource are not run for now. Undefined when they are run. */
  recordSetAside(reason: string | undefined): void {
    this.#revision++;
    this.#setAside = reason === undefined ? [] : [{ reason, effect: "kept" }];
  }

  /** The objects on which the aggregating script is to be run; undefined when there is none, or its input is as it was or incomplete. */
  takeAggregation(): readonly KubeObject[] | undefined {
    if (this.#aggregatedSelection === undefined || !this.#hasChanged) return undefined;
    const input = this.#aggregatedSelection.inputOf(this.#selected());
    if (input !== undefined) this.#hasChanged = false;
    return input;
  }

  /** Records the result of the aggregating script. With `again` it is to be run again. */
  recordAggregation(result: AggregationResult, { again = false }: { readonly again?: boolean } = {}): void {
    this.#revision++;
    this.#hasChanged ||= again;
    this.#aggregatedSelection?.record(result);
  }

  #postpone(entry: EvaluatedObject): void {
    entry.postpone();
    if (entry.match !== undefined && !this.#matches.has(entry.key)) this.#update(entry);
  }

  #selected() {
    const failures = [...this.#broken, ...this.#unreadable.values(), ...this.#setAside, ...this.#objectFailures()];
    return { matches: this.#matches.list(), failures, isPartial: this.#unreadable.size > 0 };
  }

  #update(entry: EvaluatedObject): void {
    this.#revision++;
    if (entry.failures.length > 0) this.#failing.add(entry);
    else this.#failing.delete(entry);
    const { key, match } = entry;
    if (match !== undefined || this.#matches.has(key)) this.#hasChanged = true;
    if (match === undefined) this.#matches.delete(key);
    else this.#matches.put(key, match);
  }

  /** Leaves out failures of objects that only repeat the failure of an invalid selector. */
  #objectFailures(): MatchFailure[] {
    const failures = [...this.#failing].flatMap(({ failures: own }) => own);
    const known = new Set(this.#broken.map(({ reason }) => reason));
    return known.size === 0 ? failures : failures.filter(({ reason }) => !known.has(reason));
  }

  /** Adds last matches of kinds that cannot be read now. */
  #withUnreadable(matches: readonly Match[]): readonly Match[] {
    if (this.#unreadable.size === 0) return matches;
    const unread = [...this.#last.values()].filter(
      ({ ref }) => this.#unreadable.has(kindKey(ref)) && !this.#objects.has(versionedKey(ref)),
    );
    return [...matches, ...unread].toSorted((a, b) => compareRefs(a.ref, b.ref));
  }
}

function isDecided(results: readonly (MatchResult | undefined)[]): results is readonly MatchResult[] {
  return !results.includes(undefined);
}

function kindText(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}

/** Two selectors may read one object in two versions; until the matches are sorted these are two objects. */
function versionedKey(ref: ObjectRef): string {
  return `${ref.version}/${keyOf(ref)}`;
}

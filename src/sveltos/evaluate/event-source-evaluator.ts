import type { EventSource } from "../api/index.ts";
import { apiVersionOf, keyOf, refOf, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { ScriptEnvironment } from "../script/index.ts";
import { compileAggregation } from "./aggregation.ts";
import { AggregatedSelection } from "./aggregated-selection.ts";
import { EvaluatedObject, type IndexedMatcher } from "./evaluated-object.ts";
import { compareRefs, SortedMatches } from "./sorted-matches.ts";
import { compileSelector } from "./selector-matcher.ts";
import type { MatchFailure, EvaluationResult, Match } from "./evaluation-result.ts";

type EvaluatorOptions = {
  /**
   * The matches of the last report or of the previous spec of the EventSource. They hold for objects whose evaluation
   * fails. Default: none.
   */
  readonly last?: readonly Match[];
  /** The clock and randomness of scripts. */
  readonly environment?: ScriptEnvironment;
};

/** How many scripts in a row may exceed their limits before `evaluate` leaves the other objects for the next call. */
const maxTimeouts = 3;

/**
 * Evaluates one EventSource over the objects of one cluster, incrementally: only objects that have changed are evaluated
 * again. An object whose script fails keeps its last result, with the content of that time; other objects are not affected.
 *
 * When the EventSource's spec changes, a new evaluator takes its place, with the matches of the old one as `last`.
 */
export class EventSourceEvaluator {
  readonly #matchers = new Map<string, IndexedMatcher[]>();
  readonly #aggregatedSelection: AggregatedSelection | undefined;
  readonly #objects = new Map<string, EvaluatedObject>();
  readonly #pending = new Set<EvaluatedObject>();
  readonly #matches: SortedMatches;
  readonly #failing = new Set<EvaluatedObject>();
  readonly #unreadable = new Map<string, MatchFailure>();
  /** As texts: `v1 Servce`. */
  readonly #notServed = new Set<string>();
  readonly #last: ReadonlyMap<string, Match>;
  readonly #broken: readonly MatchFailure[];
  /** The matches of the selectors have changed since the last run of the aggregating script. */
  #hasChanged = true;
  #evaluated = 0;

  constructor(source: EventSource, { last = [], environment = {} }: EvaluatorOptions = {}) {
    const { name } = source.metadata;
    const broken: MatchFailure[] = [];
    for (const [index, selector] of source.selectors.entries()) {
      const title = source.selectors.length === 1 ? name : `${name}[${index}]`;
      const matcher = compileSelector(selector, title, environment);
      if (matcher.broken !== undefined) broken.push({ reason: matcher.broken, effect: "kept" });
      const key = kindKey(selector);
      this.#matchers.set(key, [...(this.#matchers.get(key) ?? []), { index, matcher }]);
    }
    this.#broken = broken;
    this.#matches = new SortedMatches(new Set(source.selectors.map(({ version }) => version)).size > 1);
    this.#last = new Map(last.map((match) => [keyOf(match.ref), match]));
    const aggregation = source.aggregatedSelection;
    if (aggregation.trim() !== "")
      this.#aggregatedSelection = new AggregatedSelection(
        compileAggregation(aggregation, `${name}.aggregatedSelection`, environment),
        last,
      );
  }

  /** How many objects were evaluated so far. An object that two selectors evaluate counts once. */
  get evaluated(): number {
    return this.#evaluated;
  }

  /** How many objects wait for evaluation. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Adds or replaces an object. The next `evaluate` evaluates it. */
  put(object: KubeObject): void {
    const matchers = this.#matchers.get(`${object.apiVersion}/${object.kind}`);
    if (matchers === undefined) return;
    const ref = refOf(object);
    const key = versionedKey(ref);
    let entry = this.#objects.get(key);
    if (entry === undefined) this.#objects.set(key, (entry = new EvaluatedObject(key, ref, matchers, this.#last.get(keyOf(ref)))));
    entry.object = object;
    this.#pending.add(entry);
  }

  /** Removes a deleted object. */
  remove(ref: ObjectRef): void {
    const key = versionedKey(ref);
    const entry = this.#objects.get(key);
    if (entry === undefined) return;
    this.#objects.delete(key);
    this.#pending.delete(entry);
    this.#failing.delete(entry);
    if (this.#matches.has(key)) this.#hasChanged = true;
    this.#matches.delete(key);
  }

  /** Marks a kind whose objects cannot be listed: last matches of that kind stay. */
  markUnreadable(kind: GroupVersionKind, reason: string): void {
    this.#notServed.delete(kindText(kind));
    this.#unreadable.set(kindKey(kind), { reason: `${kindText(kind)}: ${reason}`, effect: "kept" });
  }

  /** Reverts `markUnreadable` and `markNotServed`: all objects of the kind have been put. */
  markReadable(kind: GroupVersionKind): void {
    this.#unreadable.delete(kindKey(kind));
    this.#notServed.delete(kindText(kind));
  }

  /** Marks a kind that the cluster does not serve: it has no objects, until its definition comes. */
  markNotServed(kind: GroupVersionKind): void {
    this.markReadable(kind);
    this.#notServed.add(kindText(kind));
  }

  /**
   * Evaluates the objects that have changed and returns the result over all objects. After `maxTimeouts` scripts that
   * exceeded their limits, the other objects keep their last result until the next call.
   */
  evaluate(): EvaluationResult {
    const result = this.#evaluateChanged();
    return this.#notServed.size === 0 ? result : { ...result, notServed: [...this.#notServed].toSorted() };
  }

  #evaluateChanged(): EvaluationResult {
    let timeouts = 0;
    for (const entry of this.#pending) {
      if (timeouts >= maxTimeouts) entry.postpone();
      else {
        this.#pending.delete(entry);
        this.#evaluated += 1;
        entry.evaluate();
        timeouts = entry.isAtLimit ? timeouts + 1 : 0;
      }
      this.#update(entry);
    }
    const failures = [...this.#broken, ...this.#unreadable.values(), ...this.#pendingFailure(), ...this.#objectFailures()];
    const matches = this.#matches.list();
    if (this.#aggregatedSelection === undefined) return { matches: this.#withUnreadable(matches), failures, message: "" };
    const hasChanged = this.#hasChanged;
    const isPartial = this.#unreadable.size > 0;
    if (!isPartial) this.#hasChanged = false;
    return this.#aggregatedSelection.select({ matches, failures, hasChanged, isPartial });
  }

  #update(entry: EvaluatedObject): void {
    if (entry.failures.length > 0) this.#failing.add(entry);
    else this.#failing.delete(entry);
    const { key, match } = entry;
    if (match !== undefined || this.#matches.has(key)) this.#hasChanged = true;
    if (match === undefined) this.#matches.delete(key);
    else this.#matches.put(key, match);
  }

  #pendingFailure(): MatchFailure[] {
    if (this.#pending.size === 0) return [];
    return [{ reason: `${this.#pending.size} objects wait to be judged: the script takes too long on others`, effect: "kept" }];
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

/** Evaluates all objects at once, without last matches. */
export function evaluateObjects(source: EventSource, objects: Iterable<KubeObject>): EvaluationResult {
  const evaluator = new EventSourceEvaluator(source);
  for (const object of objects) evaluator.put(object);
  return evaluator.evaluate();
}

function kindText(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}

function kindKey(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

/** Two selectors may read one object in two versions; until the matches are sorted these are two objects. */
function versionedKey(ref: ObjectRef): string {
  return `${ref.version}/${keyOf(ref)}`;
}

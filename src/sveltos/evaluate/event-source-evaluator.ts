import type { EventSource } from "../api/index.ts";
import { apiVersionOf, keyOf, refOf, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { ScriptEnvironment } from "../script/index.ts";
import { compileAggregation } from "./aggregation.ts";
import { AggregatedSelection } from "./aggregated-selection.ts";
import { EvaluatedObject, type IndexedMatcher } from "./evaluated-object.ts";
import { compareRefs, SortedMatches } from "./sorted-matches.ts";
import { compileSelector } from "./selector-matcher.ts";
import type { MatchFailure, EvaluationResult, Match } from "./evaluation-result.ts";

export type EvaluatorOptions = {
  /**
   * What matched when somebody looked last: a report of before, or the findings on an earlier definition. Objects that
   * cannot be judged now go by it. Default: nothing is known.
   */
  readonly last?: readonly Match[];
  /** What scripts see of the world outside. */
  readonly environment?: ScriptEnvironment;
};

/** A script that is stopped takes a while each time. So many such whiles in a row are the most that others have to wait. */
const maxTimeouts = 3;

/**
 * An EventSource's view of one cluster. It is told of objects as they come, change and go, and judges again only those
 * that did. An object that its script fails on keeps the verdict it had, with the content it had then; the others go on.
 *
 * A definition that changes is a new Evaluation, whose `last` are the matches of the one before.
 */
export class EventSourceEvaluator {
  readonly #matchers = new Map<string, IndexedMatcher[]>();
  readonly #aggregatedSelection: AggregatedSelection | undefined;
  readonly #objects = new Map<string, EvaluatedObject>();
  readonly #pending = new Set<EvaluatedObject>();
  readonly #matches: SortedMatches;
  readonly #failing = new Set<EvaluatedObject>();
  readonly #unreadable = new Map<string, MatchFailure>();
  readonly #last: ReadonlyMap<string, Match>;
  readonly #broken: readonly MatchFailure[];
  /** What is selected has changed since it was last chosen from. */
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

  /** How many objects were judged so far; one that two selectors look at counts once. */
  get evaluated(): number {
    return this.#evaluated;
  }

  /** How many objects are yet to be judged, because they changed since or because a script took too long. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Tells of an object that is there, new or changed. It is judged when somebody asks for the findings. */
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

  /** Tells of an object that is gone. */
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

  /** Tells that objects of a kind cannot be read, and why: what is not known of them stays as it was last. */
  markUnreadable(kind: GroupVersionKind, reason: string): void {
    this.#unreadable.set(kindKey(kind), { reason: `${apiVersionOf(kind)} ${kind.kind}: ${reason}`, effect: "kept" });
  }

  /** Takes back what `unreadable` said: all objects of the kind have been told of. */
  markReadable(kind: GroupVersionKind): void {
    this.#unreadable.delete(kindKey(kind));
  }

  /**
   * Judges what has changed since the last time, and says how things are now. After some objects whose script had to be
   * stopped, the others are left for the next time; until then they are what they were.
   */
  evaluate(): EvaluationResult {
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
    const failures = [...this.#broken, ...this.#unreadable.values(), ...this.#waitingFailure(), ...this.#objectFailures()];
    const matches = this.#matches.list();
    if (this.#aggregatedSelection === undefined) return { matches: this.#withUnseen(matches), failures, message: "" };
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

  #waitingFailure(): MatchFailure[] {
    if (this.#pending.size === 0) return [];
    return [{ reason: `${this.#pending.size} objects wait to be judged: the script takes too long on others`, effect: "kept" }];
  }

  /** Of a selector that is broken altogether, the objects are not listed one by one. */
  #objectFailures(): MatchFailure[] {
    const failures = [...this.#failing].flatMap(({ failures: own }) => own);
    const known = new Set(this.#broken.map(({ reason }) => reason));
    return known.size === 0 ? failures : failures.filter(({ reason }) => !known.has(reason));
  }

  /** What matched last and cannot be read now is taken to match still. */
  #withUnseen(matches: readonly Match[]): readonly Match[] {
    if (this.#unreadable.size === 0) return matches;
    const unseen = [...this.#last.values()].filter(
      ({ ref }) => this.#unreadable.has(kindKey(ref)) && !this.#objects.has(versionedKey(ref)),
    );
    return [...matches, ...unseen].toSorted((a, b) => compareRefs(a.ref, b.ref));
  }
}

/** Judges all objects at once; nothing is known of before. */
export function evaluateObjects(source: EventSource, objects: Iterable<KubeObject>): EvaluationResult {
  const evaluation = new EventSourceEvaluator(source);
  for (const object of objects) evaluation.put(object);
  return evaluation.evaluate();
}

function kindKey(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

/** An object that two selectors look at in two versions is two objects until the matches are listed. */
function versionedKey(ref: ObjectRef): string {
  return `${ref.version}/${keyOf(ref)}`;
}

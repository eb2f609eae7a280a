import type { EventSource } from "../api/index.ts";
import { apiVersionOf, keyOf, refOf, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { ScriptWorld } from "../script/index.ts";
import { aggregateFor } from "./aggregate.ts";
import { Choice } from "./choice.ts";
import { Dossier, type Place } from "./dossier.ts";
import { compareRefs, Ranking } from "./ranking.ts";
import { judgeFor } from "./selector.ts";
import type { Failure, Findings, Match } from "./verdict.ts";

export type EvaluationOptions = {
  /**
   * What matched when somebody looked last: a report of before, or the findings on an earlier definition. Objects that
   * cannot be judged now go by it. Default: nothing is known.
   */
  readonly last?: readonly Match[];
  /** What scripts see of the world outside. */
  readonly world?: ScriptWorld;
};

/** A script that is stopped takes a while each time. So many such whiles in a row are the most that others have to wait. */
const mostStrikes = 3;

/**
 * An EventSource's view of one cluster. It is told of objects as they come, change and go, and judges again only those
 * that did. An object that its script fails on keeps the verdict it had, with the content it had then; the others go on.
 *
 * A definition that changes is a new Evaluation, whose `last` are the matches of the one before.
 */
export class Evaluation {
  readonly #places = new Map<string, Place[]>();
  readonly #choice: Choice | undefined;
  readonly #dossiers = new Map<string, Dossier>();
  readonly #pending = new Set<Dossier>();
  readonly #ranking: Ranking;
  readonly #failing = new Set<Dossier>();
  readonly #unreadable = new Map<string, Failure>();
  readonly #last: ReadonlyMap<string, Match>;
  readonly #broken: readonly Failure[];
  /** What is selected has changed since it was last chosen from. */
  #isNew = true;
  #judged = 0;

  constructor(source: EventSource, { last = [], world = {} }: EvaluationOptions = {}) {
    const { name } = source.metadata;
    const broken: Failure[] = [];
    for (const [index, selector] of source.selectors.entries()) {
      const title = source.selectors.length === 1 ? name : `${name}[${index}]`;
      const judge = judgeFor(selector, title, world);
      if (judge.broken !== undefined) broken.push({ reason: judge.broken, effect: "kept" });
      const key = kindKey(selector);
      this.#places.set(key, [...(this.#places.get(key) ?? []), { index, judge }]);
    }
    this.#broken = broken;
    this.#ranking = new Ranking(new Set(source.selectors.map(({ version }) => version)).size > 1);
    this.#last = new Map(last.map((match) => [keyOf(match.ref), match]));
    const aggregation = source.aggregatedSelection;
    if (aggregation.trim() !== "") this.#choice = new Choice(aggregateFor(aggregation, `${name}.aggregatedSelection`, world), last);
  }

  /** How many objects were judged so far; one that two selectors look at counts once. */
  get judged(): number {
    return this.#judged;
  }

  /** How many objects are yet to be judged, because they changed since or because a script took too long. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Tells of an object that is there, new or changed. It is judged when somebody asks for the findings. */
  put(object: KubeObject): void {
    const places = this.#places.get(`${object.apiVersion}/${object.kind}`);
    if (places === undefined) return;
    const ref = refOf(object);
    const key = versionedKey(ref);
    let dossier = this.#dossiers.get(key);
    if (dossier === undefined) this.#dossiers.set(key, (dossier = new Dossier(key, ref, places, this.#last.get(keyOf(ref)))));
    dossier.object = object;
    this.#pending.add(dossier);
  }

  /** Tells of an object that is gone. */
  remove(ref: ObjectRef): void {
    const key = versionedKey(ref);
    const dossier = this.#dossiers.get(key);
    if (dossier === undefined) return;
    this.#dossiers.delete(key);
    this.#pending.delete(dossier);
    this.#failing.delete(dossier);
    if (this.#ranking.has(key)) this.#isNew = true;
    this.#ranking.delete(key);
  }

  /** Tells that objects of a kind cannot be read, and why: what is not known of them stays as it was last. */
  unreadable(kind: GroupVersionKind, reason: string): void {
    this.#unreadable.set(kindKey(kind), { reason: `${apiVersionOf(kind)} ${kind.kind}: ${reason}`, effect: "kept" });
  }

  /** Takes back what `unreadable` said: all objects of the kind have been told of. */
  readable(kind: GroupVersionKind): void {
    this.#unreadable.delete(kindKey(kind));
  }

  /**
   * Judges what has changed since the last time, and says how things are now. After some objects whose script had to be
   * stopped, the others are left for the next time; until then they are what they were.
   */
  findings(): Findings {
    let strikes = 0;
    for (const dossier of this.#pending) {
      if (strikes >= mostStrikes) dossier.postpone();
      else {
        this.#pending.delete(dossier);
        this.#judged += 1;
        dossier.judge();
        strikes = dossier.isAtLimit ? strikes + 1 : 0;
      }
      this.#rank(dossier);
    }
    const failures = [...this.#broken, ...this.#unreadable.values(), ...this.#waitingFailure(), ...this.#objectFailures()];
    const matches = this.#ranking.list();
    if (this.#choice === undefined) return { matches: this.#withUnseen(matches), failures, message: "" };
    const isNew = this.#isNew;
    const isPartial = this.#unreadable.size > 0;
    if (!isPartial) this.#isNew = false;
    return this.#choice.among({ matches, failures, isNew, isPartial });
  }

  #rank(dossier: Dossier): void {
    if (dossier.failures.length > 0) this.#failing.add(dossier);
    else this.#failing.delete(dossier);
    const { key, match } = dossier;
    if (match !== undefined || this.#ranking.has(key)) this.#isNew = true;
    if (match === undefined) this.#ranking.delete(key);
    else this.#ranking.put(key, match);
  }

  #waitingFailure(): Failure[] {
    if (this.#pending.size === 0) return [];
    return [{ reason: `${this.#pending.size} objects wait to be judged: the script takes too long on others`, effect: "kept" }];
  }

  /** Of a selector that is broken altogether, the objects are not listed one by one. */
  #objectFailures(): Failure[] {
    const failures = [...this.#failing].flatMap(({ failures: own }) => own);
    const known = new Set(this.#broken.map(({ reason }) => reason));
    return known.size === 0 ? failures : failures.filter(({ reason }) => !known.has(reason));
  }

  /** What matched last and cannot be read now is taken to match still. */
  #withUnseen(matches: readonly Match[]): readonly Match[] {
    if (this.#unreadable.size === 0) return matches;
    const unseen = [...this.#last.values()].filter(
      ({ ref }) => this.#unreadable.has(kindKey(ref)) && !this.#dossiers.has(versionedKey(ref)),
    );
    return [...matches, ...unseen].toSorted((a, b) => compareRefs(a.ref, b.ref));
  }
}

/** Judges all objects at once; nothing is known of before. */
export function evaluate(source: EventSource, objects: Iterable<KubeObject>): Findings {
  const evaluation = new Evaluation(source);
  for (const object of objects) evaluation.put(object);
  return evaluation.findings();
}

function kindKey(kind: GroupVersionKind): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

/** An object that two selectors look at in two versions is two objects until the matches are listed. */
function versionedKey(ref: ObjectRef): string {
  return `${ref.version}/${keyOf(ref)}`;
}

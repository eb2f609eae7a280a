import { keyOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { cureMatcher, type ChangedObject, type Cure } from "../refusal/index.ts";
import type { DeferredCheck, Step } from "./plan.ts";
import type { Refused } from "./plan-input.ts";

/** An apply step that the API server refuses, or cannot check, as things are. */
export type UncheckedStep = { readonly id: string; readonly refused: Refused };

type DeferredChecks<Unchecked> = {
  /** By step id: the checks that have to wait for earlier steps. */
  readonly deferred: ReadonlyMap<string, DeferredCheck>;
  /** The steps that no earlier step may cure, and what may cure them later. */
  readonly incurable: readonly { readonly step: Unchecked; readonly later: readonly ObjectRef[] }[];
};

type Change = ChangedObject & { readonly at: number; readonly key: string };

/** How many objects a deferred check names. */
const maxNamed = 10;

/**
 * Decides which checks wait for earlier steps: those that a step before, by the needs of the plan, may cure. `known`
 * are manifests besides those of the steps.
 */
export function deferChecks<Unchecked extends UncheckedStep>(
  steps: readonly Step[],
  unchecked: readonly Unchecked[],
  known: readonly KubeObject[] = [],
): DeferredChecks<Unchecked> {
  const deferred = new Map<string, DeferredCheck>();
  const incurable: { step: Unchecked; later: readonly ObjectRef[] }[] = [];
  if (unchecked.length === 0) return { deferred, incurable };
  const find = cureFinder(steps, known);
  const byId = new Map(steps.map((step) => [step.id, step]));
  for (const step of unchecked) {
    const { earlier, later } = find(step.refused, byId.get(step.id));
    if (earlier.length > 0) deferred.set(step.id, { because: step.refused.because, after: earlier });
    else incurable.push({ step, later });
  }
  return { deferred, incurable };
}

/** The objects whose change may cure, by whether that comes before. */
type Cures = { readonly earlier: readonly ObjectRef[]; readonly later: readonly ObjectRef[] };

/** Finds what may cure the refusal of a step. Many objects are refused alike and start alike, so each answer is kept. */
function cureFinder(steps: readonly Step[], known: readonly KubeObject[]): (refused: Refused, step: Step | undefined) => Cures {
  const graph = new StepGraph(steps);
  const mayCure = cureMatcher(known);
  const changes = steps.flatMap((step, at) => changeIn(step, at) ?? []);
  const changesFor = memoized((cures: readonly Cure[]) => changes.filter((change) => cures.some((cure) => mayCure(cure, change))));
  const splitFor = memoized(({ cures, needs }: { cures: readonly Cure[]; needs: readonly string[] }) => {
    const all = changesFor(cures);
    const isEarlier = all.length === 0 ? () => false : graph.ancestorsOf(needs);
    const named = (wanted: boolean) => firstFew(all.filter(({ at }) => isEarlier(at) === wanted));
    return { earlier: named(true), later: named(false) };
  });
  return ({ cures = [] }, step) => {
    const { earlier, later } = splitFor({ cures, needs: step?.needs.map(({ id }) => id) ?? [] });
    const own = step?.action.verb === "apply" ? keyOf(step.action.ref) : "";
    const refsIn = (few: readonly Change[]) => few.flatMap(({ key, ref }) => (key === own ? [] : [ref])).slice(0, maxNamed);
    return { earlier: refsIn(earlier), later: refsIn(later) };
  };
}

/** Remembers answers by the content of the question. */
function memoized<Question, Answer>(answer: (question: Question) => Answer): (question: Question) => Answer {
  const known = new Map<string, Answer>();
  return (question) => {
    const key = JSON.stringify(question);
    const found = known.get(key) ?? answer(question);
    known.set(key, found);
    return found;
  };
}

/** The first changes, each object once; one more than are named, for one of them may be the refused object itself. */
function firstFew(changes: readonly Change[]): readonly Change[] {
  return [...new Map(changes.map((change) => [change.key, change])).values()].slice(0, maxNamed + 1);
}

/** A deletion that follows a failure cures nothing: the plan has failed by then. */
function changeIn({ action, onlyIf }: Step, at: number): Change | undefined {
  if (action.verb !== "apply" && action.verb !== "delete") return undefined;
  const { ref, verb } = action;
  const change = { at, key: keyOf(ref), ref, verb };
  if (action.verb === "delete") return onlyIf === undefined || onlyIf.outcome === "finished" ? change : undefined;
  return action.change === "unchanged" ? undefined : { ...change, manifest: action.manifest };
}

/** The steps by index, with what each needs. */
class StepGraph {
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #needs: readonly (readonly number[])[];

  constructor(steps: readonly Step[]) {
    this.#indexes = new Map(steps.map(({ id }, at) => [id, at]));
    this.#needs = steps.map(({ needs }) => this.#indexesOf(needs.map(({ id }) => id)));
  }

  /** Whether a step ends before a step with these needs starts. */
  ancestorsOf(needs: readonly string[]): (at: number) => boolean {
    const found = new Set(this.#indexesOf(needs));
    // Grows during the iteration.
    for (const at of found) for (const need of this.#needs[at]!) found.add(need);
    return (at) => found.has(at);
  }

  #indexesOf(ids: readonly string[]): readonly number[] {
    return ids.flatMap((id) => this.#indexes.get(id) ?? []);
  }
}

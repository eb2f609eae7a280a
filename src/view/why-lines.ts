import { titleOf } from "../core/object/index.ts";
import { waitChainsFrom, type WaitExplanation, type WaitChain, type WaitingObject } from "../release/why/index.ts";
import type { Paint } from "./step-progress-line.ts";
import { releaseName, workTexts } from "./release.ts";

/** Why a release waits: each first cause, and under it the objects that wait for it. */
export function whyLines(explanation: WaitExplanation, paint: Paint): readonly string[] {
  const { waiting } = explanation;
  if (waiting.length === 0) return [...workLines(explanation), restText(explanation)];
  const { causes, behind } = grouped(waiting);
  const lines = causes.flatMap((cause) => [
    `${paint.strong(nameOf(cause))} ${lackText(cause)}`,
    ...(behind.get(cause.id) ?? []).map(({ waiter, on }) => `  ${nameOf(waiter)} waits for ${on === cause ? "it" : nameOf(on)}`),
  ]);
  return [...workLines(explanation), ...lines];
}

/** Ranks wait for whole ranks, so the number of pairs grows with the square of the objects. */
const maxNeeds = 50;

/** The explanation as data. Long lists of needs are cut, with the number that is left out. */
export function whyOutline({ waiting, ...rest }: WaitExplanation): object {
  const outlined = waiting.map((each) => {
    const more = each.waitsFor.length - maxNeeds;
    return more > 0 ? { ...each, waitsFor: each.waitsFor.slice(0, maxNeeds), andMore: more } : each;
  });
  return { ...rest, waiting: outlined };
}

/** How many sentences are printed at most. */
const maxChains = 10;

/** Why one object waits: a sentence for each first cause. */
export function chainLines(explanation: WaitExplanation, ids: readonly string[], paint: Paint): readonly string[] {
  const chains = ids.flatMap((id) => waitChainsFrom(explanation, id));
  const more = chains.length - maxChains;
  const lines = chains.slice(0, maxChains).map((chain) => chainText(chain, paint));
  return [
    ...workLines(explanation),
    ...lines,
    ...(more > 0 ? [`and for ${more} more: sluice why ${explanation.release.name} shows all`] : []),
  ];
}

/** `app waits for job/migrate, which waits for statefulset/db, whose pod db-0 cannot be scheduled: …` */
function chainText(chain: WaitChain, paint: Paint): string {
  const [first, ...rest] = chain;
  const cause = rest.at(-1);
  if (cause === undefined) return `${paint.strong(nameOf(first!))} ${lackText(first!)}`;
  const way = rest.map((each) => `waits for ${nameOf(each)}`).join(", which ");
  return `${paint.strong(nameOf(first!))} ${way}, ${whichText(cause)}`;
}

/** The status of the release, where it is a reason to wait by itself. */
function workLines(explanation: WaitExplanation): readonly string[] {
  const { release, revision, state, holder } = explanation;
  const lines = state === "deployed" ? [] : [`revision ${revision} of ${releaseName(release)}: ${state}`];
  return [...lines, ...workTexts({ state }, holder)];
}

function restText({ release, state, revision, description }: WaitExplanation): string {
  if (state === "deployed") return `nothing waits: revision ${revision} of ${releaseName(release)} is deployed and all of it is ready`;
  return `nothing in the cluster waits; the release says: ${description}`;
}

type Behind = { readonly waiter: WaitingObject; readonly on: WaitingObject };
type Grouped = { readonly causes: readonly WaitingObject[]; readonly behind: ReadonlyMap<string, readonly Behind[]> };

/** Groups waiting objects by first cause. An object goes to the cause of the last object in the order that it waits for. */
function grouped(waiting: readonly WaitingObject[]): Grouped {
  const lastOf = lastIn(waiting);
  const causeOf = new Map<string, string>();
  const behind = new Map<string, Behind[]>();
  const causes: WaitingObject[] = [];
  for (const waiter of waiting) {
    const on = lastOf(waiter.waitsFor);
    const cause = on === undefined ? waiter.id : (causeOf.get(on.id) ?? on.id);
    causeOf.set(waiter.id, cause);
    if (on === undefined) causes.push(waiter);
    else
      behind
        .set(cause, behind.get(cause) ?? [])
        .get(cause)!
        .push({ waiter, on });
  }
  return { causes, behind };
}

/** The last in the order of the objects that are waited for. Many objects share one list, so each list is searched once. */
function lastIn(waiting: readonly WaitingObject[]): (needs: WaitingObject["waitsFor"]) => WaitingObject | undefined {
  const place = new Map(waiting.map(({ id }, at) => [id, at]));
  const known = new Map<WaitingObject["waitsFor"], WaitingObject | undefined>();
  return (needs) => {
    if (known.has(needs)) return known.get(needs);
    const last = waiting[needs.reduce((most, { on }) => Math.max(most, place.get(on) ?? -1), -1)];
    known.set(needs, last);
    return last;
  };
}

function nameOf({ ref, external }: WaitingObject): string {
  return external ? `${titleOf(ref)}${ref.namespace === "" ? "" : ` in ${ref.namespace}`} (outside the release)` : titleOf(ref);
}

function lackText({ lacks, state, because }: WaitingObject): string {
  if (lacks === "applied") return `is not applied: ${because}`;
  if (lacks === "gone") return `is not gone: ${because}`;
  return state === "failed" ? `has failed: ${because}` : `is not ready: ${because}`;
}

/** The lack as a relative clause. The reason of a pod is preferred to the count of ready ones. */
function whichText(cause: WaitingObject): string {
  const pod = /(?:^|; )(pod .*)$/s.exec(cause.because)?.[1];
  return cause.lacks === "ready" && cause.ref.kind !== "Pod" && pod !== undefined ? `whose ${pod}` : `which ${lackText(cause)}`;
}

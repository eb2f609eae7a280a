import { titleOf } from "../object/index.ts";
import { chainsFrom, type Account, type Chain, type Waiting } from "../release/why/index.ts";
import type { Paint } from "./line.ts";
import { holderText, releaseName } from "./release.ts";

/** Why a release waits: each first cause, and under it those who wait for it. */
export function whyLines(account: Account, paint: Paint): readonly string[] {
  const { waiting } = account;
  if (waiting.length === 0) return [...workLines(account), restText(account)];
  const { causes, behind } = grouped(waiting);
  const lines = causes.flatMap((cause) => [
    `${paint.strong(nameOf(cause))} ${lackText(cause)}`,
    ...(behind.get(cause.id) ?? []).map(({ waiter, on }) => `  ${nameOf(waiter)} waits for ${on === cause ? "it" : nameOf(on)}`),
  ]);
  return [...workLines(account), ...lines];
}

/** Why one object waits: a sentence for each first cause. */
export function chainLines(account: Account, ids: readonly string[], paint: Paint): readonly string[] {
  return [...workLines(account), ...ids.flatMap((id) => chainsFrom(account, id)).map((chain) => chainText(chain, paint))];
}

/** `app waits for job/migrate, which waits for statefulset/db, whose pod db-0 cannot be scheduled: …` */
export function chainText(chain: Chain, paint: Paint): string {
  const [first, ...rest] = chain;
  const cause = rest.at(-1);
  if (cause === undefined) return `${paint.strong(nameOf(first!))} ${lackText(first!)}`;
  const way = rest.map((each) => `waits for ${nameOf(each)}`).join(", which ");
  return `${paint.strong(nameOf(first!))} ${way}, ${whichText(cause)}`;
}

/** How the release stands, where that is a reason by itself. */
function workLines(account: Account): readonly string[] {
  const { release, revision, state, holder } = account;
  const lines = state === "deployed" ? [] : [`revision ${revision} of ${releaseName(release)}: ${state}`];
  return holder === undefined ? lines : [...lines, holderText(holder)];
}

function restText({ release, state, revision, description }: Account): string {
  if (state === "deployed") return `nothing waits: revision ${revision} of ${releaseName(release)} is deployed and all of it is ready`;
  return `nothing in the cluster waits; the release says: ${description}`;
}

type Behind = { readonly waiter: Waiting; readonly on: Waiting };

/** Everybody under one first cause: the one that the last in the order whom they wait for is under. */
function grouped(waiting: readonly Waiting[]): {
  readonly causes: readonly Waiting[];
  readonly behind: ReadonlyMap<string, readonly Behind[]>;
} {
  const byId = new Map(waiting.map((each, at) => [each.id, { each, at }]));
  const causeOf = new Map<string, string>();
  const behind = new Map<string, Behind[]>();
  const causes: Waiting[] = [];
  for (const waiter of waiting) {
    const on = waiter.waitsFor
      .flatMap((need) => byId.get(need.on) ?? [])
      .reduce<{ each: Waiting; at: number } | undefined>(
        (last, next) => (last === undefined || next.at > last.at ? next : last),
        undefined,
      );
    const cause = on === undefined ? waiter.id : (causeOf.get(on.each.id) ?? on.each.id);
    causeOf.set(waiter.id, cause);
    if (on === undefined) causes.push(waiter);
    else behind.set(cause, [...(behind.get(cause) ?? []), { waiter, on: on.each }]);
  }
  return { causes, behind };
}

function nameOf({ ref, external }: Waiting): string {
  return external ? `${titleOf(ref)}${ref.namespace === "" ? "" : ` in ${ref.namespace}`} (outside the release)` : titleOf(ref);
}

function lackText({ lacks, state, because }: Waiting): string {
  if (lacks === "applied") return `is not applied: ${because}`;
  if (lacks === "gone") return `is not gone: ${because}`;
  return state === "failed" ? `has failed: ${because}` : `is not ready: ${because}`;
}

/** The same as a clause; what a pod says is worth more than how many are ready. */
function whichText(cause: Waiting): string {
  const pod = /(?:^|; )(pod .*)$/s.exec(cause.because)?.[1];
  return cause.lacks === "ready" && cause.ref.kind !== "Pod" && pod !== undefined ? `whose ${pod}` : `which ${lackText(cause)}`;
}

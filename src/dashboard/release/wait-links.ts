import type { WaitExplanation, WaitingObject } from "../../release/why/index.ts";
import type { ReleaseChain } from "../api/index.ts";

/** What an object waits for next, on the way to its first cause. */
type WaitLink = { readonly id: string; readonly because: string };

/** Where each waiting object is held up. */
export type WaitLinks = {
  /** By the id of the waiting object. First causes have none. */
  readonly next: ReadonlyMap<string, WaitLink>;
  /** One for each first cause that holds up others: that with the most first. */
  readonly chains: readonly ReleaseChain[];
};

/** More causes than a person reads are not listed. */
const maxChains = 20;

type Way = { readonly cause: string; readonly length: number; readonly isFailed: boolean; readonly next?: WaitLink };

/** Follows every waiting object to one first cause: to what has failed rather than to what is slow, and by the longest way. */
export function waitLinksOf({ waiting }: Pick<WaitExplanation, "waiting">): WaitLinks {
  const ways = new Map<string, Way>();
  /** Objects share lists of what they wait for, so each list is looked at once. */
  const best = new Map<WaitingObject["waitsFor"], Way | undefined>();
  const place = new Map(waiting.map(({ id }, at) => [id, at]));
  for (const object of waiting) {
    const { id, waitsFor, state } = object;
    if (!best.has(waitsFor)) best.set(waitsFor, bestOf(waitsFor, ways));
    const way = waitsFor.length === 0 ? undefined : best.get(waitsFor);
    ways.set(id, way ?? { cause: id, length: 0, isFailed: state === "failed" });
  }
  const next = new Map([...ways].flatMap(([id, way]) => (way.next === undefined ? [] : [[id, way.next] as const])));
  const blocked = Map.groupBy(
    [...ways].filter(([, way]) => way.next !== undefined),
    ([, { cause }]) => cause,
  );
  const chains = [...blocked].map(([cause, those]): ReleaseChain => {
    const [furthest] = those.reduce((a, b) => (b[1].length > a[1].length ? b : a));
    return { type: "chain", cause, because: waiting[place.get(cause)!]!.because, blocked: those.length, nodes: chainFrom(furthest, next) };
  });
  return { next, chains: chains.toSorted((a, b) => b.blocked - a.blocked).slice(0, maxChains) };
}

function bestOf(waitsFor: WaitingObject["waitsFor"], ways: ReadonlyMap<string, Way>): Way | undefined {
  let found: Way | undefined;
  for (const { on, because } of waitsFor) {
    const way = ways.get(on);
    if (way === undefined) continue;
    const candidate = { ...way, length: way.length + 1, next: { id: on, because } };
    if (found === undefined || isBetter(candidate, found)) found = candidate;
  }
  return found;
}

function isBetter(a: Way, b: Way): boolean {
  return a.isFailed === b.isFailed ? a.length > b.length : a.isFailed;
}

/** The nodes from one that waits to its first cause. */
function chainFrom(id: string, next: WaitLinks["next"]): readonly string[] {
  const chain: string[] = [];
  for (let at: string | undefined = id; at !== undefined && chain.length <= next.size; at = next.get(at)?.id) chain.push(at);
  return chain;
}

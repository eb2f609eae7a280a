import type { WaitExplanation, BlockingObject, WaitingObject } from "./wait-explanation.ts";

/** From a waiting object to a first cause, each waiting for the next. */
export type WaitChain = readonly WaitingObject[];

/**
 * The chains from a waiting object to its first causes, one per cause. Of several paths to a cause, the one through the
 * latest objects is taken, because it names all between.
 */
export function waitChainsFrom({ waiting }: WaitExplanation, id: string): readonly WaitChain[] {
  const byId = new Map(waiting.map((each) => [each.id, each]));
  const place = new Map(waiting.map((each, at) => [each.id, at]));
  const cameFrom = new Map<string, string | undefined>();
  const followed = new Set<readonly BlockingObject[]>();
  const chains: WaitChain[] = [];
  const stack: { readonly id: string; readonly from: string | undefined }[] = [{ id, from: undefined }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const found = byId.get(next.id);
    if (found === undefined || cameFrom.has(next.id)) continue;
    cameFrom.set(next.id, next.from);
    const { waitsFor } = found;
    if (waitsFor.length === 0) chains.push(chainTo(next.id, cameFrom, byId));
    // Shared lists are followed once.
    if (followed.has(waitsFor)) continue;
    followed.add(waitsFor);
    const needs = waitsFor.toSorted((a, b) => (place.get(a.on) ?? 0) - (place.get(b.on) ?? 0));
    for (const { on } of needs) stack.push({ id: on, from: found.id });
  }
  return chains;
}

function chainTo(id: string, cameFrom: ReadonlyMap<string, string | undefined>, byId: ReadonlyMap<string, WaitingObject>): WaitChain {
  const chain: WaitingObject[] = [];
  for (let at: string | undefined = id; at !== undefined; at = cameFrom.get(at)) chain.unshift(byId.get(at)!);
  return chain;
}

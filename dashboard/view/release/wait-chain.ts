import type { ReleaseChain, ReleaseNode } from "../../../src/dashboard/api/index.ts";

/** The nodes from one that waits to its first cause; empty when it waits for nothing. */
export function waitChainOf(id: string, nodes: ReadonlyMap<string, ReleaseNode>): readonly string[] {
  const chain = [id];
  for (let next = nodes.get(id)?.waitsFor?.id; next !== undefined && !chain.includes(next); next = nodes.get(next)?.waitsFor?.id)
    chain.push(next);
  return chain.length > 1 ? chain : [];
}

/** The chain to draw: that of the selected object, else the one that was chosen by its cause, else the one that holds up the most. */
export function shownChain(
  chains: readonly ReleaseChain[],
  nodes: ReadonlyMap<string, ReleaseNode>,
  { selected, cause }: { readonly selected: string; readonly cause: string },
): readonly string[] {
  const ofSelected = waitChainOf(selected, nodes);
  if (ofSelected.length > 0) return ofSelected;
  const chosen = chains.find((chain) => chain.cause === selected) ?? chains.find((chain) => chain.cause === cause) ?? chains[0];
  return chosen?.nodes ?? [];
}

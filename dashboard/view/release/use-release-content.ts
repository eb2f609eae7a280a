import { useMemo } from "preact/hooks";
import type {
  ReleaseChain,
  ReleaseEdge,
  ReleaseHead,
  ReleaseNode,
  ReleaseTimeline,
  ReleaseTimelineRow,
} from "../../../src/dashboard/api/index.ts";
import type { ViewItems } from "../../stream/view-items.ts";
import { inPlanOrder } from "./plan-order.ts";

/** What the server has told of a release. */
export type ReleaseContent = {
  readonly head?: ReleaseHead;
  /** In the order of the plan. */
  readonly nodes: readonly ReleaseNode[];
  readonly edges: readonly ReleaseEdge[];
  /** The one that holds up the most first. */
  readonly chains: readonly ReleaseChain[];
  readonly timeline?: ReleaseTimeline;
  readonly rows: readonly ReleaseTimelineRow[];
};

/** The items of a release by what they are. What has not changed is the same as before. */
export function useReleaseContent(items: ViewItems): ReleaseContent {
  const version = items.version.value;
  const edges = useSame(items.ofType<ReleaseEdge>("edge"));
  const arrived = useSame(items.ofType<ReleaseNode>("node"));
  const nodes = useMemo(() => inPlanOrder(arrived, edges), [arrived, edges]);
  const rows = useSame(items.ofType<ReleaseTimelineRow>("row"));
  return useMemo(() => {
    const [head] = items.ofType<ReleaseHead>("head");
    const [timeline] = items.ofType<ReleaseTimeline>("timeline");
    const chains = items.ofType<ReleaseChain>("chain").toSorted((a, b) => b.blocked - a.blocked);
    return { ...(head === undefined ? {} : { head }), ...(timeline === undefined ? {} : { timeline }), nodes, edges, chains, rows };
  }, [items, version]);
}

/** The list of before, when it has the same members. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const key = useMemo(() => ({ list }), []) as { list: readonly T[] };
  const isSame = key.list.length === list.length && list.every((member, at) => member === key.list[at]);
  if (!isSame) key.list = list;
  return key.list;
}

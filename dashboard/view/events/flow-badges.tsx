import { flowStates, type FlowState } from "../../../src/dashboard/api/index.ts";
import { StateBadge } from "../../component/state-badge.tsx";
import { badgeOf, flowWord } from "./flow-state.ts";

/** The state of one flow. */
export function FlowBadge({ state }: { readonly state: FlowState }) {
  return <StateBadge state={badgeOf(state)} word={flowWord(state)} />;
}

/** How many flows are in each state: `2 failing  5 deployed`. */
export function FlowCounts({ counts }: { readonly counts: Readonly<Partial<Record<FlowState, number>>> }) {
  const present = flowStates.filter((state) => (counts[state] ?? 0) > 0);
  return (
    <span class="flow-counts numeric">
      {present.map((state) => (
        <StateBadge key={state} state={badgeOf(state)} word={`${counts[state] ?? 0} ${flowWord(state)}`} />
      ))}
    </span>
  );
}

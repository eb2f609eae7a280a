import type { FlowState } from "../../../src/dashboard/api/index.ts";
import { StateBadge } from "../../component/state-badge.tsx";
import { setQuery } from "../../location.ts";
import { badgeOf, flowWord } from "./flow-state.ts";

/** States with their counts; one of them filters what is shown, and is in the address. */
export function FilterChips({ states, chosen }: { readonly states: readonly (readonly [FlowState, number])[]; readonly chosen: string }) {
  return (
    <div class="chips" role="group" aria-label="Filter by state">
      {states.map(([state, count]) => (
        <button
          key={state}
          type="button"
          class="chip"
          aria-pressed={state === chosen}
          onClick={() => setQuery("state", state === chosen ? undefined : state)}
        >
          <StateBadge state={badgeOf(state)} word={`${count} ${flowWord(state)}`} />
        </button>
      ))}
    </div>
  );
}

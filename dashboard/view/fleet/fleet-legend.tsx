import { cellStates, type CellState } from "../../../src/dashboard/api/index.ts";
import { StateShape } from "../../component/state-badge.tsx";
import { setQuery } from "../../location.ts";
import type { StateCounts } from "./matrix-lines.ts";

type Props = {
  readonly counts: StateCounts;
  /** How many cells there may be. */
  readonly most: number;
  readonly chosen: CellState | undefined;
};

/** What the shapes mean and how many cells have them. Each leads to the clusters with such a cell. */
export function FleetLegend({ counts, most, chosen }: Props) {
  // Counts grow while cells are being read, and must not move what is below.
  const style = { minWidth: `${most.toLocaleString().length}ch` };
  return (
    <div class="fleet-legend" role="group" aria-label="States">
      {cellStates.map((state) => (
        <button
          key={state}
          type="button"
          class={`legend-entry state-${state}`}
          aria-pressed={chosen === state}
          title={meanings[state]}
          onClick={() => setQuery("state", chosen === state ? undefined : state)}
        >
          <StateShape state={state} />
          <b class="numeric" style={style}>
            {(counts[state] ?? 0).toLocaleString()}
          </b>{" "}
          {state}
        </button>
      ))}
    </div>
  );
}

const meanings: Readonly<Record<CellState, string>> = {
  failed: "Something of the profile cannot be deployed",
  waiting: "It waits for its turn, for other profiles or for the cluster",
  progressing: "It is being deployed or withdrawn",
  skipped: "It is paused, or only a dry run",
  ready: "All of it is deployed",
};

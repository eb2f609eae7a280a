import {
  cellStates,
  type CellState,
  type ProfileClusterItem,
  type ProfileHeadItem,
  type RollOutPhase,
} from "../../../src/dashboard/api/index.ts";
import { StateShape } from "../../component/state-badge.tsx";

const phases: readonly (readonly [RollOutPhase, string])[] = [
  ["updated", "updated"],
  ["updating", "being updated"],
  ["pending", "not begun"],
  ["removing", "being withdrawn"],
];

/** How far the profile has come over its clusters. */
export function RollOut({
  clusters,
  head,
}: {
  readonly clusters: readonly ProfileClusterItem[];
  readonly head: ProfileHeadItem | undefined;
}) {
  const updated = clusters.filter(({ phase }) => phase === "updated").length;
  const counts = Map.groupBy(clusters, ({ phase }) => phase);
  return (
    <section aria-labelledby="roll-out-title">
      <div class="section-head">
        <h2 id="roll-out-title">Roll-out</h2>
        <span class="quiet">{limitText(head, counts.get("updating")?.length ?? 0)}</span>
      </div>
      <div class="roll-out">
        <div class="roll-out-sum">
          <b class="numeric">
            {updated} of {clusters.length}
          </b>{" "}
          clusters have it
        </div>
        <StateBar clusters={clusters} />
        <ul class="phases">
          {phases.map(([phase, word]) => (
            <li key={phase} class={counts.has(phase) ? "" : "quiet"}>
              <b class="numeric">{counts.get(phase)?.length ?? 0}</b> {word}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function limitText(head: ProfileHeadItem | undefined, updating: number): string {
  if (head?.limit === undefined) return head === undefined ? "" : "all clusters at once: maxUpdate is not set";
  const clusters = head.limit === 1 ? "1 cluster" : `${head.limit} clusters`;
  return `at most ${clusters} at once (maxUpdate ${head.maxUpdate}), ${updating} now`;
}

/** A bar with a part for each state, as long as it is common. */
function StateBar({ clusters }: { readonly clusters: readonly ProfileClusterItem[] }) {
  const counts = Map.groupBy(clusters, ({ state }) => state);
  const states = cellStates.toReversed().filter((state) => counts.has(state));
  const count = (state: CellState) => counts.get(state)?.length ?? 0;
  return (
    <>
      <div class="state-bar" role="img" aria-label={states.map((state) => `${count(state)} ${state}`).join(", ")}>
        {states.map((state) => (
          <span key={state} class={`bar-${state}`} style={{ flexGrow: count(state) }} />
        ))}
      </div>
      <ul class="bar-legend">
        {states.map((state) => (
          <li key={state} class={`state state-${state}`}>
            <StateShape state={state} />
            <span class="numeric">{count(state)}</span> {state}
          </li>
        ))}
      </ul>
    </>
  );
}

import type { ReadonlySignal } from "@preact/signals";
import type { Camera } from "./camera.ts";
import type { Layout } from "./layout/layout-graph.ts";

/** Narrower ranks have no name. */
const leastWidth = 40;
/** How far a name stays from the edge. */
const edge = 6;

/** The names of stages and ranks above a graph. They move sideways with it. */
export function RankHeadings({
  layout,
  stages,
  camera,
}: {
  readonly layout: Layout;
  readonly stages: readonly string[];
  readonly camera: ReadonlySignal<Camera>;
}) {
  const { x, scale } = camera.value;
  const ranksOf = (stage: number) => layout.ranks.filter((rank) => rank.stage === stage).length;
  return (
    <>
      {layout.ranks.map(({ stage, rank, x: left, width }) => {
        // The name of a rank whose begin is not seen stays at the edge.
        const start = Math.max(edge, (left - x) * scale);
        const shown = (left + width - x) * scale - start;
        return shown < leastWidth ? null : (
          <span key={`${stage} ${rank}`} style={{ transform: `translateX(${start}px)`, width: `${shown}px` }}>
            {`${stages[stage] ?? ""}${ranksOf(stage) > 1 ? ` · rank ${rank}` : ""}`}
          </span>
        );
      })}
    </>
  );
}

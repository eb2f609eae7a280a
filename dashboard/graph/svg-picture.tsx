import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { shapeOf } from "../component/state-badge.tsx";
import type { GraphNode } from "./graph-data.ts";
import { sizes, type PlacedNode } from "./layout/layout-graph.ts";
import { linePath } from "./line-path.ts";
import { fitText } from "./node-fonts.ts";
import { nodeTexts, textLeft } from "./node-texts.ts";
import { lineStyleOf, lineStyles, type Marks, type PictureProps } from "./picture.ts";

/** A graph as SVG: texts are sharp and styles are CSS. A moving camera changes one attribute. */
export function SvgPicture({ layout, nodes, details, marks, camera, screen }: PictureProps) {
  const transform = useComputed(() => `scale(${camera.value.scale}) translate(${-camera.value.x} ${-camera.value.y})`);
  const width = useComputed(() => screen.value.width);
  const height = useComputed(() => screen.value.height);
  return (
    <svg class="graph-picture" width={width} height={height} aria-hidden="true">
      <g transform={transform}>
        <Lines layout={layout} details={details} marks={marks} />
        {layout.nodes.map((place) => {
          const node = nodes.get(place.id);
          return node === undefined ? null : <NodeBox key={place.id} place={place} node={node} marks={marks} />;
        })}
      </g>
    </svg>
  );
}

function Lines({ layout, details, marks }: Pick<PictureProps, "layout" | "details" | "marks">) {
  const paths = useMemo(() => layout.lines.map(({ points }) => linePath(points)), [layout]);
  const styled = layout.lines.map((line, at) => ({ line, at, style: lineStyleOf(at, details[at]!, marks) }));
  const sorted = styled.toSorted((a, b) => lineStyles.indexOf(a.style) - lineStyles.indexOf(b.style));
  return (
    <>
      {layout.units.map(({ type, x, y, width, height }, at) =>
        type === "node" ? null : (
          <rect key={`unit ${at}`} class={`graph-${type}`} x={x} y={y} width={width} height={height} rx={type === "join" ? width / 2 : 8} />
        ),
      )}
      {sorted.map(({ at, style }) => (
        <path key={at} class={`graph-line is-${style}`} d={paths[at]!}>
          <title>{[...details[at]!.reasons].join("\n")}</title>
        </path>
      ))}
      {layout.lines.map(({ points }, at) => {
        const text = [...details[at]!.gates].join(", ");
        return text === "" ? null : (
          <text key={`gate ${at}`} class="graph-gate" x={points.at(-2)! - 5} y={points.at(-1)! - 4}>
            {fitText(text, "small", sizes.layerGap - 8)}
          </text>
        );
      })}
    </>
  );
}

function NodeBox({ place, node, marks }: { readonly place: PlacedNode; readonly node: GraphNode; readonly marks: Marks }) {
  const { title, word, rest, restLeft } = nodeTexts(node);
  return (
    <g class={classOf(node, marks)} transform={`translate(${place.x} ${place.y})`} data-node={node.id}>
      <rect class="box" width={sizes.node.width} height={sizes.node.height} rx={5} />
      <path class="shape" d={shapeOf(node.state)} fill-rule="evenodd" transform="translate(9 8) scale(0.75)" />
      <text class="title" x={textLeft} y={18}>
        {title}
      </text>
      <text class="word" x={textLeft} y={33}>
        {word}
      </text>
      <text class="small" x={restLeft} y={33}>
        {rest}
      </text>
    </g>
  );
}

function classOf({ id, state }: GraphNode, { selected, focused, chain, critical }: Marks): string {
  const marks = [
    id === selected ? "is-selected" : "",
    id === focused ? "is-focused" : "",
    chain.has(id) ? "is-chain" : "",
    critical.has(id) ? "is-critical" : "",
  ];
  return ["graph-node", `state-${state}`, ...marks].filter((name) => name !== "").join(" ");
}

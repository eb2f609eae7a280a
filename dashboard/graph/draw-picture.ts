import { shapeOf, type State } from "../component/state-badge.tsx";
import { isSeen, type Camera, type Size } from "./camera.ts";
import type { CanvasColours } from "./canvas-colours.ts";
import type { GraphNode } from "./graph-data.ts";
import { sizes, type PlacedNode } from "./layout/layout-graph.ts";
import { drawLine } from "./line-path.ts";
import { fonts } from "./node-fonts.ts";
import { nodeTexts, textLeft } from "./node-texts.ts";
import { lineStyleOf, lineStyles, type LineStyle, type PictureProps } from "./picture.ts";

/** Below these scales there are no small texts, no titles and no shapes: nobody could read them. */
const scales = { small: 0.6, title: 0.4, shape: 0.2 } as const;

/** Draws the part of a graph that a camera sees. */
export function drawPicture(
  context: CanvasRenderingContext2D,
  picture: Pick<PictureProps, "layout" | "nodes" | "marks">,
  lines: ReadonlyMap<LineStyle, Path2D>,
  {
    camera,
    screen,
    colours,
    ratio,
  }: { readonly camera: Camera; readonly screen: Size; readonly colours: CanvasColours; readonly ratio: number },
): void {
  const zoom = camera.scale * ratio;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, screen.width * ratio, screen.height * ratio);
  context.setTransform(zoom, 0, 0, zoom, -camera.x * zoom, -camera.y * zoom);
  drawUnits(context, picture.layout, colours);
  for (const style of lineStyles) drawLines(context, lines.get(style), style, colours, camera.scale);
  for (const place of picture.layout.nodes) {
    const node = picture.nodes.get(place.id);
    if (node === undefined || !isSeen(camera, { ...place, ...sizes.node }, screen)) continue;
    drawNode(context, place, node, colours, camera.scale);
    drawMarks(context, place, picture.marks, colours, camera.scale);
  }
}

/** The lines of each style as one path, which a canvas draws faster than many. */
export function linePaths({ layout, details, marks }: Pick<PictureProps, "layout" | "details" | "marks">): ReadonlyMap<LineStyle, Path2D> {
  const paths = new Map(lineStyles.map((style) => [style, new Path2D()]));
  for (const [at, { points }] of layout.lines.entries()) drawLine(points, paths.get(lineStyleOf(at, details[at]!, marks))!);
  return paths;
}

function drawUnits(context: CanvasRenderingContext2D, { units }: PictureProps["layout"], colours: CanvasColours): void {
  for (const { type, x, y, width, height } of units) {
    if (type === "node") continue;
    context.beginPath();
    context.roundRect(x, y, width, height, type === "join" ? width / 2 : 8);
    context.fillStyle = type === "join" ? colours.lineStrong : colours.line;
    context.globalAlpha = type === "join" ? 1 : 0.35;
    context.fill();
    context.globalAlpha = 1;
  }
}

function drawLines(
  context: CanvasRenderingContext2D,
  path: Path2D | undefined,
  style: LineStyle,
  colours: CanvasColours,
  scale: number,
): void {
  if (path === undefined) return;
  const isStrong = style === "chain" || style === "critical";
  context.strokeStyle = {
    implied: colours.line,
    plain: colours.lineStrong,
    near: colours.accent,
    critical: colours.critical,
    chain: colours.chain,
  }[style];
  // Lines are at least a pixel wide, however small the picture is.
  context.lineWidth = Math.max(isStrong ? 2.5 : style === "near" ? 1.75 : 1.25, (isStrong ? 1.5 : 0.75) / scale);
  context.stroke(path);
}

function drawNode(context: CanvasRenderingContext2D, { x, y }: PlacedNode, node: GraphNode, colours: CanvasColours, scale: number): void {
  const { width, height } = sizes.node;
  const colour = colours.states[node.state];
  context.fillStyle = scale < scales.shape ? colour : node.state === "ready" ? colours.surface : colours.grounds[node.state];
  context.fillRect(x, y, width, height);
  if (scale < scales.shape) return;
  context.strokeStyle = node.state === "failed" ? colour : colours.lineStrong;
  context.lineWidth = 1;
  context.strokeRect(x, y, width, height);
  drawShape(context, node.state, x + 9, y + 8, colour, scale);
  if (scale < scales.title) return;
  const { title, word, rest, restLeft } = nodeTexts(node);
  context.fillStyle = colours.text;
  context.font = fonts.title;
  context.fillText(title, x + textLeft, y + 18);
  if (scale < scales.small) return;
  context.font = fonts.small;
  context.fillStyle = colour;
  context.fillText(word, x + textLeft, y + 33);
  context.fillStyle = colours.textQuiet;
  context.fillText(rest, x + restLeft, y + 33);
}

const shapes = new Map<State, Path2D>();

/** In a small picture the shape is as large as its node. */
function drawShape(context: CanvasRenderingContext2D, state: State, x: number, y: number, colour: string, scale: number): void {
  const path = shapes.get(state) ?? new Path2D(shapeOf(state));
  shapes.set(state, path);
  const size = scale < scales.title ? 1.6 : 0.75;
  context.save();
  context.translate(x, y);
  context.scale(size, size);
  context.fillStyle = colour;
  context.fill(path, "evenodd");
  context.restore();
}

function drawMarks(
  context: CanvasRenderingContext2D,
  { id, x, y }: PlacedNode,
  marks: PictureProps["marks"],
  colours: CanvasColours,
  scale: number,
): void {
  const frame = (colour: string, distance: number) => {
    context.strokeStyle = colour;
    context.lineWidth = Math.max(2, 1.5 / scale);
    context.strokeRect(x - distance, y - distance, sizes.node.width + 2 * distance, sizes.node.height + 2 * distance);
  };
  if (marks.critical.has(id)) frame(colours.critical, 0);
  if (marks.chain.has(id)) frame(colours.chain, 0);
  if (marks.selected === id) frame(colours.accent, 1);
  if (marks.focused === id) frame(colours.accent, 4);
}

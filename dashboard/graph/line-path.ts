/** Draws to somewhere: a path of SVG, or a canvas. */
type Pen = {
  readonly moveTo: (x: number, y: number) => void;
  readonly lineTo: (x: number, y: number) => void;
  readonly bezierCurveTo: (x1: number, y1: number, x2: number, y2: number, x: number, y: number) => void;
};

/** Draws a line: level where it passes a layer, in a curve between layers. */
export function drawLine(points: readonly number[], pen: Pen): void {
  pen.moveTo(points[0]!, points[1]!);
  for (let at = 2; at < points.length; at += 2) {
    const [fromX, fromY, x, y] = [points[at - 2]!, points[at - 1]!, points[at]!, points[at + 1]!];
    const middle = (fromX + x) / 2;
    if (fromY === y) pen.lineTo(x, y);
    else pen.bezierCurveTo(middle, fromY, middle, y, x, y);
  }
}

/** The same as the `d` of an SVG path. */
export function linePath(points: readonly number[]): string {
  const parts: string[] = [];
  drawLine(points, {
    moveTo: (x, y) => parts.push(`M${x} ${y}`),
    lineTo: (x, y) => parts.push(`L${x} ${y}`),
    bezierCurveTo: (...numbers) => parts.push(`C${numbers.join(" ")}`),
  });
  return parts.join("");
}

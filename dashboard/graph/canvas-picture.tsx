import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { canvasColours } from "./canvas-colours.ts";
import { drawPicture, linePaths } from "./draw-picture.ts";
import type { PictureProps } from "./picture.ts";

/** A graph on a canvas, for what would be too many elements. It is drawn at most once for each frame. */
export function CanvasPicture(props: PictureProps) {
  const { layout, details, marks, camera, screen } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const lines = useMemo(() => linePaths(props), [layout, details, marks]);
  const drawn = useRef({ props, lines });
  const version = useSignal(0);
  const frame = useRef(0);
  drawn.current = { props, lines };
  useEffect(() => void version.value++, [props.nodes, layout, marks, lines]);
  useEffect(() => {
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const redraw = () => void version.value++;
    scheme.addEventListener("change", redraw);
    return () => {
      scheme.removeEventListener("change", redraw);
      cancelAnimationFrame(frame.current);
    };
  }, []);
  useSignalEffect(() => {
    void [camera.value, screen.value, version.value];
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => draw(canvas.current, drawn.current));
  });
  return <canvas class="graph-picture" ref={canvas} aria-hidden="true" />;
}

function draw(
  canvas: HTMLCanvasElement | null,
  { props, lines }: { readonly props: PictureProps; readonly lines: ReturnType<typeof linePaths> },
): void {
  const context = canvas?.getContext("2d");
  if (canvas === null || context === null || context === undefined) return;
  const [screen, ratio] = [props.screen.peek(), devicePixelRatio];
  const [width, height] = [Math.round(screen.width * ratio), Math.round(screen.height * ratio)];
  if (canvas.width !== width || canvas.height !== height) {
    Object.assign(canvas, { width, height });
    Object.assign(canvas.style, { width: `${screen.width}px`, height: `${screen.height}px` });
  }
  drawPicture(context, props, lines, { camera: props.camera.peek(), screen, ratio, colours: canvasColours(canvas) });
}

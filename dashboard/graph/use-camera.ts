import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { centred, fitted, panned, readable, zoomed, type Camera, type Size } from "./camera.ts";
import { sizes, type Layout } from "./layout/layout-graph.ts";

/** A first look is not smaller than this. */
const leastScale = 0.75;

export type CameraControl = {
  readonly camera: Signal<Camera>;
  readonly screen: Signal<Size>;
  readonly pan: (dx: number, dy: number) => void;
  /** Around a point of the screen; its middle by default. */
  readonly zoom: (factor: number, at?: { readonly x: number; readonly y: number }) => void;
  /** The whole graph. */
  readonly fit: () => void;
};

/** A camera over a layout in an element. The first look shows the whole, or what `start` names where the whole is too small to read. */
export function useCamera(
  element: { readonly current: HTMLElement | null },
  layout: Layout | undefined,
  start: string | undefined,
): CameraControl {
  const camera = useSignal<Camera>({ x: 0, y: 0, scale: 1 });
  const screen = useSignal<Size>({ width: 0, height: 0 });
  const hasLooked = useRef(false);
  /** Who asks for the whole before the first look gets it: the first look does not replace it. */
  const isWholeWanted = useRef(false);
  const look = () => {
    const { width, height } = screen.peek();
    if (hasLooked.current || layout === undefined || width === 0 || height === 0) return;
    hasLooked.current = true;
    const first = readable(layout, screen.peek(), leastScale);
    const place = layout.nodes.find(({ id }) => id === start);
    const isWhole = fitted(layout, screen.peek()).scale >= leastScale;
    if (isWholeWanted.current) camera.value = fitted(layout, screen.peek());
    else if (isWhole || place === undefined) camera.value = first;
    else camera.value = panned(centred(centreOf(place), leastScale, screen.peek()), 0, 0, layout, screen.peek());
  };
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      screen.value = { width, height };
      look();
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [layout !== undefined]);
  useEffect(look, [layout]);
  const change = (next: (picture: Layout) => Camera) => {
    if (layout !== undefined) camera.value = next(layout);
  };
  return {
    camera,
    screen,
    pan: (dx, dy) => change((picture) => panned(camera.peek(), dx, dy, picture, screen.peek())),
    zoom: (factor, at = { x: screen.peek().width / 2, y: screen.peek().height / 2 }) =>
      change((picture) => zoomed(camera.peek(), factor, at, picture, screen.peek())),
    fit: () => {
      isWholeWanted.current = true;
      change((picture) => fitted(picture, screen.peek()));
    },
  };
}

function centreOf({ x, y }: { readonly x: number; readonly y: number }) {
  return { x: x + sizes.node.width / 2, y: y + sizes.node.height / 2 };
}

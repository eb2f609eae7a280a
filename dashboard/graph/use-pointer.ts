import { useRef } from "preact/hooks";
import { sizes, type Layout } from "./layout/layout-graph.ts";
import type { CameraControl } from "./use-camera.ts";

type PointerOptions = {
  /** Undefined beside all nodes. */
  readonly onClick: (id: string | undefined) => void;
  readonly onHover: (id: string | undefined) => void;
};

type Drag = { readonly startX: number; readonly startY: number; x: number; y: number; hasMoved: boolean };

/** A pointer that moves less than this has clicked. */
const clickDistance = 4;

/** What the pointer does: it drags the picture, clicks nodes, and the wheel moves it or, with Ctrl, sets its size. */
export function usePointer(layout: Layout | undefined, control: CameraControl, { onClick, onHover }: PointerOptions) {
  const drag = useRef<Drag | undefined>(undefined);
  const nodeAt = (event: PointerEvent) => {
    const point = pointOf(event);
    const { x, y, scale } = control.camera.peek();
    const at = { x: x + point.x / scale, y: y + point.y / scale };
    const { width, height } = sizes.node;
    return layout?.nodes.find((node) => at.x >= node.x && at.x <= node.x + width && at.y >= node.y && at.y <= node.y + height)?.id;
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      drag.current = { startX: event.clientX, startY: event.clientY, x: event.clientX, y: event.clientY, hasMoved: false };
    },
    onPointerMove: (event: PointerEvent) => {
      const held = drag.current;
      if (held === undefined) return onHover(nodeAt(event));
      const isFar = Math.hypot(event.clientX - held.startX, event.clientY - held.startY) >= clickDistance;
      if (isFar && !held.hasMoved) {
        held.hasMoved = true;
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      }
      if (held.hasMoved) control.pan(held.x - event.clientX, held.y - event.clientY);
      [held.x, held.y] = [event.clientX, event.clientY];
    },
    onPointerUp: (event: PointerEvent) => {
      if (drag.current?.hasMoved === false) onClick(nodeAt(event));
      drag.current = undefined;
    },
    onPointerCancel: () => (drag.current = undefined),
    onWheel: (event: WheelEvent) => {
      if (event.ctrlKey) control.zoom(Math.exp(-event.deltaY / 300), pointOf(event));
      else if (layout === undefined || isWhole(layout, control)) return;
      else control.pan(event.deltaX, event.deltaY);
      event.preventDefault();
    },
  };
}

/** A graph that is seen whole lets the wheel scroll the page. */
function isWhole({ width, height }: Layout, { camera, screen }: CameraControl): boolean {
  const { scale } = camera.peek();
  return width * scale <= screen.peek().width && height * scale <= screen.peek().height;
}

/** The place of the pointer in the element that listens. */
function pointOf(event: MouseEvent): { readonly x: number; readonly y: number } {
  const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

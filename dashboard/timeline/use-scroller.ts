import { useEffect, useRef, useState } from "preact/hooks";
import { scrollTopFor } from "./row-window.ts";

/** The height of the axis above the rows, in pixels; `.timeline-axis` has the same. */
const axisHeight = 22;

/** What is seen of rows that scroll: its distance from the top, its size, and a way to scroll to a row. */
export function useScroller() {
  const element = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, width: 0, height: 0 });
  const look = () => {
    // An observer may call once more after the end.
    if (element.current === null) return;
    const { scrollTop: top, clientWidth: width, clientHeight } = element.current;
    const height = clientHeight - axisHeight;
    setSeen((before) => (before.top === top && before.width === width && before.height === height ? before : { top, width, height }));
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  const reveal = (at: number) => {
    const { scrollTop, clientHeight } = element.current!;
    element.current!.scrollTop = scrollTopFor(at, scrollTop, clientHeight - axisHeight);
  };
  return { element, seen, onScroll: look, reveal };
}

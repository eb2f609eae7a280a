import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { rowHeight, rowWindow } from "./row-window.ts";
import { timeTicks } from "./time-ticks.ts";
import { TimelineAxis, TimelineGrid } from "./timeline-axis.tsx";
import type { TimelineChartProps } from "./timeline-data.ts";
import { timelineKeys } from "./timeline-keys.ts";
import { TimelineLegend } from "./timeline-legend.tsx";
import { TimelineRow } from "./timeline-row.tsx";
import { useScroller } from "./use-scroller.ts";

/** Marks of the axis stand at least so far apart, in pixels; that much of the width is not the axis'. */
const [tickDistance, besideWide, besideNarrow, wide] = [60, 530, 230, 640];

/** When each object was applied and when it was ready, and what it waited for. Only rows that are seen are drawn. */
export function TimelineChart({ rows, label, lengthMs, nowMs, selected, onSelect, criticalPath = [] }: TimelineChartProps) {
  const { element, seen, onScroll, reveal } = useScroller();
  const [focused, setFocused] = useState<string>();
  const places = useMemo(() => new Map(rows.map(({ id }, at) => [id, at])), [rows]);
  const critical = useMemo(() => new Set(criticalPath), [criticalPath]);
  const { first, end } = rowWindow(rows.length, seen.top, seen.height);
  const active = focused === undefined ? undefined : places.get(focused);
  const chosen = selected === undefined ? undefined : places.get(selected);
  useEffect(() => {
    if (chosen !== undefined) reveal(chosen);
  }, [selected, chosen !== undefined]);
  const focus = (at: number) => {
    setFocused(rows[at]?.id);
    reveal(at);
  };
  const select = (at: number | undefined) => onSelect?.(at === undefined ? undefined : rows[at]?.id);
  const at = active ?? chosen ?? 0;
  const onKeyDown = timelineKeys({ count: rows.length, at, page: Math.max(1, Math.floor(seen.height / rowHeight) - 1), focus, select });
  const onClick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-at]") : null;
    if (row === null) return;
    focus(Number(row.dataset["at"]));
    select(Number(row.dataset["at"]));
  };
  const uid = useId();
  const idOf = (place: number) => `${uid}-${place}`;
  const ticks = timeTicks(lengthMs, Math.max(2, Math.floor((seen.width - (seen.width < wide ? besideNarrow : besideWide)) / tickDistance)));
  const now = nowMs === undefined ? {} : { nowMs };
  return (
    <div class="timeline">
      <div class="timeline-scroller" ref={element} onScroll={onScroll}>
        <TimelineAxis ticks={ticks} lengthMs={lengthMs} />
        <div class="timeline-content" style={{ height: `${rows.length * rowHeight}px` }}>
          <TimelineGrid ticks={ticks} lengthMs={lengthMs} {...now} />
          <div
            class="timeline-rows"
            role="listbox"
            tabIndex={0}
            aria-label={label}
            aria-activedescendant={active === undefined || active < first || active >= end ? undefined : idOf(active)}
            onFocus={() => (focused === undefined ? setFocused(rows[at]?.id) : undefined)}
            onBlur={() => setFocused(undefined)}
            onKeyDown={onKeyDown}
            onClick={onClick}
          >
            {rows.slice(first, end).map((row, index) => (
              <TimelineRow
                key={row.id}
                row={row}
                at={first + index}
                count={rows.length}
                id={idOf(first + index)}
                lengthMs={lengthMs}
                nowMs={nowMs ?? lengthMs}
                isSelected={row.id === selected}
                isFocused={row.id === focused}
                isCritical={critical.has(row.id)}
              />
            ))}
          </div>
        </div>
      </div>
      <TimelineLegend />
    </div>
  );
}

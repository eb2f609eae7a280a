import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { CellReading, FleetProfileItem, FleetRowItem } from "../../../src/dashboard/api/index.ts";
import { shapeOf } from "../../component/state-badge.tsx";
import { CellTip, type Tip } from "./cell-tip.tsx";
import { positionAfter, type GridPosition } from "./grid-position.ts";
import { revealed } from "./grid-window.ts";
import type { MatrixLine } from "./matrix-lines.ts";
import { MatrixHead } from "./matrix-head.tsx";
import { MatrixRow, type ColumnHead, type KnownCells } from "./matrix-row.tsx";
import { useGridWindow } from "./use-grid-window.ts";

/** A cell by the keys of its cluster and its column. */
export type CellKey = { readonly cluster: string; readonly column: string };

type GridProps = {
  readonly columns: readonly FleetProfileItem[];
  readonly lines: readonly MatrixLine[];
  readonly clusters: number;
  /** What it means that a cell is not there. */
  readonly reading: CellReading;
  readonly context: string;
  readonly selected: CellKey | undefined;
  readonly onSelect: (cell: CellKey | undefined) => void;
  readonly onToggle: (group: string) => void;
  /** The state of a cell and why it is so. */
  readonly textOf: (row: FleetRowItem, column: number) => string;
};

/** The shapes of states, which styles refer to: a cell is one element, for there are thousands. */
const shapes = Object.fromEntries(
  (["ready", "progressing", "waiting", "failed", "skipped"] as const).map((state) => [
    `--shape-${state}`,
    `path(evenodd, "${shapeOf(state)}")`,
  ]),
);

/** What has the focus, by keys: news may move it. The keys of headings are empty. */
type Focus = { readonly line: string; readonly column: string };

/** Clusters by profiles. Only what is on the screen is drawn; one element has the focus, and arrow keys move it. */
export function MatrixGrid({ columns, lines, clusters, reading, context, selected, onSelect, onToggle, textOf }: GridProps) {
  const frame = useGridWindow();
  const focus = useSignal<Focus>({ line: lines[0]?.key ?? "", column: "" });
  const tip = useSignal<Tip | undefined>(undefined);
  const isFocusDue = useRef(false);
  const poolSize = useRef(1);
  const heads = useHeads(columns);
  const lineAt = useMemo(() => new Map(lines.map(({ key }, at) => [key, at])), [lines]);
  const columnAt = useMemo(() => new Map(heads.map(({ key }, at) => [key, at])), [heads]);
  const { fromLine, toLine, fromColumn, toColumn } = frame.window.value;
  const sizes = frame.sizes.value;
  const active = positionOf(focus.value, lineAt, columnAt);
  const shownHeads = useMemo(() => slice(heads, fromColumn, toColumn), [heads, fromColumn, toColumn]);
  const cells = useMemo<KnownCells>(() => new Map(), [heads, sizes]);
  const width = sizes.side + columns.length * sizes.column;

  // Whether the focus is here before anything is drawn: its element may then be another line's, or gone.
  const hadFocus = frame.element.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (!isFocusDue.current && !hadFocus) return;
    isFocusDue.current = false;
    const element = elementAt(frame.element.current, focus.peek().line, active.column);
    if (element !== document.activeElement) element?.focus({ preventScroll: true });
  });
  // A filter that leaves fewer lines may leave the window below them.
  useEffect(frame.onScroll, [lines.length, columns.length]);

  const moveTo = (position: GridPosition) => {
    const element = frame.element.current;
    const { left, top } = revealed(frame.view(), sizes, position.line - 1, position.column - 1);
    element?.scrollTo({ left, top });
    frame.onScroll();
    isFocusDue.current = true;
    focus.value = { line: lines[position.line - 1]?.key ?? "", column: heads[position.column - 1]?.key ?? "" };
  };
  const activate = (place: Focus) => {
    const line = lines[lineAt.get(place.line) ?? -1];
    if (line?.type === "group") onToggle(line.value);
    else if (line !== undefined && place.column !== "") onSelect({ cluster: line.key, column: place.column });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((frame.view().height - sizes.head) / sizes.row) - 1);
    const next = event.altKey ? undefined : positionAfter(active, event, { lines: lines.length + 1, columns: heads.length + 1, page });
    if (next !== undefined) moveTo(next);
    else if (event.key === "Escape") onSelect(undefined);
    else if ((event.key === "Enter" || event.key === " ") && active.line > 0 && active.column > 0) activate(focus.peek());
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const place = placeOf(event.target, heads);
    if (place === undefined || place.line === "") return;
    focus.value = place;
    activate(place);
  };
  const onFocusIn = (event: FocusEvent) => {
    const place = placeOf(event.target, heads);
    if (place !== undefined && (place.line !== focus.peek().line || place.column !== focus.peek().column)) focus.value = place;
    if (event.target instanceof HTMLElement && event.target.matches(":focus-visible")) showTip(event.target, lines, heads, tip);
  };
  // Elements of lines that leave the screen are used for those that come: to make new ones takes longer.
  const pool = (poolSize.current = Math.max(poolSize.current, toLine - fromLine));
  const rows = drawnLines(lines.length, fromLine, toLine, active.line - 1);
  return (
    <>
      <div
        class="matrix"
        role="grid"
        aria-label="Clusters by profiles"
        aria-rowcount={lines.length + 1}
        aria-colcount={columns.length + 1}
        ref={frame.element}
        style={{ ...shapes, "--column": `${sizes.column}px`, "--side": `${sizes.side}px` }}
        onScroll={() => {
          tip.value = undefined;
          frame.onScroll();
        }}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocusIn={onFocusIn}
        onFocusOut={() => (tip.value = undefined)}
        onPointerOver={(event) => event.pointerType === "mouse" && showTip(event.target, lines, heads, tip)}
        onPointerLeave={() => (tip.value = undefined)}
      >
        <div role="rowgroup" class="matrix-top" style={{ width: `${width}px` }}>
          <MatrixHead
            columns={slice(columns, fromColumn, toColumn, active.line === 0 ? active.column - 1 : -1)}
            clusters={clusters}
            reading={reading}
            sizes={sizes}
            active={active.line === 0 ? active.column : undefined}
            context={context}
          />
        </div>
        <div role="rowgroup" class="matrix-body" style={{ width: `${width}px`, height: `${lines.length * sizes.row}px` }}>
          {rows.map((at) => (
            <MatrixRow
              key={at < fromLine || at >= toLine ? "active" : at % pool}
              line={lines[at]!}
              index={at}
              columns={at === active.line - 1 ? slice(heads, fromColumn, toColumn, active.column - 1) : shownHeads}
              sizes={sizes}
              active={at === active.line - 1 ? active.column : undefined}
              selected={selected?.cluster === lines[at]!.key ? selected.column : undefined}
              textOf={textOf}
              reading={reading}
              context={context}
              cells={cells}
            />
          ))}
        </div>
      </div>
      <CellTip tip={tip} />
    </>
  );
}

/** The columns without their counts: the same as before while none is added, removed or renamed. */
function useHeads(columns: readonly FleetProfileItem[]): readonly ColumnHead[] {
  const known = JSON.stringify(columns.map(({ key, column }) => [key, column]));
  return useMemo(() => columns.map(({ key, column, kind, name }) => ({ key, column, kind, name })), [known]);
}

function positionOf(focus: Focus, lineAt: ReadonlyMap<string, number>, columnAt: ReadonlyMap<string, number>): GridPosition {
  const line = focus.line === "" ? 0 : (lineAt.get(focus.line) ?? 0) + 1;
  return { line: Math.min(line, lineAt.size), column: focus.column === "" ? 0 : (columnAt.get(focus.column) ?? -1) + 1 };
}

/** The part of a list that is drawn, with each one's number in the whole; `also` is drawn wherever it is, for it has the focus. */
function slice<T>(all: readonly T[], from: number, to: number, also = -1): readonly (readonly [number, T])[] {
  const part = all.slice(from, to).map((each, at) => [from + at, each] as const);
  const other = also < from || also >= to ? all[also] : undefined;
  return other === undefined ? part : [...part, [also, other]];
}

function drawnLines(count: number, from: number, to: number, also: number): readonly number[] {
  const numbers = Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, at) => from + at);
  return also >= 0 && also < count && (also < from || also >= to) ? [...numbers, also] : numbers;
}

/** The place of an element in the grid; undefined beside all cells. */
function placeOf(target: EventTarget | null, heads: readonly ColumnHead[]): Focus | undefined {
  if (!(target instanceof Element)) return undefined;
  const line = target.closest<HTMLElement>("[data-line]");
  const cell = target.closest<HTMLElement>("[data-column]");
  if (line === null || cell === null) return undefined;
  return { line: line.dataset["line"] ?? "", column: heads[Number(cell.dataset["column"]) - 1]?.key ?? "" };
}

function elementAt(grid: HTMLElement | null, line: string, column: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-line="${CSS.escape(line)}"] [data-column="${column}"]`) ?? null;
}

/** Says what a cell means, beside it. */
function showTip(
  target: EventTarget | null,
  lines: readonly MatrixLine[],
  heads: readonly ColumnHead[],
  tip: { value: Tip | undefined },
): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-column]") : null;
  const place = placeOf(target, heads);
  const text = cell?.getAttribute("aria-label");
  if (cell === null || place === undefined || text === null || text === undefined) return void (tip.value = undefined);
  const line = lines.find(({ key }) => key === place.line);
  const title = line === undefined ? "" : line.type === "cluster" ? `${line.cluster.namespace}/${line.cluster.name}` : line.value;
  const { left, top, bottom } = cell.getBoundingClientRect();
  tip.value = { title, text, left, top, bottom };
}

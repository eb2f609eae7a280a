import { Component, type VNode } from "preact";
import {
  cellStateAt,
  pathOf,
  type CellReading,
  type CellState,
  type FleetClusterItem,
  type FleetProfileItem,
  type FleetRowItem,
} from "../../../src/dashboard/api/index.ts";
import { StateShape } from "../../component/state-badge.tsx";
import { clusterWords } from "./cluster-words.ts";
import { absentWords, countsText, worstOf, type MatrixLine, type StateCounts } from "./matrix-lines.ts";

/** A column as rows need it. It does not change when counts do. */
export type ColumnHead = Pick<FleetProfileItem, "key" | "column" | "kind" | "name">;

type RowProps = {
  readonly line: MatrixLine;
  /** Among all lines. */
  readonly index: number;
  /** The columns that are drawn, each with its number among all that are shown. */
  readonly columns: readonly (readonly [at: number, head: ColumnHead])[];
  readonly sizes: { readonly row: number; readonly column: number; readonly side: number };
  /** The number of the column that has the focus: 0 is the name, undefined in all other rows. */
  readonly active: number | undefined;
  /** The key of the column whose details are shown. */
  readonly selected: string | undefined;
  readonly textOf: (row: FleetRowItem, column: number) => string;
  /** What it means that a cell is not there. */
  readonly reading: CellReading;
  readonly context: string;
  readonly cells: KnownCells;
};

/** Cells by what they show. One that is the same as before costs nothing when its row is drawn again, and most cells are. */
export type KnownCells = Map<string, VNode>;

/** Reasons that name their cluster make cells that nobody else has. */
const maxKnown = 5_000;

/** The place of whatever in the grid may have the focus. */
export function focusPlace(column: number, isActive: boolean) {
  return { tabIndex: isActive ? 0 : -1, "data-column": column };
}

/** One line of the matrix. It is drawn again only when something of it has changed: there may be thousands of cells. */
export class MatrixRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { line: before, ...rest } = this.props;
    const { line: after, ...others } = next;
    return !isSameLine(before, after) || !isSame(rest, others);
  }

  override render({ line, index, columns, sizes, active, selected, textOf, reading, context, cells }: RowProps) {
    const style = { transform: `translateY(${index * sizes.row}px)`, height: `${sizes.row}px` };
    return (
      <div role="row" class={`matrix-row is-${line.type}`} aria-rowindex={index + 2} data-line={line.key} style={style}>
        {line.type === "cluster" ? (
          <ClusterName cluster={line.cluster} isActive={active === 0} width={sizes.side} context={context} />
        ) : (
          <GroupName line={line} isActive={active === 0} width={sizes.side} />
        )}
        {columns.map(([at, head]) => {
          const cell = cellOf(line, head, textOf, reading);
          const isPlain = active !== at + 1 && selected !== head.key;
          return isPlain
            ? knownCell(cells, at, head, cell, sizes)
            : drawCell(at, head, cell, sizes, active === at + 1, selected === head.key);
        })}
      </div>
    );
  }
}

function knownCell(cells: KnownCells, at: number, head: ColumnHead, cell: Cell, sizes: RowProps["sizes"]): VNode {
  const key = `${at} ${cell.state} ${cell.text}`;
  const known = cells.get(key);
  if (known !== undefined) return known;
  if (cells.size >= maxKnown) cells.clear();
  const drawn = drawCell(at, head, cell, sizes, false, false);
  cells.set(key, drawn);
  return drawn;
}

function drawCell(
  at: number,
  head: ColumnHead,
  { state, text }: Cell,
  sizes: RowProps["sizes"],
  isActive: boolean,
  isSelected: boolean,
): VNode {
  return (
    <div
      key={head.key}
      role="gridcell"
      class={`matrix-cell is-${state}${isSelected ? " is-selected" : ""}`}
      aria-colindex={at + 2}
      aria-label={`${head.name}: ${text}`}
      style={{ left: `${sizes.side + at * sizes.column}px`, width: `${sizes.column}px` }}
      {...focusPlace(at + 1, isActive)}
    />
  );
}

/** `none`: the profile does not match; `unread`: nobody knows. */
type Cell = { readonly state: CellState | "none" | "unread"; readonly text: string };

function cellOf(line: MatrixLine, { column }: ColumnHead, textOf: RowProps["textOf"], reading: CellReading): Cell {
  if (line.type === "group") return groupCellOf(line.cells.get(column) ?? {}, line.clusters, reading);
  const state = line.row === undefined ? undefined : cellStateAt(line.row.cells, column);
  if (state !== undefined && line.row !== undefined) return { state, text: textOf(line.row, column) };
  return { state: reading === "read" ? "none" : "unread", text: absentWords[reading] };
}

/** What is not read may be worse than what is, unless that is the worst already. */
function groupCellOf(counts: StateCounts, clusters: number, reading: CellReading): Cell {
  const state = worstOf(counts);
  const absent = clusters - Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (reading === "read" || absent === 0)
    return { state: state ?? "none", text: state === undefined ? absentWords.read : countsText(counts) };
  const text = [countsText(counts), `${absent} ${absentWords[reading]}`].filter((part) => part !== "").join(", ");
  return { state: state === "failed" ? state : "unread", text };
}

function ClusterName(props: {
  readonly cluster: FleetClusterItem;
  readonly isActive: boolean;
  readonly width: number;
  readonly context: string;
}) {
  const { cluster, isActive, width, context } = props;
  const { kind, namespace, name, state, message } = cluster;
  return (
    <div role="rowheader" class="matrix-side" aria-colindex={1} style={{ width: `${width}px` }}>
      <span class={`state state-${state}`} title={message ?? clusterWords[state]}>
        <StateShape state={state} />
        <span class="only-read-aloud">{clusterWords[state]}</span>
      </span>
      <a href={pathOf({ type: "cluster", context, kind, namespace, name })} title={`${namespace}/${name}`} {...focusPlace(0, isActive)}>
        {name}
      </a>
    </div>
  );
}

function GroupName({
  line,
  isActive,
  width,
}: {
  readonly line: MatrixLine & { type: "group" };
  readonly isActive: boolean;
  readonly width: number;
}) {
  const { value, clusters, isOpen, counts } = line;
  const failed = counts.failed ?? 0;
  return (
    <div role="rowheader" class="matrix-side" aria-colindex={1} style={{ width: `${width}px` }}>
      <button type="button" class="group-name" aria-expanded={isOpen} title={countsText(counts)} {...focusPlace(0, isActive)}>
        <svg viewBox="0 0 16 16" aria-hidden="true" fill="currentColor">
          <path d="M5 2l7 6-7 6z" />
        </svg>
        <b>{value === "" ? "without it" : value}</b>
        <span class="quiet numeric">{clusters}</span>
        {failed === 0 ? null : (
          <span class="state-failed numeric">
            {failed.toLocaleString()} <span class="where-wide">failed</span>
          </span>
        )}
      </button>
    </div>
  );
}

function isSameLine(a: MatrixLine, b: MatrixLine): boolean {
  if (a.type === "group" || b.type === "group") return false;
  return a.key === b.key && a.cluster === b.cluster && a.row === b.row;
}

function isSame(a: object, b: object): boolean {
  const [before, after] = [Object.entries(a), b as Readonly<Record<string, unknown>>];
  return before.every(([key, value]) => after[key] === value);
}

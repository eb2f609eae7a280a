import { cellStates, letterOf, noCell, cellStateAt } from "../api/index.ts";
import type {
  CellReading,
  CellState,
  FleetClusterItem,
  FleetKnownItem,
  FleetProfileItem,
  FleetReasonItem,
  FleetRowItem,
  Item,
  ItemChange,
} from "../api/index.ts";
import type { MatrixColumn } from "./matrix-column.ts";
import { ReasonTable } from "./reason-table.ts";

/** One profile in one cluster. */
export type MatrixCell = { readonly cluster: string; readonly column: string; readonly state: CellState; readonly reason?: string };

type Row = { readonly item: FleetRowItem; readonly used: readonly number[] };
type Column = { readonly number: number; readonly column: MatrixColumn | undefined };

/** Why a cluster that a profile matches may have nothing of it. */
export const heldBack = "there is no ClusterSummary yet: spec.maxUpdate holds it back, or the cluster is not ready";

/** Clusters by profiles. It gets one change at a time, and tells what is to be drawn anew. */
export class FleetMatrix {
  readonly #clusters = new Map<string, FleetClusterItem>();
  readonly #columns = new Map<string, Column>();
  readonly #freeColumns: number[] = [];
  /** The cells by cluster, then by column: a trigger may have several. Most have one, for which a list is smaller than a map. */
  readonly #cells = new Map<string, Map<string, readonly MatrixCell[]>>();
  readonly #summaries = new Map<string, MatrixCell>();
  readonly #rows = new Map<string, Row>();
  readonly #reasons = new ReasonTable();
  readonly #changedClusters = new Set<string>();
  readonly #changedRows = new Set<string>();
  readonly #goneColumns = new Set<string>();
  #reading: CellReading = "reading";
  /** The columns as they were last told. */
  readonly #told = new Map<string, string>();

  /** Says whether all cells have been put. What is missing before means nothing. */
  setReading(reading: CellReading): void {
    if (this.#reading === reading) return;
    this.#reading = reading;
    for (const key of this.#clusters.keys()) this.#changedRows.add(key);
  }

  putCluster(item: FleetClusterItem): void {
    if (!this.#clusters.has(item.key)) this.#changedRows.add(item.key);
    this.#clusters.set(item.key, item);
    this.#changedClusters.add(item.key);
  }

  dropCluster(key: string): void {
    this.#clusters.delete(key);
    this.#changedClusters.add(key);
    this.#changedRows.add(key);
  }

  putColumn(column: MatrixColumn): void {
    const known = this.#columns.get(column.key);
    this.#columns.set(column.key, { number: known?.number ?? this.#newNumber(), column });
    const before = known?.column?.matching;
    for (const cluster of column.matching) if (before?.has(cluster) !== true) this.#changedRows.add(cluster);
    for (const cluster of before ?? []) if (!column.matching.has(cluster)) this.#changedRows.add(cluster);
  }

  dropColumn(key: string): void {
    const known = this.#columns.get(key);
    if (known === undefined) return;
    for (const cluster of known.column?.matching ?? []) this.#changedRows.add(cluster);
    this.#columns.set(key, { number: known.number, column: undefined });
    this.#removeIfEmpty(key);
  }

  /** Puts the cell of a ClusterSummary, by a name of it that is unique. */
  putCell(summary: string, cell: MatrixCell): void {
    this.dropCell(summary);
    if (!this.#columns.has(cell.column)) this.#columns.set(cell.column, { number: this.#newNumber(), column: undefined });
    const row = this.#cells.get(cell.cluster) ?? new Map<string, readonly MatrixCell[]>();
    const others = row.get(cell.column);
    this.#cells.set(cell.cluster, row.set(cell.column, others === undefined ? [cell] : [...others, cell]));
    this.#summaries.set(summary, cell);
    this.#changedRows.add(cell.cluster);
  }

  dropCell(summary: string): void {
    const known = this.#summaries.get(summary);
    if (known === undefined) return;
    this.#summaries.delete(summary);
    const row = this.#cells.get(known.cluster);
    const others = row?.get(known.column)?.filter((cell) => cell !== known) ?? [];
    if (others.length > 0) row?.set(known.column, others);
    else row?.delete(known.column);
    if (row?.size === 0) this.#cells.delete(known.cluster);
    this.#changedRows.add(known.cluster);
    this.#removeIfEmpty(known.column);
  }

  /** The items that have changed since the last call. */
  takeChanges(): ItemChange {
    const set: (readonly [string, Item])[] = [];
    const remove: string[] = [];
    for (const key of this.#changedRows) this.#drawRow(key, set, remove);
    for (const key of this.#changedClusters) {
      const item = this.#clusters.get(key);
      if (item === undefined) remove.push(`cluster/${key}`);
      else set.push([`cluster/${key}`, item]);
    }
    for (const key of this.#goneColumns) if (!this.#columns.has(key)) remove.push(`profile/${key}`);
    set.push(...this.#changedColumns());
    for (const [number, text] of this.#reasons.takeChanges()) {
      const item: FleetReasonItem = { type: "reason", number, text: text ?? "" };
      if (text === undefined) remove.push(`reason/${number}`);
      else set.push([`reason/${number}`, item]);
    }
    const known: FleetKnownItem = { type: "known", cells: this.#reading };
    set.push(["known", known]);
    for (const changed of [this.#changedRows, this.#changedClusters, this.#goneColumns]) changed.clear();
    return { set, remove };
  }

  #newNumber(): number {
    return this.#freeColumns.pop() ?? this.#columns.size;
  }

  /** A column is there while there is the profile or a cell of it. */
  #removeIfEmpty(key: string): void {
    const known = this.#columns.get(key);
    if (known === undefined || known.column !== undefined || this.#hasCells(key)) return;
    this.#columns.delete(key);
    this.#freeColumns.push(known.number);
    this.#goneColumns.add(key);
    this.#told.delete(key);
  }

  #hasCells(key: string): boolean {
    for (const row of this.#cells.values()) if (row.has(key)) return true;
    return false;
  }

  #drawRow(key: string, set: (readonly [string, Item])[], remove: string[]): void {
    const before = this.#rows.get(key);
    if (!this.#clusters.has(key)) {
      this.#rows.delete(key);
      if (before !== undefined) remove.push(`row/${key}`);
    } else {
      const row = this.#rowOf(key);
      this.#rows.set(key, row);
      set.push([`row/${key}`, row.item]);
    }
    // The new row holds its reasons already, so that those which stay keep their numbers.
    for (const number of before?.used ?? []) this.#reasons.release(number);
  }

  #rowOf(key: string): Row {
    const cells = this.#cells.get(key);
    const letters: string[] = [];
    const reasons: Record<number, number> = {};
    for (const [name, { number, column }] of this.#columns) {
      const isMissing = this.#reading === "read" && column?.matching.has(key) === true;
      const worst = this.#cellOf(name, cells?.get(name) ?? []) ?? (isMissing ? waiting : undefined);
      if (worst === undefined) continue;
      letters[number] = letterOf(worst.state);
      if (worst.reason !== undefined) reasons[number] = this.#reasons.use(worst.reason);
    }
    const text = Array.from(letters, (letter) => letter ?? noCell).join("");
    const used = Object.values(reasons);
    return { item: { type: "row", key, cells: text, ...(used.length === 0 ? {} : { reasons }) }, used };
  }

  /** What a cell shows. One of several ClusterSummaries may get worse while they are being read, unless the worst is there. */
  #cellOf(column: string, cells: readonly MatrixCell[]): Pick<MatrixCell, "state" | "reason"> | undefined {
    const worst = worstOf(cells);
    const isFinal = this.#reading === "read" || worst?.state === cellStates[0] || !column.startsWith("EventTrigger/");
    return isFinal ? worst : undefined;
  }

  #changedColumns(): readonly (readonly [string, Item])[] {
    const counts = new Map<number, Partial<Record<CellState, number>>>();
    for (const { item } of this.#rows.values()) {
      for (let at = 0; at < item.cells.length; at++) {
        const state = cellStateAt(item.cells, at);
        if (state === undefined) continue;
        const own = counts.get(at) ?? {};
        own[state] = (own[state] ?? 0) + 1;
        counts.set(at, own);
      }
    }
    return [...this.#columns].flatMap(([key, { number, column }]) => {
      const item = itemOf(key, number, column, counts.get(number) ?? {});
      const text = JSON.stringify(item);
      if (this.#told.get(key) === text) return [];
      this.#told.set(key, text);
      return [[`profile/${key}`, item] as const];
    });
  }
}

const waiting = { state: "waiting", reason: heldBack } as const;

/** Some of the profiles of a trigger may fail: the most urgent state is shown. */
function worstOf([first, ...others]: readonly MatrixCell[]): MatrixCell | undefined {
  let worst = first;
  for (const cell of others) if (worst === undefined || cellStates.indexOf(cell.state) < cellStates.indexOf(worst.state)) worst = cell;
  return worst;
}

function itemOf(key: string, number: number, column: MatrixColumn | undefined, counts: FleetProfileItem["counts"]): FleetProfileItem {
  const [kind = "", namespace = "", ...name] = key.split("/");
  const base = { type: "profile", key, column: number, counts } as const;
  if (column === undefined) return { ...base, kind: kind as FleetProfileItem["kind"], namespace, name: name.join("/") };
  const { matching: _matching, ...rest } = column;
  return { ...rest, ...base };
}

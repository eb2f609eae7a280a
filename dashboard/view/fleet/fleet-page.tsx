import { useMemo } from "preact/hooks";
import {
  cellStateAt,
  pathOf,
  type CellReading,
  type FleetClusterItem,
  type FleetKnownItem,
  type FleetProfileItem,
  type FleetReasonItem,
  type FleetRowItem,
  type FleetView,
} from "../../../src/dashboard/api/index.ts";
import { Notices } from "../../component/notices.tsx";
import { address, goTo } from "../../location.ts";
import type { ViewItems } from "../../stream/view-items.ts";
import { openViews } from "../../stream/view-stream.ts";
import { CellDetails } from "./cell-detail.tsx";
import { filterOf } from "./fleet-filter.ts";
import { FleetFilters } from "./fleet-filters.tsx";
import { FleetLegend } from "./fleet-legend.tsx";
import { matrixOf } from "./matrix-lines.ts";
import { MatrixGrid, type CellKey } from "./matrix-grid.tsx";

/** Clusters by profiles, of the whole fleet. */
export function FleetPage({ view }: { readonly view: FleetView }) {
  const path = pathOf(view);
  return <Fleet items={openViews([path]).get(path)!} context={view.context} />;
}

/** The matrix of these items, as the address filters it. */
export function Fleet({ items, context }: { readonly items: ViewItems; readonly context: string }) {
  const fleet = useFleet(items);
  const { search } = address.value;
  const filter = useMemo(() => filterOf(new URLSearchParams(search)), [search]);
  const matrix = useMemo(() => matrixOf(fleet, filter), [fleet, filter]);
  const selected = useMemo(() => cellIn(new URLSearchParams(search)), [search]);
  const textOf = useMemo(() => cellTextOf(items), [items]);
  const isEmpty = fleet.clusters.length === 0;
  const reading = readingIn(items);
  return (
    <div class="fleet">
      <h1 class="only-read-aloud">Fleet</h1>
      <Notices items={items} />
      {isEmpty ? (
        <p class="empty">{emptyText(items)}</p>
      ) : (
        <>
          <div class="fleet-bar">
            <FleetFilters filter={filter} clusters={fleet.clusters} />
            <FleetLegend counts={matrix.counts} most={matrix.clusters * matrix.columns.length} chosen={filter.state} />
          </div>
          <div class={`fleet-body${selected === undefined ? "" : " has-details"}`}>
            {matrix.lines.length === 0 ? (
              <p class="empty">No cluster is as the filter says{reading === "reading" ? " so far: still reading…" : "."}</p>
            ) : (
              <MatrixGrid
                {...matrix}
                reading={reading}
                context={context}
                selected={selected}
                onSelect={select}
                onToggle={toggle}
                textOf={textOf}
              />
            )}
            {selected === undefined ? null : <Selected cell={selected} items={items} reading={reading} context={context} />}
          </div>
        </>
      )}
    </div>
  );
}

/** The items of the matrix, by what they are. */
function useFleet(items: ViewItems) {
  const version = items.version.value;
  return useMemo(
    () => ({
      clusters: items.ofType<FleetClusterItem>("cluster"),
      profiles: items.ofType<FleetProfileItem>("profile"),
      rows: new Map(items.ofType<FleetRowItem>("row").map((row) => [row.key, row])),
    }),
    [items, version],
  );
}

/** Whether all cells are known. */
function readingIn(items: ViewItems): CellReading {
  const known = items.items.get("known") as FleetKnownItem | undefined;
  return known?.cells ?? "reading";
}

function emptyText(items: ViewItems): string {
  if (items.notices.value.length > 0) return "There is nothing to show.";
  return items.items.has("known") ? "No cluster is registered here. sluice register cluster NAME adds one." : "Reading…";
}

/** `failed: Back-off pulling image`. */
function cellTextOf(items: ViewItems): (row: FleetRowItem, column: number) => string {
  return (row, column) => {
    const reason = reasonIn(items, row, column);
    return `${cellStateAt(row.cells, column) ?? ""}${reason === "" ? "" : `: ${reason}`}`;
  };
}

function reasonIn(items: ViewItems, row: FleetRowItem, column: number): string {
  const number = row.reasons?.[column];
  if (number === undefined) return "";
  const reason = items.items.get(`reason/${number}`) as FleetReasonItem | undefined;
  const cluster = items.items.get(`cluster/${row.key}`) as FleetClusterItem | undefined;
  return reason?.text.replaceAll("{cluster}", () => `${cluster?.namespace}/${cluster?.name}`) ?? "";
}

type SelectedProps = { readonly cell: CellKey; readonly items: ViewItems; readonly reading: CellReading; readonly context: string };

function Selected({ cell, items, reading, context }: SelectedProps) {
  const cluster = items.items.get(`cluster/${cell.cluster}`) as FleetClusterItem | undefined;
  const column = items.items.get(`profile/${cell.column}`) as FleetProfileItem | undefined;
  const row = items.items.get(`row/${cell.cluster}`) as FleetRowItem | undefined;
  if (cluster === undefined || column === undefined) return null;
  const state = row === undefined ? undefined : cellStateAt(row.cells, column.column);
  const reason = row === undefined ? "" : reasonIn(items, row, column.column);
  const shown = { cluster, column, state, reason, reading, context };
  return <CellDetails {...shown} onClose={() => select(undefined)} />;
}

/** The cell whose details are shown: its cluster and its profile are in the address. */
function cellIn(query: URLSearchParams): CellKey | undefined {
  const [cluster, column] = [query.get("cluster"), query.get("column")];
  return cluster === null || column === null ? undefined : { cluster, column };
}

function select(cell: CellKey | undefined): void {
  const next = new URL(location.href);
  for (const name of ["cluster", "column"] as const) {
    if (cell === undefined) next.searchParams.delete(name);
    else next.searchParams.set(name, cell[name]);
  }
  goTo(next.pathname + next.search, { replace: true });
}

/** Opens or closes a group. */
function toggle(group: string): void {
  const next = new URL(location.href);
  const closed = new Set(next.searchParams.getAll("closed"));
  if (!closed.delete(group)) closed.add(group);
  next.searchParams.delete("closed");
  for (const value of closed) next.searchParams.append("closed", value);
  goTo(next.pathname + next.search, { replace: true });
}

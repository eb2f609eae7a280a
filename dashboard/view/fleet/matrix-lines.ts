import {
  cellStateAt,
  cellStates,
  type CellReading,
  type CellState,
  type FleetClusterItem,
  type FleetProfileItem,
  type FleetRowItem,
} from "../../../src/dashboard/api/index.ts";
import { matchesCluster, matchesProfile, selectorTest, type FleetFilter } from "./fleet-filter.ts";

/** How many cells are in each state. */
export type StateCounts = Readonly<Partial<Record<CellState, number>>>;

/** A line of the matrix: a cluster, or a group of clusters with what their cells have in common. */
export type MatrixLine =
  | { readonly type: "cluster"; readonly key: string; readonly cluster: FleetClusterItem; readonly row: FleetRowItem | undefined }
  | {
      readonly type: "group";
      readonly key: string;
      /** The value of the label; empty for clusters without it. */
      readonly value: string;
      readonly clusters: number;
      readonly isOpen: boolean;
      readonly counts: StateCounts;
      /** By the number of the column. */
      readonly cells: ReadonlyMap<number, StateCounts>;
    };

/** What is said of a cell that is not there. */
export const absentWords: Readonly<Record<CellReading, string>> = {
  read: "does not match",
  reading: "not read yet",
  refused: "may not be read",
};

export type FleetItems = {
  readonly clusters: readonly FleetClusterItem[];
  readonly profiles: readonly FleetProfileItem[];
  readonly rows: ReadonlyMap<string, FleetRowItem>;
};

type Matrix = {
  readonly columns: readonly FleetProfileItem[];
  readonly lines: readonly MatrixLine[];
  /** The clusters that are shown, whether their groups are open or not. */
  readonly clusters: number;
  /** Of all cells that are shown. */
  readonly counts: StateCounts;
};

/** The lines and columns that a filter leaves, by name: news change what a line says, and not where it is. */
export function matrixOf({ clusters, profiles, rows }: FleetItems, filter: FleetFilter): Matrix {
  const columns = profiles.filter((profile) => matchesProfile(profile, filter.profile)).toSorted(byName);
  const numbers = columns.map(({ column }) => column);
  const { matches } = selectorTest(filter.selector);
  const shown = clusters
    .filter((cluster) => matches(cluster.labels) && matchesCluster(cluster, filter.text))
    .filter(({ key }) => filter.state === undefined || hasState(rows.get(key), numbers, filter.state))
    .toSorted(byName);
  const lines = filter.group === "" ? shown.map((cluster) => lineOf(cluster, rows)) : groupLines(shown, rows, numbers, filter);
  const counts = countsOf(shown.flatMap(({ key }) => statesOf(rows.get(key), numbers)));
  return { columns, lines, clusters: shown.length, counts };
}

function lineOf(cluster: FleetClusterItem, rows: FleetItems["rows"]): MatrixLine {
  return { type: "cluster", key: cluster.key, cluster, row: rows.get(cluster.key) };
}

function groupLines(
  shown: readonly FleetClusterItem[],
  rows: FleetItems["rows"],
  numbers: readonly number[],
  { group, closed }: FleetFilter,
): readonly MatrixLine[] {
  const groups = [...Map.groupBy(shown, (cluster) => groupValueOf(cluster, group))];
  return groups
    .toSorted(([a], [b]) => Number(a === "") - Number(b === "") || a.localeCompare(b))
    .flatMap(([value, members]) => {
      const isOpen = !closed.has(value);
      const cells = new Map(numbers.map((number) => [number, countsOf(members.flatMap(({ key }) => statesOf(rows.get(key), [number])))]));
      const counts = countsOf(members.flatMap(({ key }) => statesOf(rows.get(key), numbers)));
      const head: MatrixLine = { type: "group", key: `group/${value}`, value, clusters: members.length, isOpen, counts, cells };
      return [head, ...(isOpen ? members.map((cluster) => lineOf(cluster, rows)) : [])];
    });
}

/** Groups of clusters are by the value of a label, or by their namespace. */
export const namespaceGroup = "namespace";

function groupValueOf({ labels, namespace }: FleetClusterItem, group: string): string {
  return group === namespaceGroup ? namespace : (labels[group] ?? "");
}

/** The labels that clusters have, those of most clusters first. */
export function labelKeysOf(clusters: readonly FleetClusterItem[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { labels } of clusters) for (const key of Object.keys(labels)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].toSorted(([a, many], [b, few]) => few - many || a.localeCompare(b)).map(([key]) => key);
}

function statesOf(row: FleetRowItem | undefined, numbers: readonly number[]): readonly CellState[] {
  return row === undefined ? [] : numbers.flatMap((number) => cellStateAt(row.cells, number) ?? []);
}

function hasState(row: FleetRowItem | undefined, numbers: readonly number[], state: CellState): boolean {
  return row !== undefined && numbers.some((number) => cellStateAt(row.cells, number) === state);
}

function countsOf(states: readonly CellState[]): StateCounts {
  const counts: Partial<Record<CellState, number>> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** The most urgent state of those that are counted; undefined when there is none. */
export function worstOf(counts: StateCounts): CellState | undefined {
  return cellStates.find((state) => (counts[state] ?? 0) > 0);
}

/** `12 failed, 188 ready`: the most urgent first. */
export function countsText(counts: StateCounts): string {
  return cellStates.flatMap((state) => ((counts[state] ?? 0) === 0 ? [] : [`${counts[state]} ${state}`])).join(", ");
}

function byName(
  a: { readonly namespace: string; readonly name: string },
  b: { readonly namespace: string; readonly name: string },
): number {
  return compare(a.name, b.name) || compare(a.namespace, b.namespace);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import { numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { PrinterColumn } from "../crd/index.ts";
import { defaultTableColumns, tableColumnsOf, type TableColumn } from "../data/index.ts";
import { name, row, type Cell, type PrintCells } from "./cell.ts";
import { clusterCells } from "./cluster-cells.ts";
import { customResourcePrinter, type TablePrinter } from "./custom-resource-cells.ts";
import { networkCells } from "./network-cells.ts";
import { podCells } from "./pod-cells.ts";
import { storageCells } from "./storage-cells.ts";
import { workloadCells } from "./workload-cells.ts";

const cellsOfKinds: Readonly<Record<string, PrintCells>> = {
  Pod: podCells,
  ...workloadCells,
  ...networkCells,
  ...storageCells,
  ...clusterCells,
};

type RowCondition = { readonly type: string; readonly status: string; readonly reason: string; readonly message: string };

/** A row without its object. */
type TableRow = { readonly cells: readonly Cell[]; readonly conditions?: readonly RowCondition[] };

/** How the objects of a kind are shown. `columns` are those of a CRD; a built-in kind has none. */
export function tablePrinterOf(kind: string, columns?: readonly PrinterColumn[]): TablePrinter {
  if (columns !== undefined) return ofCustomResource(columns);
  const own = tableColumnsOf(kind);
  const cells = cellsOfKinds[kind];
  return own === undefined || cells === undefined ? defaultPrinter() : { columns: own, cells };
}

const custom = new WeakMap<readonly PrinterColumn[], TablePrinter>();

function ofCustomResource(columns: readonly PrinterColumn[]): TablePrinter {
  const known = custom.get(columns) ?? customResourcePrinter(columns);
  custom.set(columns, known);
  return known;
}

/** Models apiserver pkg/registry/rest/table.go, which prints a time where other printers print an age. */
function defaultPrinter(): TablePrinter {
  return { columns: defaultTableColumns(), cells: row(name, createdAt) };
}

function createdAt({ metadata }: KubeObject): string {
  return metadata.creationTimestamp ?? "0001-01-01T00:00:00Z";
}

/** The rows of a list are in its order, except those of flow schemas, which are in the order in which they apply. */
export function tableOrder(kind: string, objects: readonly KubeObject[]): readonly KubeObject[] {
  if (kind !== "FlowSchema") return objects;
  return objects.toSorted((a, b) => precedence(a) - precedence(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
}

function precedence(object: KubeObject): number {
  return numberAt(object, "spec.matchingPrecedence", 0);
}

const completed: Readonly<Record<string, readonly RowCondition[]>> = {
  Succeeded: [{ type: "Completed", status: "True", reason: "Succeeded", message: "The pod has completed successfully." }],
  Failed: [{ type: "Completed", status: "True", reason: "Failed", message: "The pod failed." }],
};

export function tableRowOf({ cells }: TablePrinter, object: KubeObject, now: number): TableRow {
  const conditions = object.kind === "Pod" ? completed[stringAt(object, "status.phase", "")] : undefined;
  return { cells: cells(object, now), ...(conditions === undefined ? {} : { conditions }) };
}

/** Whether an empty list has no rows at all instead of an empty list of them, as the default printer leaves it. */
export function leavesRowsOut(columns: readonly TableColumn[]): boolean {
  return columns === defaultTableColumns();
}

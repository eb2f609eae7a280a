import { findValues, parseJsonPath, printValue, type KubeObject } from "../../core/object/index.ts";
import type { PrinterColumn } from "../crd/index.ts";
import { tableColumnsOf, type TableColumn } from "../data/index.ts";
import { since, type Cell, type PrintCells } from "./cell.ts";

/** Columns, and how a row of them is printed. */
export type TablePrinter = { readonly columns: readonly TableColumn[]; readonly cells: PrintCells };

type ParsedColumn = { readonly type: string; readonly path: ReturnType<typeof parseJsonPath> };

/**
 * Prints custom resources by the additionalPrinterColumns of their CRD. A path that does not parse ends the columns.
 *
 * Models apiextensions pkg/registry/customresource/tableconvertor
 */
export function customResourcePrinter(declared: readonly PrinterColumn[]): TablePrinter {
  const columns: TableColumn[] = [nameColumn()];
  const parsed: ParsedColumn[] = [];
  for (const { name, type, format = "", jsonPath, description = "", priority = 0 } of declared) {
    const path = parsedPath(jsonPath);
    if (path === undefined) break;
    parsed.push({ type, path });
    const text = description || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
    columns.push({ name, type, format, description: text, priority });
  }
  return { columns, cells: (object, now) => [object.metadata.name, ...parsed.map((column) => cellOf(column, object, now))] };
}

/** Every kind has a name, and all describe it alike. */
function nameColumn(): TableColumn {
  return tableColumnsOf("Namespace")![0]!;
}

function parsedPath(jsonPath: string): ParsedColumn["path"] | undefined {
  try {
    return parseJsonPath(`{${jsonPath}}`);
  } catch {
    return undefined; // a CRD may hold any text; the server prints what comes before it
  }
}

function cellOf({ type, path }: ParsedColumn, object: KubeObject, now: number): Cell {
  const [value, ...more] = valuesAt(path, object);
  if (value === undefined && more.length === 0) return null;
  if (type === "string") return value === null ? "<no value>" : printValue(value);
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? dateCell(value, now) : null;
    default:
      return null;
  }
}

function valuesAt(path: ParsedColumn["path"], object: KubeObject): readonly unknown[] {
  try {
    return findValues(path, object);
  } catch {
    return []; // an index out of bounds, or a filter on what is no list: an empty cell
  }
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function dateCell(value: string, now: number): string {
  return value === "" || rfc3339.test(value) ? since(value, now) : "<invalid>";
}

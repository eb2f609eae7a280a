import { GoMap, type GoValue } from "../lang/template/index.ts";

/** The table at a dotted path. Undefined when there is none. Models helm pkg/chart/common Values.Table */
export function tableAt(values: GoMap, path: string): GoMap | undefined {
  let table = values;
  for (const name of path.split(".")) {
    const next = table.get(name);
    if (!(next instanceof GoMap)) return undefined;
    table = next;
  }
  return table;
}

/** The value at a dotted path unless it is a table. Models helm pkg/chart/common Values.PathValue */
export function pathValue(values: GoMap, path: string): GoValue {
  const dot = path.lastIndexOf(".");
  const table = dot < 0 ? values : tableAt(values, path.slice(0, dot));
  const found = table?.get(path.slice(dot + 1));
  return found instanceof GoMap ? undefined : found;
}

/** The part of a path where `tableAt` stops. Helm's message names it. */
export function missingTable(values: GoMap, path: string): string {
  const parts = path.split(".");
  const at = parts.findIndex((_, index) => tableAt(values, parts.slice(0, index + 1).join(".")) === undefined);
  return parts[at] ?? "";
}

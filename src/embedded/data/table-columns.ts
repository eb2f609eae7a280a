import { once, readPacked } from "./packed-file.ts";

/** A column of a Table, as on the wire. Columns of priority 1 are shown by `kubectl get -o wide` only. */
export type TableColumn = {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
};

const columns = once(() => JSON.parse(readPacked("table-columns.json.br")) as Readonly<Record<string, readonly TableColumn[]>>);

/** The columns of a built-in kind, or undefined when the API server has no columns of its own for it. */
export function tableColumnsOf(kind: string): readonly TableColumn[] | undefined {
  return kind !== "" && Object.hasOwn(columns(), kind) ? columns()[kind] : undefined;
}

/** The columns of kinds that have none of their own: the name and when it was created. */
export function defaultTableColumns(): readonly TableColumn[] {
  return columns()[""]!;
}

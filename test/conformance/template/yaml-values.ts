import { readValues } from "../../../src/chart/index.ts";
import { toPlain } from "../../../src/lang/template/index.ts";

type Row = { readonly values: string; readonly json?: string; readonly err?: string };

/** Compares how we and Helm read a values file. */
export function check(record: unknown): string | undefined {
  const { values, json, err } = record as Row;
  const expected = err ?? sorted(JSON.parse(json ?? "null"));
  const got = answerTo(values);
  return got === expected ? undefined : `${JSON.stringify(values)}: expected ${expected}, got ${got}`;
}

function answerTo(text: string): string {
  try {
    return sorted(toPlain(readValues(text)));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function sorted(json: unknown): string {
  return JSON.stringify(json, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

import type { Engine, GoMap } from "../../../src/lang/template/index.ts";
import { helmFunctions, readYamlMap, renderTemplates } from "../../../src/release/render/index.ts";
import { enginesFor } from "../../support/template/engines.ts";
import { helmContext, setValue } from "../../support/template/helm-context.ts";

type Row = {
  readonly tpl: string;
  readonly values?: string;
  readonly set?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly strict?: boolean;
  readonly out?: string;
  readonly err?: string;
};

const path = "t/templates/x.yaml";
const surroundings = { now: () => Date.parse("2026-11-15T01:47:00Z"), randomBytes: (count: number) => new Uint8Array(count) };
const engines = enginesFor(helmFunctions(surroundings));

/** Compares our result with that of Helm's engine. */
export function check(record: unknown): string | undefined {
  const row = record as Row;
  const expected = row.err ?? row.out;
  const got = engines.map((engine) => answerTo(row, engine)).find((answer) => answer !== expected);
  return got === undefined ? undefined : `${JSON.stringify(row.tpl)}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}

function answerTo({ tpl, values = "", set = [], files = {}, strict = false }: Row, engine: Engine): string {
  try {
    const given = valuesFrom(values);
    for (const assignment of set) setValue(given, assignment);
    const template = { text: tpl, context: helmContext(given, files), basePath: "t/templates" };
    return renderTemplates(engine, new Map([[path, template]]), { strict }).get(path) ?? "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function valuesFrom(text: string): GoMap {
  try {
    return readYamlMap(text);
  } catch (cause) {
    throw new Error(`cannot unmarshal yaml document: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

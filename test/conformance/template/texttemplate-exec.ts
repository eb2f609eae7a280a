import { GoList, GoMap, Integer, reflectType, int, type TemplateSet, type GoValue } from "../../../src/lang/template/index.ts";
import { enginesFor } from "../../support/template/engines.ts";
import { testFunctions } from "../../support/template/test-functions.ts";
import {
  anonymousStruct,
  complexDot,
  foozle,
  iVal,
  sequence,
  sequence2,
  tSliceOfNil,
  tVal,
  zeroT,
} from "../../support/template/struct-t.ts";

type Row = {
  readonly name: string;
  readonly input: string;
  readonly data?: unknown;
  readonly dataType: string;
  readonly out: string;
  readonly err?: string;
};

/** The templates that rows may call. */
const sets = enginesFor(testFunctions).map((engine) => {
  const shared = engine.set();
  shared.parse("root", `{{define "x"}}TEXT{{end}}{{define "dotV"}}{{.V}}{{end}}{{define "dot"}}{{.}}{{end}}`);
  shared.parse("nested", `{{template "dot" .}}`);
  return shared;
});

const structs: Readonly<Record<string, GoValue>> = {
  "<nil>": undefined,
  "*template.T": tVal,
  "template.T": zeroT,
  "*template.I": iVal,
  "[]*template.T": tSliceOfNil,
  complex128: complexDot,
  "struct { a int; b string }": anonymousStruct,
  "map[string]interface {}": new GoMap(undefined, [["S", foozle]]),
};

function dataOf({ name, data, dataType }: Row): GoValue {
  if (Object.hasOwn(structs, dataType)) return structs[dataType];
  const turns = name.endsWith("else") ? 0 : 2;
  if (dataType.startsWith("iter.")) return dataType.startsWith("iter.Seq2") ? sequence2(turns) : sequence(turns);
  return plainOf(data, dataType);
}

function plainOf(data: unknown, dataType: string): GoValue {
  if (Array.isArray(data))
    return new GoList(
      reflectType(dataType),
      data.map((item) => int(Number(item))),
    );
  if (typeof data === "object" && data !== null) {
    const isInt = dataType.endsWith("]int");
    return new GoMap(
      reflectType(dataType),
      Object.entries(data).map(([key, element]) => [key, isInt ? int(Number(element)) : String(element)] as const),
    );
  }
  if (/^u?int/.test(dataType)) return new Integer(reflectType(dataType), Number(data));
  return typeof data === "string" || typeof data === "number" || typeof data === "boolean" ? data : null;
}

/** Addresses are different in every process. */
function withoutAddress(text: string): string {
  return text.replace(/\b0x[0-9a-f]{6,10}\b(?= iterate)/, "0x…");
}

/** Compares our result with that of Go's own tests of text/template. */
export function check(record: unknown): string | undefined {
  const row = record as Row;
  const expected = row.err ?? row.out;
  const got = sets.map((shared) => answerTo(row, shared)).find((answer) => withoutAddress(answer) !== withoutAddress(expected));
  return got === undefined ? undefined : `${row.name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}

function answerTo(row: Row, shared: TemplateSet): string {
  try {
    const set = shared.extend();
    set.parse(row.name, row.input);
    return set.execute(row.name, dataOf(row));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

import type { Engine } from "../../../src/lang/template/index.ts";
import { sprigFunctions } from "../../../src/lang/sprig/index.ts";
import { enginesFor } from "../../support/template/engines.ts";
import { goLiteral } from "../../support/template/go-literal.ts";

type Row = {
  readonly tpl: string;
  readonly varsGo: string;
  readonly out?: string;
  readonly err?: string;
  readonly nondeterministic?: boolean;
};

/** When the results were recorded; some of them contain the time. */
const recordedAt = Date.parse("2026-11-15T01:47:00Z");
const surroundings = { now: () => recordedAt, randomBytes: (count: number) => new Uint8Array(count) };
const engines = enginesFor(sprigFunctions(surroundings));

export function counts(record: unknown): boolean {
  return (record as Row).nondeterministic !== true;
}

/** Compares our result with that of Sprig's own tests. */
export function check(record: unknown): string | undefined {
  const row = record as Row;
  const expected = row.err ?? row.out;
  const got = engines.map((engine) => answerTo(row, engine)).find((answer) => answer !== expected);
  return got === undefined ? undefined : `${row.tpl}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}

function answerTo({ tpl, varsGo }: Row, engine: Engine): string {
  try {
    const set = engine.set();
    set.parse("test", tpl);
    return set.execute("test", goLiteral(varsGo));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

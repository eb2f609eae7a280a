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

/** When the answers were recorded: some of them show it. */
const recordedAt = Date.parse("2026-11-15T01:47:00Z");
const surroundings = { now: () => recordedAt, randomBytes: (count: number) => new Uint8Array(count) };
const engines = enginesFor(sprigFunctions(surroundings));

export function counts(record: unknown): boolean {
  return (record as Row).nondeterministic !== true;
}

/** Says what is wrong with our answer to a case of Sprig's own tests; nothing if it is the same. */
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

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Engine } from "../../lang/template/index.ts";
import { helmContext } from "../../../test/support/template/helm-context.ts";
import { helmFunctions, readYamlMap, renderTemplates } from "./index.ts";

// Outputs of Helm 4.2.4's engine. `functions` has every deterministic function, called with valid and invalid arguments of
// all kinds; `chosen` has dates, regular expressions, URLs, words, decimals, TOML, includes and errors.

type Row = { readonly tpl: string; readonly out?: string; readonly err?: string };

const path = "t/templates/x.yaml";
const engine = new Engine(helmFunctions({ now: () => 0, randomBytes: (count) => new Uint8Array(count) }));

function read(name: string): string {
  return readFileSync(new URL(`recorded/${name}`, import.meta.url), "utf8");
}

function answerTo(tpl: string, values: string): string {
  try {
    const template = { text: tpl, context: helmContext(readYamlMap(values)), basePath: "t/templates" };
    return renderTemplates(engine, new Map([[path, template]])).get(path) ?? "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The first function that the template calls, apart from those that print its result. */
function subjectOf(tpl: string): string {
  const shown = tpl.replace(/^\{\{ (typeOf|printf "%v\|%T"|range) \(/, "{{ ");
  return /([a-zA-Z]\w*) /.exec(shown)?.[1] ?? "other";
}

for (const name of ["functions", "chosen"]) {
  const values = read(`${name}.values.yaml`);
  const rows = read(`${name}.jsonl`)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
  for (const [subject, group] of Map.groupBy(rows, ({ tpl }) => subjectOf(tpl))) {
    test(`${name}: ${subject}`, () => {
      const expected = group.map(({ tpl, out, err }) => ({ tpl, answer: err ?? out }));
      assert.deepEqual(
        group.map(({ tpl }) => ({ tpl, answer: answerTo(tpl, values) })),
        expected,
      );
    });
  }
}

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import test from "node:test";
import { byParts, quote } from "../index.ts";

test("a text is changed in parts that cut no surrogate pair", () => {
  for (const start of ["", "a"]) {
    const text = start + '😀"'.repeat(20_000);
    assert.equal(
      byParts(text, (part) => (part.isWellFormed() ? part : "cut")),
      text,
    );
    assert.equal(quote(text), `"${start}${String.raw`😀\"`.repeat(20_000)}"`);
  }
});

const here = import.meta.dirname;
const program = `
  import { Engine, GoMap } from ${JSON.stringify(join(here, "../index.ts"))};
  import { helmFunctions, renderTemplates } from ${JSON.stringify(join(here, "../../../release/render/index.ts"))};
  import { helmContext } from ${JSON.stringify(join(here, "../../../../test/support/template/helm-context.ts"))};
  const engine = new Engine(helmFunctions({ now: () => 0, randomBytes: (count) => new Uint8Array(count) }));
  const template = { text: process.argv[1], context: helmContext(new GoMap()), basePath: "t/templates" };
  process.stdout.write(renderTemplates(engine, new Map([["t/templates/x", template]])).get("t/templates/x"));`;

/** Renders a template in a process whose heap has 256 MiB. */
function rendered(text: string): string {
  const args = ["--max-old-space-size=256", "--input-type=module", "--eval", program, text];
  return execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

const marks = 12_000_000;
const functions: Readonly<Record<string, readonly [template: string, length: number]>> = {
  quote: ['repeat $n "\\"" | quote', 2 * marks + 2],
  regexQuoteMeta: ['repeat $n "." | regexQuoteMeta', 2 * marks],
  replace: ['repeat $n "." | replace "." ".."', 2 * marks],
};

for (const [name, [template, length]] of Object.entries(functions))
  test(`${name} of ${marks} marks takes the memory of the text`, { timeout: 120_000 }, () => {
    assert.equal(rendered(`{{ $n := ${marks} }}{{ ${template} | len }}`), String(length));
  });

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Engine, fromPlain } from "./index.ts";
import { recordedFunctions } from "../../../test/support/template/recorded-functions.ts";

/**
 * Templates made up at random, executed by Go 1.26.8's text/template on `data.json`: well-formed ones, ones with a piece
 * cut out or put in, and calls of the printing functions. Go's answer is `out` or `err`.
 */
type Recorded = {
  readonly text: string;
  readonly missing?: "default" | "zero" | "error";
  readonly out?: string;
  readonly err?: string;
};

/** Every recorded template begins with these definitions. */
const defines = `{{define "d1"}}<{{.}}>{{end}}{{define "d2"}}[{{.a}}{{template "d1" .b}}]{{end}}`;

/** Both executors must give the same output. */
const engines = {
  compiled: new Engine(recordedFunctions, { compileAfter: 0 }),
  interpreted: new Engine(recordedFunctions, { compileAfter: Infinity }),
};
const data: unknown = readJson("data");

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), "utf8"));
}

function isRecording(json: unknown): json is readonly Recorded[] {
  return Array.isArray(json);
}

function answerTo({ missing = "default" }: Recorded, text: string, engine: Engine): Pick<Recorded, "out" | "err"> {
  try {
    const set = engine.set({ name: "gotpl", missingKey: missing });
    set.parse("t", text);
    return { out: set.execute("t", fromPlain(data)) };
  } catch (error) {
    return { err: error instanceof Error ? error.message : String(error) };
  }
}

for (const [way, engine] of Object.entries(engines)) {
  for (const [name, start] of [
    ["execution", defines],
    ["parsing", defines],
    ["printing", ""],
  ] as const) {
    test(`${name} as Go recorded it, ${way}`, () => {
      const recording = readJson(name);
      assert.ok(isRecording(recording) && recording.length > 100);
      for (const recorded of recording) {
        const { out, err } = recorded;
        const expected = err === undefined ? { out } : { err };
        assert.deepEqual(answerTo(recorded, start + recorded.text, engine), expected, recorded.text);
      }
    });
  }
}

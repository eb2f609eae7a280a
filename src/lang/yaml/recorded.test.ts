import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isExactInteger, isFields } from "../../core/object/index.ts";
import { headOf, type ManifestHead } from "./head/manifest-head.ts";
import { parseYaml } from "./parse/parse-yaml.ts";
import { marshalPretty, marshalYaml } from "./write/emitter.ts";

/**
 * Documents and values, many of them broken, and what sigs.k8s.io/yaml v1.6.0 on go.yaml.in/yaml/v2 v2.4.3 and v3 v3.0.4,
 * as Helm 4.2.4 uses them, answer.
 */
type Recorded = { readonly text: string; readonly out?: string; readonly err?: string };

function recorded(name: string): Recorded[] {
  const lines = readFileSync(new URL(`recorded/${name}.jsonl`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Recorded);
}

/** The answers that differ from those recorded. */
function differing(name: string, answer: (text: string) => string): unknown[] {
  return recorded(name).flatMap(({ text, out, err }) => {
    const expected = err ?? out ?? "";
    const found = answered(() => answer(text));
    return found === expected ? [] : [{ text, expected, found }];
  });
}

function answered(answer: () => string): string {
  try {
    return answer();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** JSON as Go writes it, whose keys are sorted. */
function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (Object.is(value, -0)) return "-0";
  if (isExactInteger(value) || !isFields(value)) return escaped(JSON.stringify(value));
  const entries = Object.entries(value).toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${entries.map(([key, item]) => `${escaped(JSON.stringify(key))}:${goJson(item)}`).join(",")}}`;
}

function escaped(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function headText({ apiVersion, kind, metadata }: ManifestHead): string {
  const { name, annotations } = metadata ?? {};
  const shown = { name, annotations: annotations === undefined ? null : Object.fromEntries([...annotations].toSorted()) };
  return JSON.stringify({ apiVersion, ...(kind === "" ? {} : { kind }), ...(metadata === undefined ? {} : { metadata: shown }) });
}

/** Integers of JSON, kept apart from floats as in the encoder. */
function goValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(goValue);
  if (isFields(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, goValue(item)]));
  return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63 && /^-?\d+$/.test(String(value)) ? BigInt(String(value)) : value;
}

test("documents parse as in Go, with the same errors", () => {
  assert.deepEqual(
    differing("read", (text) => goJson(parseYaml(text))),
    [],
  );
});

test("heads of manifests are those that Helm finds", () => {
  assert.deepEqual(
    differing("head", (text) => headText(headOf(text))),
    [],
  );
});

test("values are written as by toYaml", () => {
  assert.deepEqual(
    differing("write", (text) => marshalYaml(JSON.parse(text))),
    [],
  );
});

test("values are written as by toYamlPretty", () => {
  assert.deepEqual(
    differing("pretty", (text) => marshalPretty(goValue(JSON.parse(text)))),
    [],
  );
});

import { Fault } from "../fault/index.ts";
import { isExactInteger } from "./exact-integer.ts";
import { goJson, goNumber } from "./go-text.ts";
import { evaluateNode } from "./json-path-evaluator.ts";
import { parseTemplate, type JsonPathListNode, type JsonPathNode } from "./json-path-parser.ts";

/** A parsed template of the Kubernetes JSONPath dialect. */
type JsonPath = { readonly text: string; readonly parts: readonly Part[] };

/** A part of a template. `range` repeats its body for every value found. */
type Part = { readonly action: JsonPathNode } | { readonly range: JsonPathListNode; readonly body: readonly Part[] };

type JsonPathOptions = {
  /** What a missing field means: no value, or an error. Default: no value. An index out of bounds is always an error. */
  readonly missing?: "nothing" | "error";
};

/**
 * Parses a path: `{.status.phase}`, `.status.phase`, `status.phase`, `$.status.phase`. Throws a Fault that names the
 * position of an error.
 */
export function parseJsonPath(text: string): JsonPath {
  return parseJsonPathTemplate(relaxed(text));
}

/** Parses a template of `kubectl -o jsonpath`: text outside of braces is literal. */
export function parseJsonPathTemplate(text: string): JsonPath {
  const nodes = parseTemplate(text);
  const parts: Part[] = [];
  for (let at = 0; at < nodes.length;) at = takePart(nodes, at, parts, text, false);
  return { text, parts };
}

/** All values that a path finds, in order. */
export function findValues(path: JsonPath | string, value: unknown, options: JsonPathOptions = {}): unknown[] {
  const { parts } = typeof path === "string" ? parseJsonPath(path) : path;
  return resultsOf(parts, value, options).flat();
}

/** Renders a template for a value. */
export function printJsonPath(template: JsonPath | string, value: unknown, options: JsonPathOptions = {}): string {
  const { parts } = typeof template === "string" ? parseJsonPathTemplate(template) : template;
  return resultsOf(parts, value, options)
    .map((found) => found.map(printValue).join(" "))
    .join("");
}

/** Completes a path as kubectl does for `wait` and custom columns: braces and the first dot are optional. */
function relaxed(text: string): string {
  const [, inBraces] = /^\{([^{}]*)\}$/.exec(text) ?? [];
  if (inBraces === undefined && text.includes("{")) return text;
  const path = inBraces ?? text;
  return /^\s*(?:[.[$@'"]|$|range\b|end\b)/.test(path) ? `{${path}}` : `{.${path}}`;
}

function takePart(nodes: readonly JsonPathNode[], at: number, parts: Part[], text: string, inRange: boolean): number {
  const node = nodes[at]!;
  const word = node.type === "list" && node.nodes[0]?.type === "word" ? node.nodes[0].word : undefined;
  if (node.type !== "list" || word !== "range") {
    if (word === "end" && !inRange) throw refusal("not in range, nothing to end", node, text);
    parts.push({ action: node });
    return at + 1;
  }
  const body: Part[] = [];
  let next = at + 1;
  while (!isEnd(nodes[next])) {
    if (next >= nodes.length) throw refusal("range without {end}", node, text);
    next = takePart(nodes, next, body, text, true);
  }
  parts.push({ range: { ...node, nodes: node.nodes.slice(1) }, body });
  return next + 1;
}

function isEnd(node: JsonPathNode | undefined): boolean {
  return node?.type === "list" && node.nodes[0]?.type === "word" && node.nodes[0].word === "end";
}

function refusal(what: string, node: JsonPathNode, text: string): Fault {
  const at = node.type === "list" ? node.at : 0;
  return new Fault(`${what} at character ${at + 1} of ${text}`, undefined, { final: true });
}

function resultsOf(parts: readonly Part[], value: unknown, options: JsonPathOptions): unknown[][] {
  const missing = options.missing ?? "nothing";
  return parts.flatMap((part) => {
    if ("action" in part) return [evaluateNode(part.action, [value], missing)];
    return evaluateNode(part.range, [value], missing).flatMap((item) => resultsOf(part.body, item, options));
  });
}

/** A value as a template prints it. */
export function printValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return goNumber(value);
  return isExactInteger(value) ? value.rawJSON : goJson(value);
}

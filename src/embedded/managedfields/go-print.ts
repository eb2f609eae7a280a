import { isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { compareText } from "./value.ts";

function sortedNames(value: object): string[] {
  return Object.keys(value).sort(compareText);
}

/** How a sort of text writes collections: what is around their parts, what is between them, and what writes the rest. */
type Style = {
  readonly list: readonly [opening: string, closing: string];
  readonly map: readonly [opening: string, closing: string];
  readonly separator: string;
  key(name: string): string;
  scalar(value: unknown): string;
};

function* textIn(style: Style, value: unknown): Nested<string> {
  if (typeof value !== "object" || value === null) return style.scalar(value);
  const names = Array.isArray(value) ? undefined : sortedNames(value);
  const [opening, closing] = names === undefined ? style.list : style.map;
  const parts: readonly unknown[] = Array.isArray(value) ? value : sortedNames(value).map((name) => (value as Fields)[name]);
  let text = opening;
  for (const [at, part] of parts.entries()) {
    if (at > 0) text += style.separator;
    if (names !== undefined) text += `${style.key(names[at]!)}:`;
    text += yield* callNested(textIn(style, part));
  }
  return text + closing;
}

const valueStyle: Style = {
  list: ["[", "]"],
  map: ["map[", "]"],
  separator: " ",
  key: (name) => name,
  scalar: (value) => (value === null || value === undefined ? "<nil>" : String(value)),
};

const syntaxStyle: Style = {
  list: ["[]interface {}{", "}"],
  map: ["map[string]interface {}{", "}"],
  separator: ", ",
  key: (name) => JSON.stringify(name),
  scalar: (value) => {
    if (value === null || value === undefined) return "interface {}(nil)";
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  },
};

/** A value as Go's %v prints it. */
export function goValueText(value: unknown): string {
  return runNested(textIn(valueStyle, value));
}

/** A value as Go's %#v prints it. */
export function goSyntax(value: unknown): string {
  return runNested(textIn(syntaxStyle, value));
}

/** The Go type of a decoded JSON value, as %T prints it. */
export function goTypeName(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}

/** A value inside a path or a message: strings quoted, nested lists and maps spelled out. Models structured-merge-diff value.ToString */
export function pathValueText(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pathValueText).join(",")}]`;
  if (!isFields(value)) return String(value);
  return Object.entries(value)
    .map(([name, item]) => `${name}=${pathValueText(item)}`)
    .join("");
}

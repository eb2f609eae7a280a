import {
  ageText,
  booleanAt,
  fieldsAt,
  labelSelectorOf,
  labelSelectorText,
  listAt,
  numberAt,
  stringAt,
  valueAt,
  type KubeObject,
  type LabelSelectorObject,
} from "../../core/object/index.ts";

/** What a cell holds, as on the wire. */
export type Cell = string | number | boolean | null;

/** Prints one cell of an object at a time in milliseconds. */
export type PrintCell = (object: KubeObject, now: number) => Cell;

/** Prints the cells of one row. A single printer may give several cells. */
export type PrintCells = (object: KubeObject, now: number) => readonly Cell[];

/** The cells of a row, each by its own printer. */
export function row(...printers: readonly PrintCell[]): PrintCells {
  return (object, now) => printers.map((print) => print(object, now));
}

export const none = "<none>";
export const unset = "<unset>";

export const name: PrintCell = ({ metadata }) => metadata.name;
export const age: PrintCell = ({ metadata }, now) => since(metadata.creationTimestamp, now);

/** The text at a path; `otherwise` when it is absent. */
export const text =
  (path: string, otherwise = ""): PrintCell =>
  (object) =>
    stringAt(object, path, otherwise);

/** The text at a path; `otherwise` also when it is empty. */
export const filledText =
  (path: string, otherwise: string): PrintCell =>
  (object) =>
    stringAt(object, path, "") || otherwise;

export const integer =
  (path: string): PrintCell =>
  (object) =>
    numberAt(object, path, 0);

export const truth =
  (path: string, otherwise = false): PrintCell =>
  (object) =>
    booleanAt(object, path, otherwise);

/** How many items a list has. */
export const count =
  (path: string): PrintCell =>
  (object) =>
    listAt(object, path).length;

export const labels =
  (path: string): PrintCell =>
  (object) =>
    labelsText(fieldsAt(object, path));

export const selector =
  (path: string): PrintCell =>
  (object) =>
    selectorText(object, path) || none;

/** Names and images of the containers of a pod template, a cell each. */
export const containerNames =
  (path: string): PrintCell =>
  (object) =>
    containersText(object, path, "name");
export const containerImages =
  (path: string): PrintCell =>
  (object) =>
    containersText(object, path, "image");

function containersText(object: KubeObject, path: string, field: string): string {
  return listAt(object, path)
    .map((container) => stringAt(container, field, ""))
    .join(",");
}

/** Models apimachinery pkg/labels FormatLabels */
function labelsText(map: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(map).map(([key, value]) => `${key}=${String(value)}`);
  return pairs.length === 0 ? none : pairs.toSorted().join(",");
}

/** A label selector in the form of `kubectl -l`; empty when it selects everything or is absent. */
export function selectorText(object: KubeObject, path: string): string {
  return labelSelectorText(labelSelectorOf(valueAt(object, path) as LabelSelectorObject | undefined));
}

/** How long ago a time was. Models apimachinery pkg/util/duration HumanDuration, which tolerates clocks that differ a little. */
export function since(time: unknown, now: number): string {
  if (typeof time !== "string" || time === "") return "<unknown>";
  const ms = now - Date.parse(time);
  return Math.trunc(ms / 1000) < -1 ? "<invalid>" : ageText(ms);
}

/** The first `most` of a list, and how many more there are. */
export function firstFew(items: readonly string[], separator = ",", most = 3): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

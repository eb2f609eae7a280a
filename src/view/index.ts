/**
 * Values to text: lines, tables, JSON, YAML.
 *
 * Pure. It knows what the values mean to a reader, and neither the terminal nor where the values come from.
 */
export { lineFor, plain, type Paint } from "./line.ts";
export { table } from "./table.ts";

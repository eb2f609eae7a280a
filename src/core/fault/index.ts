/**
 * Errors: a Fault states what was being done, a Problem states what is wrong with an input and where.
 *
 * It knows nothing of clusters, files or exit codes. Only `cli` turns a fault into text and an exit code.
 */
export { doing, Fault, unreachable } from "./fault.ts";
export { nearestName } from "./nearest-name.ts";
export { BadInput, inFileOrder, lineFor, type Problem } from "./problem.ts";

/**
 * Asks which rights an operation lacks, before anything changes.
 *
 * It asks by reviews and dry runs nothing: what a dry run tries, the proposal of the operation has tried. It does not know what
 * is done with the answer.
 */
export { readMissingRights } from "./read-missing-rights.ts";
export { missingOf, type Right } from "./right.ts";

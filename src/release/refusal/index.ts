/**
 * Judges what the API server refuses, and which changes of other objects may cure it.
 *
 * Pure: takes the server's answer and manifests. It does not know the order of changes, nor whether any is planned.
 */
export type { Cure, ChangedObject } from "./cure.ts";
export { containerCures, curesOf } from "./cures-of.ts";
export { cureMatcher } from "./cure-matcher.ts";
export { withRefusalAdvice } from "./refusal-advice.ts";

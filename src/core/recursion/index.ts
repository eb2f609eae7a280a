/**
 * Recursion deeper than the stack: for values and schemas of others, which may be nested thousands of levels.
 *
 * It knows nothing of what is walked.
 */
export { callNested, runNested, type Nested } from "./nested.ts";

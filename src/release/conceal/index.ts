/**
 * Hides what is nobody's business: the values of Secrets, and what the annotations of an object call sensitive.
 *
 * Pure. Where a path cannot be followed to the letter, more is hidden rather than less. It does not know where what it
 * gives is shown.
 */
export { concealed } from "./conceal.ts";
export { mergeSensitivity, type Sensitivity } from "./sensitivity.ts";
export { concealedText } from "./concealed-text.ts";

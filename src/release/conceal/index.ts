/**
 * Hides sensitive values: those of Secrets, and those that annotations mark as sensitive.
 *
 * Pure. When a path cannot be followed exactly, it hides more rather than less. It does not know where its output is
 * shown.
 */
export { concealed } from "./conceal.ts";
export { mergeSensitivity, type Sensitivity } from "./sensitivity.ts";
export { withoutQuotes } from "./quoted-values.ts";
export { concealedText, logConcealer, quoteConcealer, textConcealer, type SensitiveObject } from "./concealed-text.ts";

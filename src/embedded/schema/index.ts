/**
 * What a schema says of a value: which fields it does not know, what it adds, and what is wrong with it, in the words of
 * the API server. One walker for the structural schemas of custom resources and for the definitions of built-in kinds.
 *
 * Pure. It knows no store, no requests, no language of rules (a compiler is handed in) and not where schemas come from.
 */
export { compileOne, usesOldSelf, type CompiledRule, type CompileOptions, type CompileRule, type RuleBindings } from "./compiled-rule.ts";
export { conversionError, decodeError } from "./decode.ts";
export { applyDefaults, dropNulls } from "./defaults.ts";
export { dns1035Label, dns1123Subdomain } from "./dns.ts";
export { validateEmbedded, type CheckMetadata } from "./embedded.ts";
export { followFieldPath, type FieldPath } from "./field-path.ts";
export { isCheckedFormat } from "./formats.ts";
export { goTypeOf } from "./go-type.ts";
export { validateListTypes } from "./list-type.ts";
export { childPath, itemPath, keyPath, printedPath } from "./path.ts";
export { compilePattern } from "./pattern.ts";
export { prune, pruneTyped, unknownFields, type Pruned } from "./prune.ts";
export { compileRules, rulesBlockedBy, type CheckRules } from "./rules.ts";
export type { Schema, SchemaType, ValidationRule } from "./schema.ts";
export { stepInto, type Step } from "./step.ts";
export { validate, type ValidateOptions } from "./validate.ts";

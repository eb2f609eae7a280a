/**
 * Pruning, defaulting and validation by a schema, with the messages of the API server. It handles the structural
 * schemas of custom resources and the schemas of built-in kinds.
 *
 * Pure. It knows no storage and no requests, no CEL (a compiler is passed in) and not where schemas come from.
 */
export {
  compileValidationRule,
  usesOldSelf,
  type RuleCompileOptions,
  type CompileCelRule,
  type RuleBindings,
  type RuleProgram,
  type RuleRun,
} from "./compiled-validation-rule.ts";
export { conversionError, decodeError } from "./decode-error.ts";
export { applyDefaults, dropNulls } from "./defaults.ts";
export { dns1035LabelErrors, dns1123SubdomainErrors } from "./dns-names.ts";
export { validateEmbeddedResources, type CheckMetadata } from "./embedded-resources.ts";
export { followFieldPath } from "./field-path.ts";
export { goTypeOfSchema } from "./go-type.ts";
export { validateListTypes } from "./list-types.ts";
export { childPath, itemPath, keyPath } from "./error-path.ts";
export { compilePattern } from "./pattern.ts";
export { pruneUnknownFields, pruneTyped, unknownFields, type Pruned } from "./prune-unknown-fields.ts";
export { RuleBudget } from "./rule-budget.ts";
export { compileRules, rulesBlockedBy, type CheckRules } from "./compile-rules.ts";
export type { JsonSchemaProps, ValidationRule } from "./json-schema-props.ts";
export { validateSchemaValue } from "./validate-schema-value.ts";
export { sortKeys } from "./sort-keys.ts";

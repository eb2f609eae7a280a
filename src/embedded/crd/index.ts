/**
 * What a CustomResourceDefinition means: what it leaves out, what is wrong with it, which names it gets, what it serves, and
 * how objects of its kinds are read, converted and checked.
 *
 * Pure but for the built-in OpenAPI documents, parts of which it publishes again. It knows no store and no requests; the
 * language of rules is handed in as a compiler.
 */
export { convert, metadataError, readCustom, type Read } from "./convert.ts";
export { defaultDefinition, prepareDefinition } from "./defaults.ts";
export {
  hasCondition,
  specOf,
  statusOf,
  type Conversion,
  type DefinitionCondition,
  type DefinitionNames,
  type DefinitionSpec,
  type DefinitionStatus,
  type DefinitionVersion,
  type PrinterColumn,
  type ScalePaths,
} from "./definition.ts";
export { customOpenApi, documentFor } from "./openapi.ts";
export { compareVersions, discoveryEntries, discoveryVersion, servedVersions, storageVersionHash, type ServedVersion } from "./resource.ts";
export { validateCustom, type CustomCheck } from "./resource-check.ts";
export { nextStatus, terminating, withCondition } from "./status.ts";
export { needsWebhook, validateDefinition, type DefinitionCheck } from "./validate.ts";

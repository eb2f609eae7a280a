/**
 * What a CustomResourceDefinition means: what it leaves out, what is wrong with it, which names it gets, what it serves, and
 * how objects of its kinds are read, converted and checked.
 *
 * Pure but for the built-in OpenAPI documents, parts of which it publishes again. It knows no store and no requests; the
 * language of rules is handed in as a compiler.
 */
export { convertCustomResource, metadataError, decodeCustomResource, type DecodedCustomResource } from "./decode-custom-resource.ts";
export { defaultCrd, prepareCrd } from "./default-crd.ts";
export {
  hasCrdCondition,
  crdSpecOf,
  crdStatusOf,
  type Conversion,
  type CrdCondition,
  type CrdNames,
  type CrdSpec,
  type CrdStatus,
  type CrdVersion,
  type PrinterColumn,
  type ScalePaths,
} from "./crd.ts";
export { customResourceOpenApi, openApiDocumentFor } from "./custom-resource-openapi.ts";
export {
  compareKubeAwareVersions,
  discoveryEntries,
  discoveryVersion,
  servedCrdVersions,
  storageVersionHash,
  type ServedCrdVersion,
} from "./served-crd-version.ts";
export { validateCustomResource, type CustomResourceCheck } from "./validate-custom-resource.ts";
export { nextCrdStatus, terminatingConditions, setCrdCondition } from "./next-crd-status.ts";
export { needsWebhook, validateCrd, type CrdCheck } from "./validate-crd.ts";

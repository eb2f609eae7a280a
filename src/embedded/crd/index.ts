/**
 * CustomResourceDefinitions: their defaults, validation, accepted names and served versions, and how custom resources
 * are decoded, converted and validated.
 *
 * Pure but for the built-in OpenAPI documents, parts of which it publishes again. It knows no storage and no requests;
 * the CEL compiler is passed in.
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

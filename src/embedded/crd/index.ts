/**
 * CustomResourceDefinitions: their defaults, validation, accepted names and served versions, and how custom resources
 * are decoded, converted and validated.
 *
 * Pure but for the built-in OpenAPI documents, parts of which it publishes again. It knows no storage and no requests;
 * the CEL compiler is passed in.
 */
export { convertCustomResource, metadataError, decodeCustomResource } from "./decode-custom-resource.ts";
export { defaultCrd, prepareCrd } from "./default-crd.ts";
export { crdSpecOf, crdStatusOf, type CrdCondition, type CrdStatus, type PrinterColumn } from "./crd.ts";
export { customResourceOpenApi, openApiDocumentFor, openApiV2PartsFor } from "./custom-resource-openapi.ts";
export {
  compareKubeAwareVersions,
  discoveryEntries,
  discoveryVersion,
  servedCrdVersions,
  storageVersionHash,
  type ServedCrdVersion,
} from "./served-crd-version.ts";
export { validateCustomResource } from "./validate-custom-resource.ts";
export { nextCrdStatus, terminatingConditions, setCrdCondition } from "./next-crd-status.ts";
export { validateCrd } from "./validate-crd.ts";

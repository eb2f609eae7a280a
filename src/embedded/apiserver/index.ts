/**
 * The API server without the wire: it reads objects, and takes writes through every stage up to storage.
 *
 * Synchronous, since an embedded cluster is one process. It knows nothing of HTTP; `rest` does.
 */
export type { ApiClient, DeleteOptions } from "./api-client.ts";
export { ResourceCatalog } from "./resource-catalog.ts";
export { decodeObject, DecodeError, type Decoded, type DecodeOptions, type FieldValidation } from "./decode-object.ts";
export { resourcesOfCrd } from "./crd-resources.ts";
export { applyManagedFields, updateManagedFields } from "./field-manager.ts";
export { apiVersionFor, inVersion, storageApiVersionOf, type ServedResource } from "./served-resource.ts";
export { ApiServer } from "./api-server.ts";
export type { ApiServerDeleteOptions, ApiServerWriteOptions } from "./write-options.ts";
export { isConvertedByWebhook } from "./object-converter.ts";
export { replicasPathOf, scaleOf, scaleView, withReplicas } from "./scale-view.ts";
export { strategyOf } from "./strategy-of.ts";
export { checkVersion } from "./update-metadata.ts";
export { uidConflict } from "./uid-precondition.ts";
export { timestampOf } from "../timestamp.ts";

/**
 * The API server without the wire: reads and writes of objects, with all that a write goes through.
 *
 * Synchronous, since an embedded cluster is one process. It knows nothing of HTTP; `rest` does.
 */
export type { Admission, Attempt } from "./admission.ts";
export type { Api, DeleteOptions } from "./api.ts";
export { Catalog, objectionToServe } from "./catalog.ts";
export { decode, Undecodable, type Decoded, type DecodeOptions, type FieldValidation } from "./decode.ts";
export { resourcesOfDefinition } from "./definition.ts";
export { applyOwned } from "./ownership.ts";
export { apiVersionFor, inVersion, type CustomResource, type Resource } from "./resource.ts";
export { ApiServer, type Deleted, type WriteOptions } from "./server.ts";
export { strategyOf } from "./strategy.ts";
export { timestampOf } from "../timestamp.ts";

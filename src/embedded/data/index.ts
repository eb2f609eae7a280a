/**
 * The data of an API server's built-in kinds: discovery, schemas, merge types, columns of tables, protobuf messages, and OpenAPI
 * documents.
 *
 * Generated from the Kubernetes modules by `npm run data`; see NOTICE. Read lazily, entry by entry, from the files
 * beside this one. It does not know custom resources, objects or requests.
 */
export type { ApiGroup, ApiResource, ApiVersion } from "./api-group.ts";
export { bootstrapPolicy, recordedBootstrapObjects } from "./bootstrap-policy.ts";
export { builtInGroups } from "./built-in-groups.ts";
export { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList, apiVersions } from "./discovery-documents.ts";
export { mergeTypeNamed } from "./merge-types.ts";
export { openApiDocument, openApiHashes } from "./openapi-documents.ts";
export { openApiV2 } from "./openapi-v2.ts";
export { protobufKinds, protobufMessage } from "./protobuf-messages.ts";
export { schemaNameOf, schemaNamed, schemaOf } from "./schemas.ts";
export { defaultTableColumns, tableColumnsOf, type TableColumn } from "./table-columns.ts";

/**
 * What a Kubernetes API server knows of its built-in kinds before it has seen any object: which there are (discovery),
 * what they look like (schemas), how their fields are merged, and the OpenAPI documents that clients ask for.
 *
 * Made from the Kubernetes modules by `npm run data`; see NOTICE. Read lazily, piece by piece, from the files beside this
 * one. It does not know custom resources, objects or requests.
 */
export type { ApiGroup, ApiResource, ApiVersion } from "./api-group.ts";
export { builtInGroups } from "./built-in-groups.ts";
export { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList, apiVersions } from "./discovery-documents.ts";
export { mergeTypeNamed } from "./merge-types.ts";
export { openApiDocument, openApiHashes } from "./openapi-documents.ts";
export { schemaNameOf, schemaNamed, schemaOf } from "./schemas.ts";

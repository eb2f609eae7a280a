/**
 * What a user may do.
 *
 * It knows users, verbs and resources, and nothing of requests and their bodies.
 */
export { accessForbidden, authenticatedOnly, type Attributes, type Authorizer } from "./attributes.ts";

import { allUnauthenticated, type UserInfo } from "../authentication/index.ts";
import { forbiddenError, StatusError } from "../status-error.ts";

/** What a user asks to do. Models apiserver pkg/authorization/authorizer/interfaces.go Attributes */
export type Attributes = {
  readonly user: UserInfo;
  readonly verb: string;
} & (ResourceAttributes | { readonly path: string });

/** A request for a resource. Empty strings where it names nothing. */
type ResourceAttributes = {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
};

/** `reason` says by which rule it is allowed, or why rules could not be read. */
type Decision = { readonly allowed: boolean; readonly reason: string };

/** Decides whether a user may do something. */
export type Authorizer = { authorize(attributes: Attributes): Decision };

const publicPaths = new Set(["/healthz", "/livez", "/readyz", "/version", "/version/"]);

/** Allows everything to everybody who is known, and to others the health checks and the version. */
export const authenticatedOnly: Authorizer = {
  authorize: (attributes) => {
    const isPublic = "path" in attributes && attributes.verb === "get" && publicPaths.has(attributes.path);
    return { allowed: isPublic || !attributes.user.groups.includes(allUnauthenticated), reason: "" };
  },
};

/** The 403 of a request that is not allowed. Models apiserver pkg/endpoints/handlers/responsewriters/errors.go */
export function accessForbidden(attributes: Attributes, reason = ""): StatusError {
  const message = sanitized(forbiddenMessage(attributes));
  const why = reason === "" ? message : `${message}: ${reason}`;
  if ("path" in attributes) return new StatusError(403, "Forbidden", `forbidden: ${why}`, {});
  return forbiddenError({ group: attributes.group, plural: attributes.resource }, attributes.name, why);
}

function forbiddenMessage(attributes: Attributes): string {
  const { user, verb } = attributes;
  const who = `User ${JSON.stringify(user.username)} cannot ${verb}`;
  if ("path" in attributes) return `${who} path ${JSON.stringify(attributes.path)}`;
  const { group, resource, subresource, namespace } = attributes;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  return `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`;
}

function sanitized(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

import type { UserInfo } from "../authentication/index.ts";
import { forbiddenError, StatusError } from "../status-error.ts";
import type { PolicyRule } from "./policy-rule.ts";

/** What a user asks to do. Models apiserver pkg/authorization/authorizer/interfaces.go Attributes */
export type Attributes = {
  readonly user: UserInfo;
  readonly verb: string;
} & (ResourceAttributes | { readonly path: string });

/** A request for a resource. Empty strings where it names nothing. */
export type ResourceAttributes = {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
};

/** `reason` says by which rule it is allowed, or why rules could not be read. */
export type Decision = { readonly allowed: boolean; readonly reason: string };

/** The rules of a user in a namespace, each with the binding that gives it, and messages about roles that are absent. */
export type ResolvedRules = {
  readonly rules: readonly { readonly rule: PolicyRule; readonly source: string }[];
  readonly errors: readonly string[];
};

/** Decides whether a user may do something. */
export type Authorizer = {
  /** Whether it can tell anonymous users from others. If not, requests without credentials are refused. */
  readonly allowsAnonymous: boolean;
  /** Whether the user may do everything, so that nothing needs to be asked. */
  allowsEverything(user: UserInfo): boolean;
  authorize(attributes: Attributes): Decision;
  rulesFor(user: UserInfo, namespace: string): ResolvedRules;
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

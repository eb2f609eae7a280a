import { declare, member, takes, type FunctionDeclaration } from "../declaration.ts";
import { fail } from "../failure.ts";
import { boolType, opaqueType, stringType } from "../type.ts";
import { Opaque, type CelValue } from "../value.ts";

/** What an expression asks to be allowed: something with a resource, or with a path. */
type AuthorizationQuestion = {
  readonly verb: string;
  /** The user that is asked about instead of the one who makes the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
} & ({ readonly path: string } | ResourceQuestion);

type ResourceQuestion = {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
};

/** Answers the questions of an expression. */
export type AskAuthorizer = (question: AuthorizationQuestion) => { readonly allowed: boolean; readonly reason: string };

type Asker = { readonly ask: AskAuthorizer; readonly serviceAccount?: { readonly namespace: string; readonly name: string } };

/** A step of a question, such as `authorizer.group('apps')`. */
class Check<T> extends Opaque {
  readonly typeName: string;
  readonly asker: Asker;
  readonly about: T;

  constructor(typeName: string, asker: Asker, about: T) {
    super();
    this.typeName = typeName;
    this.asker = asker;
    this.about = about;
  }

  equals(other: Opaque): boolean {
    return other === this;
  }

  toString(): string {
    return this.typeName;
  }
}

const names = {
  authorizer: "kubernetes.authorization.Authorizer",
  path: "kubernetes.authorization.PathCheck",
  group: "kubernetes.authorization.GroupCheck",
  resource: "kubernetes.authorization.ResourceCheck",
  decision: "kubernetes.authorization.Decision",
} as const;

class AuthorizerValue extends Check<undefined> {}
class PathCheck extends Check<string> {}
class GroupCheck extends Check<string> {}
class ResourceCheck extends Check<ResourceQuestion> {}
class Decision extends Check<{ readonly allowed: boolean; readonly reason: string }> {}

/** The value of the variable `authorizer`. */
export function authorizerValue(ask: AskAuthorizer): Opaque {
  return new AuthorizerValue(names.authorizer, { ask }, undefined);
}

/** The value of the variable `authorizer.requestResource`. */
export function resourceCheckValue(ask: AskAuthorizer, about: ResourceQuestion): Opaque {
  return new ResourceCheck(names.resource, { ask }, about);
}

export const authorizerType = opaqueType(names.authorizer);
export const resourceCheckType = opaqueType(names.resource);
const types = { path: opaqueType(names.path), group: opaqueType(names.group), decision: opaqueType(names.decision) };

const authorizer = takes.opaque(names.authorizer, (value: CelValue): value is AuthorizerValue => value instanceof AuthorizerValue);
const pathCheck = takes.opaque(names.path, (value: CelValue): value is PathCheck => value instanceof PathCheck);
const groupCheck = takes.opaque(names.group, (value: CelValue): value is GroupCheck => value instanceof GroupCheck);
const resourceCheck = takes.opaque(names.resource, (value: CelValue): value is ResourceCheck => value instanceof ResourceCheck);
const decision = takes.opaque(names.decision, (value: CelValue): value is Decision => value instanceof Decision);

/** A question to the authorizer is so dear that an expression can ask two. */
const checkCost = () => 350_000;

const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function narrowed(part: keyof ResourceQuestion): (check: ResourceCheck, value: string) => ResourceCheck {
  return ({ asker, about }, value) => new ResourceCheck(names.resource, asker, { ...about, [part]: value });
}

function decided(asker: Asker, question: { readonly path: string } | ResourceQuestion, verb: string): Decision {
  const { ask, ...who } = asker;
  return new Decision(names.decision, asker, ask({ ...question, ...who, verb }));
}

function asServiceAccount({ asker }: AuthorizerValue, namespace: string, name: string): AuthorizerValue {
  if (name.length > 253 || !dnsSubdomain.test(name)) return fail("Invalid service account name");
  if (!dnsLabel.test(namespace)) return fail("Invalid service account namespace");
  return new AuthorizerValue(names.authorizer, { ...asker, serviceAccount: { namespace, name } }, undefined);
}

/** Models apiserver pkg/cel/library/authz.go */
export const authorization: readonly FunctionDeclaration[] = [
  declare(
    "path",
    member("authorizer_path", [authorizer, takes.string], types.path, ({ asker }, path) =>
      path === "" ? fail("path must not be empty") : new PathCheck(names.path, asker, path),
    ),
  ),
  declare(
    "group",
    member("authorizer_group", [authorizer, takes.string], types.group, ({ asker }, group) => new GroupCheck(names.group, asker, group)),
  ),
  declare(
    "serviceAccount",
    member("authorizer_serviceaccount", [authorizer, takes.string, takes.string], authorizerType, asServiceAccount),
  ),
  declare(
    "resource",
    member("groupcheck_resource", [groupCheck, takes.string], resourceCheckType, ({ asker, about: group }, resource) => {
      if (resource === "") return fail("resource must not be empty");
      return new ResourceCheck(names.resource, asker, { group, resource, subresource: "", namespace: "", name: "" });
    }),
  ),
  declare("subresource", member("resourcecheck_subresource", [resourceCheck, takes.string], resourceCheckType, narrowed("subresource"))),
  declare("namespace", member("resourcecheck_namespace", [resourceCheck, takes.string], resourceCheckType, narrowed("namespace"))),
  declare("name", member("resourcecheck_name", [resourceCheck, takes.string], resourceCheckType, narrowed("name"))),
  // Role-based access control does not look at selectors.
  declare(
    "fieldSelector",
    member("authorizer_fieldselector", [resourceCheck, takes.string], resourceCheckType, (check) => check),
  ),
  declare(
    "labelSelector",
    member("authorizer_labelselector", [resourceCheck, takes.string], resourceCheckType, (check) => check),
  ),
  declare(
    "check",
    member(
      "pathcheck_check",
      [pathCheck, takes.string],
      types.decision,
      ({ asker, about }, verb) => decided(asker, { path: about }, verb),
      checkCost,
    ),
    member(
      "resourcecheck_check",
      [resourceCheck, takes.string],
      types.decision,
      ({ asker, about }, verb) => decided(asker, about, verb),
      checkCost,
    ),
  ),
  declare(
    "errored",
    member("decision_errored", [decision], boolType, () => false),
  ),
  declare(
    "error",
    member("decision_error", [decision], stringType, () => ""),
  ),
  declare(
    "allowed",
    member("decision_allowed", [decision], boolType, ({ about }) => about.allowed),
  ),
  declare(
    "reason",
    member("decision_reason", [decision], stringType, ({ about }) => about.reason),
  ),
];

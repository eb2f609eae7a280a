import { fieldsAt, isFields, stringAt, stringsAt, type Fields, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";
import { authorizerValue, resourceCheckValue, type AskAuthorizer } from "../../lang/cel/index.ts";
import { serviceAccountGroups, serviceAccountUsername, userInfoFields, type UserInfo } from "../authentication/index.ts";
import type { Authorizer } from "../authorization/index.ts";
import { admissionForbidden, type AdmissionAttributes, type AdmissionContext, type AdmissionPlugin } from "../builtin/index.ts";
import { StatusError } from "../status-error.ts";
import { BindingError, collectParams, type ParamResource } from "./collect-params.ts";
import { compiledPolicyOf } from "./compiled-policy.ts";
import { evaluatePolicy, type Bindings, type Denial } from "./evaluate-policy.ts";
import { isExempt, matchedVersion, namespaceOf, type EquivalentVersion, type VersionsOf } from "./match-resources.ts";

// Models apiserver pkg/admission/plugin/policy/validating/dispatcher.go

const policiesKey = "validatingadmissionpolicies.admissionregistration.k8s.io";
const bindingsKey = "validatingadmissionpolicybindings.admissionregistration.k8s.io";

/** What the plugin needs beside the admission context. */
export type PolicyPluginContext = {
  readonly authorizer: Authorizer;
  readonly paramResource: ParamResource;
  readonly versionsOf: VersionsOf;
};

type PolicyDenial = Denial & { readonly policy: string; readonly binding: string | undefined };

/** The plugin that asks the policies of the cluster about each write. */
export function validatingAdmissionPolicy(plugin: PolicyPluginContext): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionPolicy",
    subresources: "all",
    validate: (attributes, context) => {
      if (isExempt(attributes)) return;
      const policies = context.list(policiesKey);
      if (policies.length === 0) return;
      const bindings = Map.groupBy(context.list(bindingsKey), (binding) => stringAt(binding, "spec.policyName", ""));
      const denials = policies.flatMap((policy) => {
        const own = bindings.get(policy.metadata.name) ?? [];
        return own.length === 0 ? [] : denialsOf(policy, own, attributes, { ...plugin, context });
      });
      if (denials.length > 0) throw denied(attributes, denials[0]!);
    },
  };
}

type Evaluation = PolicyPluginContext & { readonly context: AdmissionContext };

function denialsOf(
  policy: KubeObject,
  bindings: readonly KubeObject[],
  attributes: AdmissionAttributes,
  evaluation: Evaluation,
): readonly PolicyDenial[] {
  const { context, versionsOf } = evaluation;
  const version = matchedVersion(fieldsAt(policy, "spec.matchConstraints"), attributes, context, versionsOf);
  if (version === undefined) return [];
  const unknown = unknownParamKind(policy, evaluation);
  if (unknown !== undefined)
    return compiledPolicyOf(policy).failsOpen
      ? []
      : [{ policy: policy.metadata.name, binding: undefined, message: unknown, reason: "Invalid" }];
  return bindings.flatMap((binding) => {
    const narrower = fieldsAt(binding, "spec")["matchResources"];
    if (isFields(narrower) && matchedVersion(narrower, attributes, context, versionsOf) === undefined) return [];
    return denialsOfBinding(policy, binding, attributes, version, evaluation);
  });
}

/** Why a policy cannot be used: its parameters are of a kind that is not served. */
function unknownParamKind(policy: KubeObject, { paramResource }: Evaluation): string | undefined {
  const paramKind = fieldsAt(policy, "spec")["paramKind"];
  if (!isFields(paramKind)) return undefined;
  const [apiVersion, kind] = [stringAt(paramKind, "apiVersion", ""), stringAt(paramKind, "kind", "")];
  if (paramResource(apiVersion, kind) !== undefined) return undefined;
  return `failed to configure policy: failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`;
}

function denialsOfBinding(
  policy: KubeObject,
  binding: KubeObject,
  attributes: AdmissionAttributes,
  version: EquivalentVersion,
  evaluation: Evaluation,
): readonly PolicyDenial[] {
  const compiled = compiledPolicyOf(policy);
  const names = { policy: policy.metadata.name, binding: binding.metadata.name };
  try {
    const params = collectParams(policy, binding, attributes, { ...evaluation.context, ...readerOf(evaluation) });
    return params.flatMap((param) => {
      const { denials, errors } = evaluatePolicy(compiled, bindingsFor(attributes, version, param, evaluation));
      const told = denials.flatMap((denial) => act(denial, names, stringsAt(binding, "spec.validationActions"), attributes));
      return [...told, ...errors.map((error) => ({ ...error, ...names }))];
    });
  } catch (error) {
    if (!(error instanceof BindingError)) throw error;
    const message = `failed to configure binding: ${error.message}`;
    return compiled.failsOpen ? [] : [{ ...names, message, reason: "Invalid" }];
  }
}

function readerOf({ context, paramResource }: Evaluation): Parameters<typeof collectParams>[3] {
  return {
    read: (resource, namespace, name) => context.read(resource, namespace, name),
    list: (resource, namespace) => context.list(resource, namespace),
    paramResource,
  };
}

/** What a binding does with a denial: it counts only where `Deny` is among its actions. */
function act(
  denial: Denial,
  names: { readonly policy: string; readonly binding: string },
  actions: readonly string[],
  { warn }: AdmissionAttributes,
): readonly PolicyDenial[] {
  if (actions.includes("Warn"))
    warn?.(`Validation failed for ValidatingAdmissionPolicy '${names.policy}' with binding '${names.binding}': ${denial.message}`);
  return actions.includes("Deny") ? [{ ...denial, ...names }] : [];
}

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413, Invalid: 422 };

function denied(attributes: AdmissionAttributes, { policy, binding, message, reason }: PolicyDenial): StatusError {
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy ${by} denied request: ${message}`;
  const { status } = admissionForbidden(attributes, text);
  return new StatusError(codes[reason] ?? 422, reason, status.message ?? "", { ...status.details, causes: [{ message: text }] });
}

/** The components of the cluster itself write as this user. */
const component: UserInfo = { username: "system:kube-controller-manager", groups: ["system:authenticated"] };

function bindingsFor(
  attributes: AdmissionAttributes,
  version: EquivalentVersion,
  params: KubeObject | null,
  { authorizer, context }: Evaluation,
): Bindings {
  const { operation, object, live, user = component, resource, subresource = "", objectKind } = attributes;
  const apiVersion = version.group === "" ? version.version : `${version.group}/${version.version}`;
  const shown = (each: KubeObject | undefined) => (each === undefined ? null : objectKind === undefined ? { ...each, apiVersion } : each);
  const ask = askerFor(authorizer, user);
  const { namespace = "" } = object.metadata;
  const { name = object.metadata.name } = attributes;
  return {
    object: operation === "DELETE" ? null : shown(object),
    oldObject: shown(operation === "DELETE" ? object : live),
    params,
    namespaceObject: namespaceOf(attributes, context),
    request: requestOf(attributes, version, user),
    authorizer: authorizerValue(ask),
    "authorizer.requestResource": resourceCheckValue(ask, {
      group: resource.group,
      resource: resource.plural,
      subresource,
      namespace: resource.key === "namespaces" ? name : namespace,
      name,
    }),
  };
}

function askerFor(authorizer: Authorizer, requestor: UserInfo): AskAuthorizer {
  return ({ serviceAccount, ...question }) => {
    const user =
      serviceAccount === undefined
        ? requestor
        : {
            username: serviceAccountUsername(serviceAccount.namespace, serviceAccount.name),
            groups: serviceAccountGroups(serviceAccount.namespace),
          };
    return authorizer.authorize({ ...question, user });
  };
}

function kindOf({ group, version, kind }: GroupVersionKind): Fields {
  return { group, version, kind };
}

function resourceOf({ group, version, plural }: EquivalentVersion): Fields {
  return { group, version, resource: plural };
}

/** The AdmissionRequest as expressions see it. Models apiserver pkg/admission/plugin/cel/condition.go CreateAdmissionRequest */
function requestOf(attributes: AdmissionAttributes, version: EquivalentVersion, user: UserInfo): Fields {
  const { operation, resource, object, subresource = "", dryRun = false, options = {}, objectKind } = attributes;
  const { namespace = resource.key === "namespaces" ? object.metadata.name : "" } = object.metadata;
  const { name = object.metadata.name } = attributes;
  return {
    kind: kindOf(objectKind ?? version),
    resource: resourceOf(version),
    requestKind: kindOf(objectKind ?? resource),
    requestResource: resourceOf(resource),
    ...(subresource === "" ? {} : { subResource: subresource, requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: userInfoFields(user),
    dryRun,
    options,
  };
}

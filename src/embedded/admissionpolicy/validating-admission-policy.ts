import { fieldsAt, isFields, stringAt, stringsAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import {
  bindingsOf,
  isAdmissionConfiguration,
  matchedVersion,
  namespaceOf,
  type MatchContext,
  type ResourceVersion,
} from "../admission/index.ts";
import { admissionForbidden, type AdmissionAttributes, type AdmissionPlugin } from "../builtin/index.ts";
import type { Bindings } from "../expression/index.ts";
import { StatusError } from "../status-error.ts";
import { BindingError, collectParams, type ParamResource } from "./collect-params.ts";
import { compiledPolicyOf } from "./compiled-policy.ts";
import { evaluatePolicy, type Denial } from "./evaluate-policy.ts";

// Models apiserver pkg/admission/plugin/policy/validating/dispatcher.go

const policiesKey = "validatingadmissionpolicies.admissionregistration.k8s.io";
const bindingsKey = "validatingadmissionpolicybindings.admissionregistration.k8s.io";

/** What policies need of the API server. */
export type PolicyContext = MatchContext & { readonly paramResource: ParamResource };

type PolicyDenial = Denial & { readonly policy: string; readonly binding: string | undefined };

/** The plugin that asks the policies of the cluster about each write. */
export function validatingAdmissionPolicy(context: PolicyContext): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionPolicy",
    subresources: "all",
    validate: (attributes) => {
      if (attributes.internal === true || isAdmissionConfiguration(attributes) || questions.has(attributes.resource.key)) return;
      const policies = context.list(policiesKey);
      if (policies.length === 0) return;
      const bindings = Map.groupBy(context.list(bindingsKey), (binding) => stringAt(binding, "spec.policyName", ""));
      const denials = policies.flatMap((policy) => {
        const own = bindings.get(policy.metadata.name) ?? [];
        return own.length === 0 ? [] : denialsOf(policy, own, attributes, context);
      });
      if (denials.length > 0) throw denied(attributes, denials[0]!);
    },
  };
}

/** Questions to the server, which no policy looks at. Models pkg/kubeapiserver/admission/exclusion/resources.go */
const questions = new Set([
  ...["tokenreviews", "selfsubjectreviews"].map((plural) => `${plural}.authentication.k8s.io`),
  ...["localsubjectaccessreviews", "selfsubjectaccessreviews", "selfsubjectrulesreviews", "subjectaccessreviews"].map(
    (plural) => `${plural}.authorization.k8s.io`,
  ),
]);

function denialsOf(
  policy: KubeObject,
  bindings: readonly KubeObject[],
  attributes: AdmissionAttributes,
  context: PolicyContext,
): readonly PolicyDenial[] {
  const version = matchedVersion(fieldsAt(policy, "spec.matchConstraints"), attributes, context);
  if (version === undefined) return [];
  const unknown = unknownParamKind(policy, context);
  if (unknown !== undefined)
    return compiledPolicyOf(policy).failsOpen
      ? []
      : [{ policy: policy.metadata.name, binding: undefined, message: unknown, reason: "Invalid" }];
  return bindings.flatMap((binding) => {
    const narrower = fieldsAt(binding, "spec")["matchResources"];
    if (isFields(narrower) && matchedVersion(narrower, attributes, context) === undefined) return [];
    return denialsOfBinding(policy, binding, attributes, version, context);
  });
}

/** Why a policy cannot be used: its parameters are of a kind that is not served. */
function unknownParamKind(policy: KubeObject, { paramResource }: PolicyContext): string | undefined {
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
  version: ResourceVersion,
  context: PolicyContext,
): readonly PolicyDenial[] {
  const compiled = compiledPolicyOf(policy);
  const names = { policy: policy.metadata.name, binding: binding.metadata.name };
  try {
    const params = collectParams(policy, binding, attributes, context);
    return params.flatMap((param) => {
      const { denials, errors } = evaluatePolicy(compiled, bindingsFor(attributes, version, param, context));
      const told = denials.flatMap((denial) => act(denial, names, stringsAt(binding, "spec.validationActions"), attributes));
      return [...told, ...errors.map((error) => ({ ...error, ...names }))];
    });
  } catch (error) {
    if (!(error instanceof BindingError)) throw error;
    const message = `failed to configure binding: ${error.message}`;
    return compiled.failsOpen ? [] : [{ ...names, message, reason: "Invalid" }];
  }
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

function bindingsFor(
  attributes: AdmissionAttributes,
  version: ResourceVersion,
  params: KubeObject | null,
  context: PolicyContext,
): Bindings {
  return { ...bindingsOf(attributes, version, context), params, namespaceObject: namespaceObjectOf(attributes, context) };
}

/** The namespace of a write as expressions see it: null for an object without one. */
function namespaceObjectOf(attributes: AdmissionAttributes, { read }: PolicyContext): Fields | null {
  const namespace = namespaceOf(attributes);
  if (namespace === "" || attributes.resource.key === "namespaces") return null;
  const found = read("namespaces", "", namespace);
  if (found === undefined) return null;
  const { uid, managedFields: _managed, ...metadata } = found.metadata;
  return { metadata: { ...metadata, UID: uid }, spec: fieldsAt(found, "spec"), status: fieldsAt(found, "status") };
}

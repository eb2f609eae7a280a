import { fieldsAt, isFields, labelSelectorOf, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { namespaceOf } from "../admission/index.ts";
import type { AdmissionAttributes, AdmissionContext } from "../builtin/index.ts";

/** Where the objects of a kind are, by its apiVersion and kind; undefined for one that is not served. */
export type ParamResource = (apiVersion: string, kind: string) => { readonly key: string; readonly namespaced: boolean } | undefined;

/** Why a binding cannot be used. */
export class BindingError extends Error {}

/**
 * The parameters with which a binding evaluates its policy, one evaluation for each; null where it has none.
 * Models apiserver pkg/admission/plugin/policy/generic/policy_dispatcher.go CollectParams
 */
export function collectParams(
  policy: KubeObject,
  binding: KubeObject,
  attributes: AdmissionAttributes,
  { read, list, paramResource }: Pick<AdmissionContext, "read" | "list"> & { readonly paramResource: ParamResource },
): readonly (KubeObject | null)[] {
  const [kind, reference] = [fieldsAt(policy, "spec")["paramKind"], fieldsAt(binding, "spec")["paramRef"]];
  if (!isFields(kind) || !isFields(reference)) return [null];
  const [apiVersion, name] = [stringAt(kind, "apiVersion", ""), stringAt(kind, "kind", "")];
  const resource = paramResource(apiVersion, name);
  if (resource === undefined) return [];
  const namespace = namespaceOfParams(reference, resource.namespaced, attributes);
  const found = selected(
    reference,
    (each) => read(resource.key, namespace, each),
    () => list(resource.key, namespace),
  );
  if (found.length === 0 && reference["parameterNotFoundAction"] === "Deny")
    throw new BindingError("no params found for policy binding with `Deny` parameterNotFoundAction");
  return found;
}

function namespaceOfParams(reference: Fields, namespaced: boolean, attributes: AdmissionAttributes): string {
  const given = stringAt(reference, "namespace", "");
  if (!namespaced && given !== "") throw new BindingError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  if (!namespaced || given !== "") return given;
  // A namespace is in itself.
  const own = namespaceOf(attributes);
  if (own === "") throw new BindingError("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
  return own;
}

function selected(
  reference: Fields,
  read: (name: string) => KubeObject | undefined,
  list: () => readonly KubeObject[],
): readonly KubeObject[] {
  const name = stringAt(reference, "name", "");
  if (name !== "") {
    const found = read(name);
    return found === undefined ? [] : [found];
  }
  const selector = labelSelectorOf(isFields(reference["selector"]) ? reference["selector"] : undefined);
  return list().filter(({ metadata }) => selector.matches(metadata.labels));
}

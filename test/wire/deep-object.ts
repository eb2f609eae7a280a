import type { Json } from "../../src/core/object/index.ts";

/** A CRD of `Deep`s whose spec has `levels` levels, and what is sent to its objects. All as text: the tests' own JSON must not be the limit. */
export const crdsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

export type DeepForm = "fields" | "values" | "items" | "free";

/** What is around the inner schema, for each level, and around the inner value. */
const forms: Readonly<Record<DeepForm, { readonly schema: readonly [string, string]; readonly value: readonly [string, string] }>> = {
  fields: { schema: ['{"type":"object","properties":{"a":', "}}"], value: ['{"a":', "}"] },
  values: { schema: ['{"type":"object","additionalProperties":', "}"], value: ['{"a":', "}"] },
  items: { schema: ['{"type":"array","items":', "}"], value: ["[", "]"] },
  free: { schema: ["", ""], value: ['{"a":[', "]}"] },
};

const innermost: Readonly<Record<DeepForm, string>> = {
  fields: '{"type":"string"}',
  values: '{"type":"string"}',
  items: '{"type":"string"}',
  free: '{"type":"object","x-kubernetes-preserve-unknown-fields":true}',
};

function nested([opening, closing]: readonly [string, string], inner: string, levels: number): string {
  return opening.repeat(levels) + inner + closing.repeat(levels);
}

export function deepCrd(form: DeepForm, levels: number): string {
  const spec = nested(forms[form].schema, innermost[form], form === "free" ? 0 : levels);
  const root = `{"type":"object","properties":{"spec":${spec}}}`;
  const names = `{"plural":"${form}","kind":"${kindOf(form)}"}`;
  const version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${root}}}`;
  return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"${form}.deep.example.com"},"spec":{"group":"deep.example.com","scope":"Namespaced","names":${names},"versions":[${version}]}}`;
}

export function deepSpec(form: DeepForm, levels: number, inner: Json): string {
  return nested(forms[form].value, JSON.stringify(inner), levels);
}

export function deepObject(form: DeepForm, name: string, spec: string): string {
  return `{"apiVersion":"deep.example.com/v1","kind":"${kindOf(form)}","metadata":{"name":"${name}"},"spec":${spec}}`;
}

export function deepPath(form: DeepForm): string {
  return `/apis/deep.example.com/v1/namespaces/default/${form}`;
}

function kindOf(form: DeepForm): string {
  return `${form[0]!.toUpperCase()}${form.slice(1)}`;
}

/** A request, without what every client adds. */
export type DeepRequest = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
};

const apply = "application/apply-patch+yaml";
const merge = "application/merge-patch+json";
const jsonPatch = "application/json-patch+json";

/** What is done to the CRD and to its objects once it is served. */
export function deepRequests(form: DeepForm, levels: number): readonly DeepRequest[] {
  const [collection, path] = [deepPath(form), `${deepPath(form)}/a`];
  const crd = `${crdsPath}/${form}.deep.example.com`;
  const spec = (inner: Json) => deepSpec(form, levels, inner);
  const replacement = `[{"op":"test","path":"/spec","value":${spec("merged")}},{"op":"replace","path":"/spec","value":${spec("replaced")}}]`;
  return [
    { name: "apply the CRD", method: "PATCH", path: `${crd}?fieldManager=deep`, type: apply, body: deepCrd(form, levels) },
    { name: "label the CRD", method: "PATCH", path: crd, type: merge, body: '{"metadata":{"labels":{"a":"b"}}}' },
    { name: "create", method: "POST", path: collection, body: deepObject(form, "a", spec("created")) },
    { name: "create again", method: "POST", path: collection, body: deepObject(form, "a", spec("created")) },
    { name: "create wrongly", method: "POST", path: collection, body: deepObject(form, "b", spec(1)) },
    {
      name: "apply",
      method: "PATCH",
      path: `${path}?fieldManager=one&force=true`,
      type: apply,
      body: deepObject(form, "a", spec("applied")),
    },
    {
      name: "apply in conflict",
      method: "PATCH",
      path: `${path}?fieldManager=two`,
      type: apply,
      body: deepObject(form, "a", spec("other")),
    },
    {
      name: "apply less",
      method: "PATCH",
      path: `${path}?fieldManager=one`,
      type: apply,
      body: deepObject(form, "a", form === "items" ? "[]" : "{}"),
    },
    { name: "merge", method: "PATCH", path, type: merge, body: `{"spec":${spec("merged")}}` },
    { name: "replace by a JSON patch", method: "PATCH", path, type: jsonPatch, body: replacement },
    { name: "get", method: "GET", path },
    { name: "list", method: "GET", path: collection },
    { name: "delete", method: "DELETE", path },
  ];
}

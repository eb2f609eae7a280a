import type { Problem } from "../../core/fault/index.ts";
import { listAt, mapAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { isInstantiated, luaAnnotation, templateAnnotation } from "../api/index.ts";
import { templateProblem } from "../instantiate/index.ts";
import { scriptProblem } from "../script/index.ts";

/**
 * The templates and scripts of a ConfigMap or Secret that do not compile, when its annotations say that they are such, or it
 * is rendered without any.
 */
export function contentProblems(object: KubeObject, isRendered: boolean): readonly Problem[] {
  const { annotations = {} } = object.metadata;
  const isTemplate = isRendered || annotations[templateAnnotation] !== undefined || isInstantiated("C", annotations);
  if (!isTemplate && annotations[luaAnnotation] === undefined) return [];
  return textsOf(object).flatMap(({ at, text }) => {
    const problem = isTemplate ? templateProblem(at, text) : luaProblem(at, text);
    return problem === undefined ? [] : [problem];
  });
}

/** Tells which ConfigMaps and Secrets the EventBasedAddOns among these objects use: they are rendered with the event in any case. */
export function renderedByAddOns(objects: readonly KubeObject[]): (content: KubeObject) => boolean {
  const references = objects
    .filter(({ kind }) => kind === "EventBasedAddOn")
    .flatMap((addOn) => listAt(addOn, "spec.policyRefs"))
    .map((ref) => ["kind", "namespace", "name"].map((field) => stringAt(ref, field, field === "kind" ? "ConfigMap" : "")).join("/"));
  return ({ kind, metadata: { namespace = "default", name } }) => references.includes(`${kind}/${namespace}/${name}`);
}

function luaProblem(at: string, text: string): Problem | undefined {
  const message = scriptProblem(text, at);
  return message === undefined ? undefined : { at, message };
}

function textsOf(object: KubeObject): readonly { readonly at: string; readonly text: string }[] {
  const decoded = (text: string) => (object.kind === "Secret" ? Buffer.from(text, "base64").toString("utf8") : text);
  const data = Object.entries(mapAt(object, "data")).map(([key, text]) => ({ at: `data[${JSON.stringify(key)}]`, text: decoded(text) }));
  const plain = Object.entries(mapAt(object, "stringData")).map(([key, text]) => ({ at: `stringData[${JSON.stringify(key)}]`, text }));
  return [...data, ...plain];
}

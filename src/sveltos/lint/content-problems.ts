import type { Problem } from "../../core/fault/index.ts";
import { mapAt, type KubeObject } from "../../core/object/index.ts";
import { isInstantiated, luaAnnotation, templateAnnotation } from "../api/index.ts";
import { templateProblem } from "../instantiate/index.ts";
import { scriptProblem } from "../script/index.ts";

/** The templates and scripts of a ConfigMap or Secret that do not compile, when its annotations say that they are such. */
export function contentProblems(object: KubeObject): readonly Problem[] {
  const { annotations = {} } = object.metadata;
  const isTemplate = annotations[templateAnnotation] !== undefined || isInstantiated("C", annotations);
  if (!isTemplate && annotations[luaAnnotation] === undefined) return [];
  return textsOf(object).flatMap(({ at, text }) => {
    const problem = isTemplate ? templateProblem(at, text) : luaProblem(at, text);
    return problem === undefined ? [] : [problem];
  });
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

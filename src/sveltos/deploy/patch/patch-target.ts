import type { ProfilePatch } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { parseLabelSelector, type LabelSelector } from "../../../core/object/index.ts";
import { compileRe2 } from "../../../lang/re2/index.ts";
import type { PatchedObject } from "./patched-object.ts";

/** Whether a patch is for an object. */
export type PatchTarget = (patched: PatchedObject) => boolean;

/**
 * Reads the target of a patch. An expression matches the whole text, as in Kustomize: Sveltos asks for a match of a part first and
 * then leaves the rest to Kustomize. Names and namespaces may also be those from before an earlier patch.
 */
export function readPatchTarget(target: NonNullable<ProfilePatch["target"]>, at: string): PatchTarget {
  const expressionAt = (field: "group" | "version" | "kind" | "namespace" | "name") =>
    readExpression(target[field] ?? "", `${at}.${field}`);
  const [group, version, kind] = [expressionAt("group"), expressionAt("version"), expressionAt("kind")];
  const [namespace, name] = [expressionAt("namespace"), expressionAt("name")];
  const labels = readSelector(target.labelSelector, `${at}.labelSelector`);
  const annotations = readSelector(target.annotationSelector, `${at}.annotationSelector`);
  return ({ object, id, previousIds }) => {
    const original = previousIds[0] ?? id;
    return (
      group(id.group) &&
      version(id.version) &&
      kind(id.kind) &&
      (namespace(original.namespace) || namespace(id.namespace)) &&
      (name(original.name) || name(id.name)) &&
      labels.matches(object.metadata.labels ?? {}) &&
      annotations.matches(object.metadata.annotations ?? {})
    );
  };
}

function readExpression(text: string, at: string): (found: string) => boolean {
  if (text === "") return () => true;
  try {
    const expression = compileRe2(`^(?:${text})$`);
    return (found) => expression.matcher(found).find();
  } catch (error) {
    throw invalidTarget(at, text, error);
  }
}

function readSelector(text: string | undefined, at: string): LabelSelector {
  try {
    return parseLabelSelector(text ?? "");
  } catch (error) {
    throw invalidTarget(at, text ?? "", error);
  }
}

function invalidTarget(at: string, text: string, error: unknown): Fault {
  return new Fault(`${at}: ${JSON.stringify(text)}: ${error instanceof Error ? error.message : String(error)}`, undefined, { final: true });
}

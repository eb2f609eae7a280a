import type { ProfilePatch } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import {
  applyJsonPatch,
  applyStrategicPatch,
  isFields,
  isKubeObject,
  parseLabelSelector,
  PatchFault,
  refOf,
  type Fields,
  type KubeObject,
  type LabelSelector,
} from "../../core/object/index.ts";
import { compileRe2 } from "../../lang/re2/index.ts";
import { readYaml } from "../../lang/yaml/index.ts";
import { readPatchSchema } from "./read-patch-schema.ts";
import type { ProfileTemplateRenderer } from "./profile-template-renderer.ts";

/** A patch that is rendered and parsed, with a matcher for its target. */
export type PreparedPatch = {
  readonly at: string;
  readonly matches: (object: KubeObject) => boolean;
  readonly change:
    | { readonly type: "json"; readonly operations: readonly unknown[] }
    | { readonly type: "strategic"; readonly patch: Fields };
};

/** Renders and parses patches. Throws for an invalid one, with its position. */
export function preparePatches(patches: readonly ProfilePatch[], renderer: ProfileTemplateRenderer): readonly PreparedPatch[] {
  return patches.map(({ patch, target }, index) => {
    const at = `patches[${index}]`;
    const read = readYaml(renderer.render(at, patch), at);
    if (!Array.isArray(read) && !isFields(read)) throw refusal(at, "expected a strategic merge patch or a list of JSON6902 operations");
    const change = Array.isArray(read)
      ? ({ type: "json", operations: read } as const)
      : ({ type: "strategic", patch: read as Fields } as const);
    return { at, matches: matcherFor(target ?? {}, at), change };
  });
}

/** Applies all patches that match an object, in their order. */
export async function applyPatches(
  object: KubeObject,
  patches: readonly PreparedPatch[],
  cluster: Cluster,
  options: { readonly signal: AbortSignal },
): Promise<KubeObject> {
  let changed = object;
  for (const { at, matches, change } of patches) {
    if (!matches(changed)) continue;
    try {
      const next =
        change.type === "json"
          ? change.operations.reduce<unknown>(applyOperation, changed)
          : applyStrategicPatch(changed, change.patch, await readPatchSchema(refOf(changed), cluster, options));
      if (!isKubeObject(next)) throw refusal(at, "leaves no object");
      changed = next;
    } catch (error) {
      if (error instanceof PatchFault) throw refusal(at, `${object.kind} ${object.metadata.name}: ${error.message}`);
      throw error;
    }
  }
  return changed;
}

/** Removing a missing field is no error, as in Sveltos: one patch matches many objects. */
function applyOperation(document: unknown, operation: unknown): unknown {
  try {
    return applyJsonPatch(document, [operation]);
  } catch (error) {
    if (error instanceof PatchFault && isFields(operation) && operation["op"] === "remove") return document;
    throw error;
  }
}

function matcherFor(target: NonNullable<ProfilePatch["target"]>, at: string): (object: KubeObject) => boolean {
  const expressions = (["group", "version", "kind", "namespace", "name"] as const).flatMap((field) => {
    const text = target[field] ?? "";
    return text === "" ? [] : [{ field, expression: expressionOf(text, `${at}.target.${field}`) }];
  });
  const labels = selectorOf(target.labelSelector, `${at}.target.labelSelector`);
  const annotations = selectorOf(target.annotationSelector, `${at}.target.annotationSelector`);
  return (object) => {
    const ref = refOf(object);
    return (
      expressions.every(({ field, expression }) => expression(ref[field])) &&
      labels.matches(object.metadata.labels ?? {}) &&
      annotations.matches(object.metadata.annotations ?? {})
    );
  };
}

/** Unanchored, as Sveltos matches content. */
function expressionOf(text: string, at: string): (text: string) => boolean {
  try {
    const expression = compileRe2(text);
    return (found) => expression.matcher(found).find();
  } catch (error) {
    throw refusal(at, error instanceof Error ? error.message : String(error));
  }
}

function selectorOf(text: string | undefined, at: string): LabelSelector {
  try {
    return parseLabelSelector(text ?? "");
  } catch (error) {
    throw refusal(at, error instanceof Error ? error.message : String(error));
  }
}

function refusal(at: string, message: string): Fault {
  return new Fault(`${at}: ${message}`, undefined, { final: true });
}

import type { ProfilePatch } from "../../api/index.ts";
import { BadInput, Fault } from "../../../core/fault/index.ts";
import { isFields, refOf, stringAt, type Fields, type ObjectRef } from "../../../core/object/index.ts";
import { readDocuments } from "../../../lang/yaml/index.ts";
import type { ContentRenderer } from "../content-task.ts";
import { listItemsOf } from "./list-items.ts";
import { readPatchTarget, type PatchTarget } from "./patch-target.ts";

/** A patch that is parsed. */
export type PreparedPatch = { readonly at: string } & (
  | { readonly type: "json"; readonly operations: readonly Fields[]; readonly target: PatchTarget }
  | { readonly type: "strategic"; readonly patch: Fields; readonly target: PatchTarget | { readonly ref: ObjectRef } }
);

/** The patches with their templates filled. */
export function renderedPatches(patches: readonly ProfilePatch[], renderer: ContentRenderer): Promise<readonly ProfilePatch[]> {
  return Promise.all(patches.map(async (each, index) => ({ ...each, patch: await renderer.render(patchPath(index), each.patch) })));
}

function patchPath(index: number): string {
  return `patches[${index}]`;
}

/** Parses patches. Throws for an invalid one, with its position. */
export function preparePatches(patches: readonly ProfilePatch[]): readonly PreparedPatch[] {
  return patches.flatMap(({ patch, target }, index) => {
    const at = patchPath(index);
    return preparePatch(patch, target === undefined ? undefined : readPatchTarget(target, `${at}.target`), at);
  });
}

function preparePatch(text: string, target: PatchTarget | undefined, at: string): readonly PreparedPatch[] {
  if (text.trim() === "") throw refusal(at, "is empty; expected a strategic merge patch or a list of JSON6902 operations");
  const { documents, problems } = readDocuments(text, at);
  if (problems.length > 0) throw new BadInput(problems);
  const values = documents.map(({ value }) => value);
  const [first] = values;
  if (Array.isArray(first)) {
    if (values.length > 1) throw refusal(at, "has several documents; expected one list of JSON6902 operations");
    return [prepareJsonPatch(first, target, at)];
  }
  const parts = values.flatMap(listItemsOf);
  // Kustomize refuses this too: which of them would the target be for?
  if (target !== undefined && parts.length > 1)
    throw refusal(at, `has ${parts.length} strategic merge patches and a target; expected one of them, or no target`);
  return parts.map((part) => prepareStrategicPatch(part, target, at));
}

function prepareJsonPatch(operations: readonly unknown[], target: PatchTarget | undefined, at: string): PreparedPatch {
  if (target === undefined) throw refusal(at, "a JSON patch needs a target; `target: {}` selects every object");
  const fields = operations.filter(isFields);
  if (fields.length < operations.length) throw refusal(at, "expected a list of JSON6902 operations, each with op and path");
  return { at, type: "json", operations: fields, target };
}

/**
 * With a target, a patch need not say what it is for. Kustomize wants a kind and a name all the same, and then ignores them.
 */
function prepareStrategicPatch(patch: unknown, target: PatchTarget | undefined, at: string): PreparedPatch {
  if (!isFields(patch)) throw refusal(at, "expected a strategic merge patch or a list of JSON6902 operations");
  if (target !== undefined) return { at, type: "strategic", patch, target };
  const [apiVersion, kind] = [stringAt(patch, "apiVersion", ""), stringAt(patch, "kind", "")];
  const [name, namespace] = [stringAt(patch, "metadata.name", ""), stringAt(patch, "metadata.namespace", "")];
  if (apiVersion === "" || kind === "" || name === "")
    throw refusal(at, "a strategic merge patch without target needs apiVersion, kind and metadata.name of the object that it is for");
  return { at, type: "strategic", patch, target: { ref: refOf({ apiVersion, kind, metadata: { name, namespace } }) } };
}

/** The error for an invalid patch. */
export function refusal(at: string, message: string): Fault {
  return new Fault(`${at}: ${message}`, undefined, { final: true });
}

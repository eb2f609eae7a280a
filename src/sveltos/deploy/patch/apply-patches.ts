import {
  applyJsonPatch,
  equal,
  freePatchSchema,
  isFields,
  isKubeObject,
  PatchFault,
  refOf,
  stringAt,
  titleOf,
  type Fields,
  type KubeObject,
  type ObjectRef,
} from "../../../core/object/index.ts";
import { kindScopes } from "../kind-scopes.ts";
import { mergeFields } from "./merge-fields.ts";
import { afterChange, patchIdOf, type IsNamespaced, type PatchedObject } from "./patched-object.ts";
import type { PatchFacts } from "./patch-facts.ts";
import type { PatchTarget } from "./patch-target.ts";
import { refusal, type PreparedPatch } from "./prepare-patches.ts";
import { PatchSchemaReader } from "./patch-schema-reader.ts";

/**
 * Applies patches in their order to the objects of one deploy, as Kustomize does. The result has an entry for each object, in the
 * same order: undefined for one that a patch deletes.
 *
 * Models kustomize api internal/builtins PatchTransformer, run on all objects at once. ADR 23 says what differs.
 */
export async function applyPatches(
  objects: readonly KubeObject[],
  patches: readonly PreparedPatch[],
  facts: PatchFacts,
): Promise<readonly (KubeObject | undefined)[]> {
  if (patches.length === 0 || objects.length === 0) return objects;
  const scopeOf = kindScopes(objects, facts.scopeOf);
  // A kind that nobody knows may have namespaces.
  const context = {
    isNamespaced: async (gvk) => (await scopeOf(gvk)) ?? true,
    schemas: new PatchSchemaReader(facts),
  } as const satisfies Context;
  let all: readonly (PatchedObject | undefined)[] = await Promise.all(
    objects.map(async (object) => {
      const named = checked(object, "patches", `a ${object.kind} has no metadata.name, by which patches find it`);
      return { object, id: await patchIdOf(refOf(named), context.isNamespaced), previousIds: [] };
    }),
  );
  for (const patch of patches) all = await applyPatch(all, patch, context);
  return all.map((patched) => patched?.object);
}

type Context = { readonly isNamespaced: IsNamespaced; readonly schemas: PatchSchemaReader };

async function applyPatch(
  all: readonly (PatchedObject | undefined)[],
  patch: PreparedPatch,
  context: Context,
): Promise<readonly (PatchedObject | undefined)[]> {
  const { target } = patch;
  const isFor = typeof target === "function" ? target : isNamed(await patchIdOf(target.ref, context.isNamespaced));
  const next: (PatchedObject | undefined)[] = [];
  let found = false;
  for (const patched of all) {
    const matches = patched !== undefined && isFor(patched);
    found ||= matches;
    next.push(matches ? await applyTo(patched, patch, context) : patched);
  }
  if (!found && typeof target !== "function")
    throw refusal(patch.at, `names ${titleOf(target.ref)}, which is not among the objects; with a target a patch may match nothing`);
  return next;
}

function isNamed(wanted: ObjectRef): PatchTarget {
  return ({ id, previousIds }) => [...previousIds, id].some((each) => equal(each, wanted));
}

async function applyTo(
  patched: PatchedObject,
  patch: PreparedPatch,
  { isNamespaced, schemas }: Context,
): Promise<PatchedObject | undefined> {
  const { object } = patched;
  try {
    if (patch.type === "strategic") {
      const schema = needsSchema(patch.patch) ? await schemas.read(patched.id) : freePatchSchema;
      const merged = mergeFields(object, withIdentityOf(object, patch.patch), schema);
      return merged === undefined ? undefined : { ...patched, object: checked(merged, patch.at, leavesNone) };
    }
    const copies = { bytes: 0 };
    const result = patch.operations.reduce<unknown>((document, operation) => applyOperation(document, operation, copies), object);
    const changed = checked(result, patch.at, leavesNone);
    return await afterChange(patched, changed, isNamespaced);
  } catch (error) {
    if (error instanceof PatchFault) throw refusal(patch.at, `${titleOf(refOf(object))}: ${error.message}`);
    throw error;
  }
}

/** Whether a patch has lists or directives other than `$patch`: the OpenAPI document of a group is large. */
function needsSchema(patch: unknown): boolean {
  if (!isFields(patch)) return Array.isArray(patch);
  return Object.entries(patch).some(([key, value]) => (key.startsWith("$") && key !== "$patch") || needsSchema(value));
}

/** A strategic merge patch changes no apiVersion, kind, name or namespace: with a target, those of the patch mean nothing. */
function withIdentityOf({ apiVersion, kind, metadata }: KubeObject, patch: Fields): Fields {
  const written = patch["metadata"];
  const { name: _name, namespace: _namespace, ...others } = isFields(written) ? written : {};
  const identity = { name: metadata.name, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }) };
  return { ...patch, apiVersion, kind, metadata: { ...others, ...identity } };
}

const leavesNone = "leaves no object with apiVersion, kind and metadata.name";

function checked(value: unknown, at: string, message: string): KubeObject {
  if (isKubeObject(value) && value.kind !== "" && stringAt(value, "metadata.name", "") !== "") return value;
  throw refusal(at, message);
}

/** Removing a missing field is no error, as in Sveltos: one patch matches many objects. */
function applyOperation(document: unknown, operation: Fields, copies: { bytes: number }): unknown {
  try {
    return applyJsonPatch(document, [operation], copies);
  } catch (error) {
    if (error instanceof PatchFault && operation["op"] === "remove") return document;
    throw error;
  }
}

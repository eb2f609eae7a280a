import {
  applyMergePatch,
  equal,
  isFields,
  isKubeObject,
  mergePatchBetween,
  refOf,
  type Fields,
  type KubeObject,
} from "../../../src/core/object/index.ts";
import { UnknownKind, type Cluster, type WriteOptions } from "../../../src/kube/index.ts";
import { Fault } from "../../../src/core/fault/index.ts";

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** Writes use kubectl's field manager, and unknown fields are refused as kubectl asks. */
export type KubectlOptions = { readonly dryRun: boolean };

/**
 * `kubectl apply`, client-side: creates the object with its last-applied annotation, or merges three ways. Lists are replaced,
 * which makes no difference for objects that only kubectl has written.
 */
export async function kubectlApply(object: KubeObject, cluster: Cluster, { dryRun }: KubectlOptions): Promise<void> {
  const desired = await withDefaultNamespace(object, cluster);
  const options: WriteOptions = { dryRun, manager: "kubectl-client-side-apply", fieldValidation: "Strict" };
  const marked = withLastApplied(desired);
  const live = await cluster.find(refOf(desired));
  if (live === undefined) await cluster.create(marked, options);
  else {
    const next = merged(live, marked, appliedBefore(live));
    if (!equal(next, live)) await cluster.replace(next, options);
  }
}

/** The object with the namespace that it goes to when it names none. */
export async function withDefaultNamespace(object: KubeObject, cluster: Cluster, namespace = "default"): Promise<KubeObject> {
  const resource = await cluster.discovery.find(refOf(object));
  if (resource === undefined) throw new UnknownKind(refOf(object));
  if (!resource.namespaced || object.metadata.namespace !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

function appliedBefore(live: KubeObject): Fields {
  const text = live.metadata.annotations?.[lastApplied];
  const before: unknown = text === undefined ? {} : JSON.parse(text);
  return isFields(before) ? before : {};
}

function merged(live: KubeObject, desired: KubeObject, before: Fields): KubeObject {
  const left = applyMergePatch(live, deletionsOf(before, desired));
  const next = applyMergePatch(left, desired);
  if (!isKubeObject(next)) throw new Fault(`apply ${desired.kind} ${desired.metadata.name}`, "it is no object after merging");
  return next;
}

/** Nulls for what was applied before and is no longer desired. The annotation itself is not part of what was applied. */
function deletionsOf(before: Fields, desired: Fields): Fields {
  const changes = mergePatchBetween(before, desired);
  const nulls = (patch: Fields): Fields =>
    Object.fromEntries(
      Object.entries(patch).flatMap(([key, value]): [string, unknown][] => {
        if (value === null) return [[key, null]];
        return isFields(value) ? [[key, nulls(value)]] : [];
      }),
    );
  return nulls(changes);
}

function withLastApplied(object: KubeObject): KubeObject {
  const { [lastApplied]: _, ...annotations } = object.metadata.annotations ?? {};
  const text = `${goJson({ ...object, metadata: { ...object.metadata, annotations } })}\n`;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [lastApplied]: text } } };
}

/** Models encoding/json: keys in order, and <, > and & escaped. */
function goJson(value: unknown): string {
  const sorted = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(sorted);
    if (!isFields(item)) return item;
    return Object.fromEntries(
      Object.entries(item)
        .map(([key, inner]): [string, unknown] => [key, sorted(inner)])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  };
  const escaped: Readonly<Record<string, string>> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };
  return JSON.stringify(sorted(value)).replaceAll(/[<>&]/g, (character) => escaped[character]!);
}

import { BadInput, Fault, inFileOrder, type Problem } from "../../core/fault/index.ts";
import { hasStatus, type Cluster, type Resource } from "../../kube/index.ts";
import { fieldsAt, listAt, refOf, stringAt, titleOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { order, type OrderingConstraints } from "../order/index.ts";
import { positionText, type InvalidManifests, type LocatedManifest } from "../../lang/yaml/index.ts";
import { readNamespaceState, type NamespaceState } from "./namespace-state.ts";
import { kindKey, readKinds, scopeOf } from "./read-kinds.ts";
import { withEncodedStringData } from "./with-encoded-string-data.ts";
import { withNamespace } from "./with-namespace.ts";

/** A manifest that fits the cluster: its kind and its namespace exist or come with the other manifests. */
export type PreparedManifest = {
  readonly object: KubeObject;
  readonly ref: ObjectRef;
  /** The position for messages: `web.yaml:12`. */
  readonly at: string;
  /** The kind has a status subresource, so a controller is expected to write it. */
  readonly hasStatus: boolean;
  /** Its kind or namespace comes with the other manifests, so a dry run cannot check it yet. */
  readonly pending: boolean;
  /** Where it is ordered among the others. */
  readonly constraints: OrderingConstraints;
};

/** Manifests in order, with warnings about likely mistakes. */
export type PreparedManifests = { readonly items: readonly PreparedManifest[]; readonly warnings: readonly Problem[] };

type PrepareOptions = {
  readonly signal: AbortSignal;
  /** The namespace of namespaced objects that name none. Default: the namespace of the connection. */
  readonly namespace?: string;
  /** What to do when that namespace does not exist. Default: create it or apply a manifest of it. */
  readonly namespaceRemedy?: string;
  /** Refuses objects for a namespace that is being deleted. Default: that is left to the API server, which may be asked again. */
  readonly refusesTerminating?: boolean;
  /** Namespaces that are created before anything is applied. */
  readonly comingNamespaces?: readonly string[];
  /** Takes namespaces for active without reading them: the API server refuses what is to be in another one. Default false. */
  readonly assumeNamespaces?: boolean;
  /** What is wrong with other manifests. It is reported together with the rest. */
  readonly invalid?: InvalidManifests | undefined;
};

/** What is known about a kind before anything is applied. */
type Kind = { readonly namespaced: boolean; readonly hasStatus: boolean; readonly pending: boolean };

/**
 * Orders the manifests and checks them against the cluster. Throws all problems at once, before anything changes: an
 * unknown kind, a missing namespace, a contradicting order.
 */
export async function prepare(
  manifests: readonly LocatedManifest[],
  cluster: Cluster,
  options: PrepareOptions,
): Promise<PreparedManifests> {
  const { items, problems, warnings } = await tryPrepare(manifests, cluster, options);
  if (problems.length > 0) throw new BadInput(problems);
  return { items, warnings };
}

/** Prepared manifests with their problems. `items` leaves out the manifests of unknown kinds. */
type PrepareResult = PreparedManifests & { readonly problems: readonly Problem[] };

/** Like `prepare`, but returns the problems instead of throwing them. */
export async function tryPrepare(valid: readonly LocatedManifest[], cluster: Cluster, options: PrepareOptions): Promise<PrepareResult> {
  const { invalid, namespace = cluster.namespace } = options;
  if (invalid === undefined) return prepareAll(valid, cluster, options, false);
  const all = [...valid, ...invalid.repaired];
  try {
    const { items, problems, warnings } = await prepareAll(all, cluster, options, invalid.isPartial);
    return { items, problems: inFileOrder([...invalid.problems, ...problems]), warnings };
  } catch (error) {
    if (options.signal.aborted || !(error instanceof Fault)) throw error;
    // What is wrong without a cluster is reported whether or not the cluster answers.
    const { problems, warnings } = order(all, { namespace, isPartial: invalid.isPartial });
    return { items: [], problems: inFileOrder([...invalid.problems, ...problems]), warnings };
  }
}

/** `isPartial`: more manifests are to come, so a kind or a namespace that is missing may be among them. */
async function prepareAll(
  manifests: readonly LocatedManifest[],
  cluster: Cluster,
  options: PrepareOptions,
  isPartial: boolean,
): Promise<PrepareResult> {
  const { signal, comingNamespaces = [], assumeNamespaces = false, namespace: defaultNamespace = cluster.namespace } = options;
  const problems: Problem[] = [];
  const crdKinds = new Map(manifests.flatMap(({ object }) => kindsOfCrd(object)));
  const newNames = manifests.filter(({ object }) => isNamespace(object)).map(({ object }) => object.metadata.name);
  const newNamespaces = new Set([...newNames, ...comingNamespaces]);
  const namespaces = new Map<string, Promise<NamespaceState>>();
  const stateOf = async (name: string) => {
    if (assumeNamespaces) return "active";
    const known = namespaces.get(name) ?? readNamespaceState(name, cluster, signal);
    namespaces.set(name, known);
    const { state } = await known;
    // Before anything is applied, it is gone and created again.
    return state === "terminating" && comingNamespaces.includes(name) ? "absent" : state;
  };

  const findKind = await readKinds(
    manifests.map(({ object }) => object),
    cluster,
  );
  const placed = new Map<LocatedManifest, Omit<PreparedManifest, "constraints">>();
  const scopes = new Map<string, Kind>();
  const homeless = new Map<string, readonly HomelessObject[]>();
  const doomed = new Map<string, readonly HomelessObject[]>();
  for (const manifest of manifests) {
    const { object } = manifest;
    const at = positionText(manifest.at);
    const gvk = refOf(object);
    const kind = servedKind(findKind(gvk)) ?? crdKinds.get(kindKey(gvk)) ?? kindToWaitFor(object);
    if (kind === undefined && isPartial) continue;
    if (kind === undefined) {
      problems.push({
        at,
        message: `${titleOf({ kind: object.kind, name: object.metadata.name ?? "" })}: the cluster knows no kind ${object.apiVersion} ${object.kind}: check the spelling, apply its CustomResourceDefinition too, or wait for it with the annotation ${waitForKind}: "true"`,
      });
      continue;
    }
    scopes.set(kindKey(gvk), kind);
    const own = withNamespace(withEncodedStringData(object), kind.namespaced ? object.metadata.namespace || defaultNamespace : "");
    const ref = refOf(own);
    const fresh = ref.namespace !== "" && newNamespaces.has(ref.namespace) && (await stateOf(ref.namespace)) === "absent";
    if (ref.namespace !== "" && !fresh && (await stateOf(ref.namespace)) === "absent")
      homeless.set(ref.namespace, [...(homeless.get(ref.namespace) ?? []), { at, ref }]);
    if (options.refusesTerminating === true && !newNamespaces.has(ref.namespace) && ref.namespace !== "")
      if ((await stateOf(ref.namespace)) === "terminating") doomed.set(ref.namespace, [...(doomed.get(ref.namespace) ?? []), { at, ref }]);
    placed.set(manifest, { object: own, ref, at, hasStatus: kind.hasStatus, pending: kind.pending || fresh });
  }
  for (const [name, objects] of isPartial ? [] : homeless)
    problems.push(missingNamespace(name, objects, name === defaultNamespace ? options.namespaceRemedy : undefined));
  for (const [name, objects] of doomed) problems.push(terminatingNamespace(name, objects));
  const {
    ordered,
    problems: wrong,
    warnings,
  } = order(manifests, {
    namespace: defaultNamespace,
    scopeOf: (gvk) => scopeOf(scopes.get(kindKey(gvk))),
    isPartial,
  });
  const items = ordered.flatMap(({ item, constraints }) => (placed.has(item) ? [{ ...placed.get(item)!, constraints }] : []));
  return { items, problems: [...problems, ...wrong], warnings };
}

/** An object whose namespace does not exist, or not for long. */
type HomelessObject = { readonly at: string; readonly ref: ObjectRef };

/** One problem for all objects of a namespace that does not exist. */
function missingNamespace(
  name: string,
  objects: readonly HomelessObject[],
  remedy = "create it first, or apply a Namespace manifest with it",
): Problem {
  return namespaceProblem(objects, `there is no namespace ${name}`, remedy);
}

/** One problem for all objects of a namespace that is being deleted. */
function terminatingNamespace(name: string, objects: readonly HomelessObject[]): Problem {
  const remedy = `wait until it is gone (kubectl wait --for=delete namespace/${name}), and create it again`;
  return namespaceProblem(objects, `namespace ${name} is being deleted, and nothing can be created in it any more`, remedy);
}

function namespaceProblem([first, ...others]: readonly HomelessObject[], what: string, remedy: string): Problem {
  const count = others.length === 1 ? "1 more object is" : `${others.length} more objects are`;
  const more = others.length === 0 ? "" : `, and ${count} to be in it`;
  return { at: first!.at, message: `${titleOf(first!.ref)}: ${what}${more}: ${remedy}` };
}

function isNamespace({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === "v1" && kind === "Namespace";
}

function servedKind(resource: Resource | undefined): Kind | undefined {
  return resource === undefined ? undefined : { namespaced: resource.namespaced, hasStatus: hasStatus(resource), pending: false };
}

const waitForKind = "sluice.dev/wait-for-kind";

/**
 * A kind that an operator installs during the deploy. Its scope is unknown until it is served; until then a manifest
 * with a namespace counts as namespaced.
 */
function kindToWaitFor({ metadata }: KubeObject): Kind | undefined {
  if (metadata.annotations?.[waitForKind] !== "true") return undefined;
  return { namespaced: (metadata.namespace ?? "") !== "", hasStatus: false, pending: true };
}

/** The kinds that a CustomResourceDefinition adds. */
function kindsOfCrd(object: KubeObject): [string, Kind][] {
  if (object.kind !== "CustomResourceDefinition") return [];
  const group = stringAt(object, "spec.group", "");
  const kind = stringAt(object, "spec.names.kind", "");
  const namespaced = stringAt(object, "spec.scope") === "Namespaced";
  return listAt(object, "spec.versions")
    .filter((version) => version["served"] === true)
    .map((version) => {
      const gvk = { group, version: stringAt(version, "name", ""), kind };
      return [kindKey(gvk), { namespaced, hasStatus: "status" in fieldsAt(version, "subresources"), pending: true }];
    });
}

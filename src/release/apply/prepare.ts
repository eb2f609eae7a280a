import { BadInput, type Problem } from "../../core/fault/index.ts";
import { hasStatus, isForbidden, type Cluster, type Resource } from "../../kube/index.ts";
import {
  apiVersionOf,
  fieldsAt,
  listAt,
  refOf,
  stringAt,
  titleOf,
  type GroupVersionKind,
  type KubeObject,
  type ObjectRef,
} from "../../core/object/index.ts";
import { order, type OrderingConstraints, type ResourceScope } from "../order/index.ts";
import { positionText, type LocatedManifest } from "../../lang/yaml/index.ts";
import { withNamespace } from "./with-namespace.ts";

/** A manifest that is known to fit the cluster: its kind is there or comes with it, and so is its namespace. */
export type PreparedManifest = {
  readonly object: KubeObject;
  readonly ref: ObjectRef;
  /** Where it stands, for messages: `web.yaml:12`. */
  readonly at: string;
  /** Its kind has a status, so somebody is expected to write one. */
  readonly hasStatus: boolean;
  /** Its kind or namespace comes with the other manifests, so the cluster cannot judge it yet. */
  readonly pending: boolean;
  /** Its place among the others. */
  readonly claims: OrderingConstraints;
};

/** Manifests in their order, and what can hardly be meant by them. */
export type PreparedManifests = { readonly items: readonly PreparedManifest[]; readonly warnings: readonly Problem[] };

export type PrepareOptions = {
  readonly signal: AbortSignal;
  /** Where objects go that have a namespace and name none. Default: where the cluster's connection puts them. */
  readonly namespace?: string;
  /** Namespaces that will be there before anything is applied. */
  readonly comingNamespaces?: readonly string[];
};

/** What is known of a kind before anything is applied. */
type Kind = { readonly namespaced: boolean; readonly hasStatus: boolean; readonly pending: boolean };

/**
 * Puts the manifests in order and holds them against the cluster. Everything that cannot work (a kind that nobody brings, a
 * namespace that is not there, an order that contradicts itself) is thrown at once, before anything is touched.
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

/** A preparation, and what speaks against it; then its items are those that are left. */
export type PrepareResult = PreparedManifests & { readonly problems: readonly Problem[] };

/** The same for whoever wants to hear all of it: what cannot work is told and not thrown. */
export async function tryPrepare(manifests: readonly LocatedManifest[], cluster: Cluster, options: PrepareOptions): Promise<PrepareResult> {
  const { signal, comingNamespaces = [], namespace: home = cluster.namespace } = options;
  const problems: Problem[] = [];
  const brought = new Map(manifests.flatMap(({ object }) => kindsBroughtBy(object)));
  const brings = manifests.filter(({ object }) => isNamespace(object)).map(({ object }) => object.metadata.name);
  const newNamespaces = new Set([...brings, ...comingNamespaces]);
  const namespaces = new Map<string, Promise<boolean>>();
  const exists = (name: string) => {
    const known = namespaces.get(name) ?? namespaceExists(name, cluster, signal);
    namespaces.set(name, known);
    return known;
  };

  const placed = new Map<LocatedManifest, Omit<PreparedManifest, "claims">>();
  const scopes = new Map<string, ResourceScope>();
  for (const manifest of manifests) {
    const { object } = manifest;
    const at = positionText(manifest.at);
    const kind = (await servedKind(cluster, object)) ?? brought.get(kindKey(object)) ?? kindToCome(object);
    if (kind === undefined) {
      problems.push({
        at,
        message: `the cluster knows no kind ${object.apiVersion} ${object.kind}: check the spelling, apply its CustomResourceDefinition too, or wait for it with the annotation ${waitForKind}: "true"`,
      });
      continue;
    }
    scopes.set(kindKey(object), kind.namespaced ? "namespaced" : "cluster");
    const own = withNamespace(object, kind.namespaced ? object.metadata.namespace || home : "");
    const ref = refOf(own);
    const fresh = ref.namespace !== "" && newNamespaces.has(ref.namespace) && !(await exists(ref.namespace));
    if (ref.namespace !== "" && !fresh && !(await exists(ref.namespace))) {
      problems.push({
        at,
        message: `${titleOf(ref)}: there is no namespace ${ref.namespace}: create it first, or apply a Namespace manifest with it`,
      });
    }
    placed.set(manifest, { object: own, ref, at, hasStatus: kind.hasStatus, pending: kind.pending || fresh });
  }
  const scopeOf = (gvk: GroupVersionKind) => scopes.get(kindKey({ apiVersion: apiVersionOf(gvk), kind: gvk.kind }));
  const { ordered, problems: wrong, warnings } = order(manifests, { namespace: home, scopeOf });
  const items = ordered.flatMap(({ item, claims }) => (placed.has(item) ? [{ ...placed.get(item)!, claims }] : []));
  return { items, problems: [...problems, ...wrong], warnings };
}

/** Who may not look at namespaces is believed to know that they are there. */
async function namespaceExists(name: string, cluster: Cluster, signal: AbortSignal): Promise<boolean> {
  try {
    return (await cluster.find({ ...namespaceKind, namespace: "", name }, { signal })) !== undefined;
  } catch (error) {
    if (isForbidden(error)) return true;
    throw error;
  }
}

const namespaceKind = { group: "", version: "v1", kind: "Namespace" };

function isNamespace({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === "v1" && kind === "Namespace";
}

function kindKey({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${apiVersion} ${kind}`;
}

async function servedKind(cluster: Cluster, object: KubeObject): Promise<Kind | undefined> {
  const resource: Resource | undefined = await cluster.discovery.find(refOf(object));
  return resource === undefined ? undefined : { namespaced: resource.namespaced, hasStatus: hasStatus(resource), pending: false };
}

const waitForKind = "sluice.dev/wait-for-kind";

/** A kind that an operator brings while the release is deployed. Nobody can ask yet: what names a namespace has one, all else is found out when it is served. */
function kindToCome({ metadata }: KubeObject): Kind | undefined {
  if (metadata.annotations?.[waitForKind] !== "true") return undefined;
  return { namespaced: (metadata.namespace ?? "") !== "", hasStatus: false, pending: true };
}

/** The kinds that a CustomResourceDefinition will have the cluster serve. */
function kindsBroughtBy(object: KubeObject): [string, Kind][] {
  if (object.kind !== "CustomResourceDefinition") return [];
  const group = stringAt(object, "spec.group", "");
  const kind = stringAt(object, "spec.names.kind", "");
  const namespaced = stringAt(object, "spec.scope") === "Namespaced";
  return listAt(object, "spec.versions")
    .filter((version) => version["served"] === true)
    .map((version) => {
      const apiVersion = apiVersionOf({ group, version: stringAt(version, "name", "") });
      return [kindKey({ apiVersion, kind }), { namespaced, hasStatus: "status" in fieldsAt(version, "subresources"), pending: true }];
    });
}

import { isFields, refOf, type Fields, type KubeObject } from "../../../src/core/object/index.ts";
import type { FleetState } from "./recorded-scenario.ts";

/** One difference between our state and the recorded one. */
export type StateDifference = {
  /** `management`, or a managed cluster. */
  readonly cluster: string;
  readonly kind: string;
  /** `namespace/name`, or the name alone. */
  readonly name: string;
  /** The path in the object, `status.clusterInfo[c1].hash`; empty for the object as a whole. */
  readonly path: string;
  /** Undefined where one side has nothing. */
  readonly recorded: unknown;
  readonly got: unknown;
};

/** Lists whose items are identified by a key, in any order. */
const keyed: Readonly<Record<string, (item: Fields) => string>> = {
  ownerReferences: ({ kind, name }) => `${String(kind)}/${String(name)}`,
  clusterProfileResources: ({ clusterProfileName }) => String(clusterProfileName),
  profileResources: ({ profileName }) => String(profileName),
  Features: ({ featureID }) => String(featureID),
  featureSummaries: ({ featureID }) => String(featureID),
  deployedGVKs: ({ featureID }) => String(featureID),
  resourceReports: ({ resource }) => nameIn(resource),
  releaseReports: ({ releaseNamespace, releaseName }) => `${String(releaseNamespace)}/${String(releaseName)}`,
  charts: ({ namespace, releaseName }) => `${String(namespace)}/${String(releaseName)}`,
  conditions: ({ type }) => String(type),
  clusterInfo: ({ cluster }) => nameIn(cluster),
  matchingClusters: nameIn,
};

/** `resources` lists objects in a ClusterConfiguration and matches in a report; only the former has no order. */
function keyFor(list: string, items: readonly unknown[]): ((item: Fields) => string) | undefined {
  if (list === "resources" && items.every((item) => isFields(item) && !isFields(item["metadata"]))) return nameIn;
  return Object.hasOwn(keyed, list) ? keyed[list] : undefined;
}

function nameIn(item: unknown): string {
  const { kind, namespace, name } = isFields(item) ? item : {};
  return [kind, namespace, name].filter((part) => typeof part === "string" && part !== "").join("/");
}

const unordered = new Set(["deployedGroupVersionKind", "finalizers"]);

/** All differences between two states: objects that only one has, and every field that differs. */
export function differencesBetween(recorded: FleetState, got: FleetState): readonly StateDifference[] {
  return Object.keys({ ...recorded, ...got }).flatMap((cluster) => [...inCluster(cluster, recorded[cluster] ?? [], got[cluster] ?? [])]);
}

function* inCluster(cluster: string, recorded: readonly KubeObject[], got: readonly KubeObject[]): Generator<StateDifference> {
  const [theirs, ours] = [byTitle(recorded), byTitle(got)];
  for (const title of new Set([...theirs.keys(), ...ours.keys()])) {
    const [their, our] = [theirs.get(title), ours.get(title)];
    const some = their ?? our!;
    const { namespace, name } = refOf(some);
    const where = { cluster, kind: some.kind, name: namespace === "" ? name : `${namespace}/${name}` };
    if (their === undefined || our === undefined) yield { ...where, path: "", recorded: their, got: our };
    else for (const each of differing(their, our, "", "")) yield { ...where, ...each };
  }
}

function byTitle(objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> {
  return new Map(
    objects.map((object) => [`${refOf(object).group} ${object.kind} ${object.metadata.namespace ?? ""}/${object.metadata.name}`, object]),
  );
}

type FieldDifference = Pick<StateDifference, "path" | "recorded" | "got">;

function* differing(recorded: unknown, got: unknown, path: string, field: string): Generator<FieldDifference> {
  if (Array.isArray(recorded) && Array.isArray(got)) yield* inLists(recorded, got, path, field);
  else if (isFields(recorded) && isFields(got)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(got)])) {
      yield* differing(recorded[key], got[key], path === "" ? key : `${path}.${key}`, key);
    }
  } else if (JSON.stringify(recorded) !== JSON.stringify(got)) yield { path, recorded, got };
}

function* inLists(recorded: readonly unknown[], got: readonly unknown[], path: string, field: string): Generator<FieldDifference> {
  const [theirs, ours] = unordered.has(field) ? [recorded.toSorted(), got.toSorted()] : [recorded, got];
  const keyOf = keyFor(field, [...theirs, ...ours]);
  const [one, other] = [named(theirs, keyOf), named(ours, keyOf)];
  for (const key of new Set([...one.keys(), ...other.keys()])) yield* differing(one.get(key), other.get(key), `${path}[${key}]`, "");
}

function named(list: readonly unknown[], keyOf: ((item: Fields) => string) | undefined): ReadonlyMap<string, unknown> {
  return new Map(list.map((item, index) => [keyOf !== undefined && isFields(item) ? keyOf(item) : String(index), item]));
}

/** `c1 NetworkPolicy default/front: spec.ports: recorded 80, got 8080`. */
export function differenceLine({ cluster, kind, name, path, recorded, got }: StateDifference): string {
  const what = `${cluster} ${kind} ${name}`;
  if (path === "") return got === undefined ? `${what}: is missing` : `${what}: is not in the record`;
  return `${what}: ${path}: recorded ${short(recorded)}, got ${short(got)}`;
}

function short(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

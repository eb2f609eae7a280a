import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { keyOf, refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { defaultTracking } from "../../release/plan/index.ts";
import { readReleaseStatus, type ObjectStatus } from "../../release/status/index.ts";
import { readHealth, type ObjectHealth } from "../../release/track/index.ts";
import { reasonLabel } from "../api/index.ts";
import type { AddonOutline, ResourceOutline } from "../../view/index.ts";

type ResourceAddon = Extract<AddonOutline, { type: "resource" }>;
type ChartAddon = Extract<AddonOutline, { type: "chart" }>;

export type DeployedObjectOptions = {
  readonly signal: AbortSignal;
  /** Tells of the holder of a Lease whether it has died, where that can be known. Default: never. */
  readonly hasDied?: (holder: string) => boolean;
};

/** Reads how everything is doing that is deployed in one cluster: the resources, and the objects of releases. */
export async function readDeployedObjects(
  addons: readonly AddonOutline[],
  cluster: Cluster,
  options: DeployedObjectOptions,
): Promise<readonly ResourceOutline[]> {
  const resources = addons.filter((addon): addon is ResourceAddon => addon.type === "resource");
  const charts = addons.filter((addon): addon is ChartAddon => addon.type === "chart");
  const found = await readResources(resources, cluster, options.signal);
  const releases: (readonly ResourceOutline[])[] = [];
  for (const chart of charts) releases.push(await readRelease(chart, cluster, options));
  return [...found, ...releases.flat()];
}

const missingJob = "it does not exist; a Job with ttlSecondsAfterFinished goes by itself once it has finished";

async function readResources(addons: readonly ResourceAddon[], cluster: Cluster, signal: AbortSignal): Promise<readonly ResourceOutline[]> {
  const refs = addons.map(({ group, version, kind, namespace, name }): ObjectRef => ({ group, version, kind, namespace, name }));
  const known = await listKnown(refs, cluster, signal);
  const gates = [{ until: "ready" }] as const;
  const query = refs.map((ref) => ({ ref, gates, tracking: defaultTracking }));
  const healths = await readHealth(query, cluster, { signal, known: (ref) => known.get(keyOf(ref)) });
  return addons.map((addon, at) => ({ ...outlineOf(addon, refs[at]!), ...healthOf(healths[at]!) }));
}

function healthOf({ ref, live, health }: ObjectHealth): Pick<ResourceOutline, "health" | "message"> {
  if (live === undefined && health.state === "progressing")
    return health.because.startsWith("it cannot be looked at")
      ? { health: "unknown", message: health.because }
      : { health: "missing", message: ref.kind === "Job" ? missingJob : health.because };
  const message = health.state === "ready" ? health.note : health.because;
  return { health: health.state, ...(message === undefined ? {} : { message }) };
}

/** From so many objects of a kind in a namespace on, one list takes less than reading each. */
const worthListing = 4;

/** Lists the kinds that many objects are of. Profiles label what they deploy; what is not listed is read by itself. */
async function listKnown(refs: readonly ObjectRef[], cluster: Cluster, signal: AbortSignal): Promise<ReadonlyMap<string, KubeObject>> {
  const kinds = [...Map.groupBy(refs, ({ group, version, kind, namespace }) => JSON.stringify([group, version, kind, namespace])).values()];
  const lists = kinds.map(async ([first, ...others]): Promise<readonly KubeObject[]> => {
    if (first === undefined || others.length + 1 < worthListing) return [];
    const { namespace, ...gvk } = first;
    try {
      const options = { labelSelector: reasonLabel, signal, ...(namespace === "" ? {} : { namespace }) };
      return (await cluster.list(gvk, options)).items;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return []; // Whoever may not list may still be allowed to get.
    }
  });
  return new Map((await Promise.all(lists)).flat().map((object) => [keyOf(refOf(object)), object]));
}

async function readRelease(chart: ChartAddon, cluster: Cluster, options: DeployedObjectOptions): Promise<readonly ResourceOutline[]> {
  const { namespace, name } = chart;
  try {
    const { objects } = await readReleaseStatus({ namespace, name }, cluster, options);
    return objects.map((status) => ({ ...outlineOf(chart, status.ref), release: { namespace, name }, ...statusOf(status) }));
  } catch (error) {
    if (options.signal.aborted || !(error instanceof Fault)) throw error;
    return [{ ...outlineOf(chart, recordOf(chart)), release: { namespace, name }, health: "unknown", message: error.message }];
  }
}

function statusOf({ state, because }: ObjectStatus): Pick<ResourceOutline, "health" | "message"> {
  return { health: state, ...(because === undefined ? {} : { message: because }) };
}

/** A release whose objects are not known is told by its record. */
function recordOf({ namespace, name }: ChartAddon): ObjectRef {
  return { group: "", version: "v1", kind: "Secret", namespace, name: `sh.helm.release.v1.${name}` };
}

type Place = Omit<ResourceOutline, "health" | "message" | "release">;

function outlineOf({ cluster, profiles, deploymentType }: AddonOutline, { group, version, kind, namespace, name }: ObjectRef): Place {
  return { cluster, group, version, kind, namespace, name, deploymentType, profiles };
}

/** What is known of objects in a cluster that does not answer: that they were deployed. */
export function unknownObjects(addons: readonly AddonOutline[], because: string): readonly ResourceOutline[] {
  return addons.map((addon) => {
    const { namespace, name } = addon;
    const message = `its cluster cannot be asked: ${because}`;
    if (addon.type === "resource") return { ...outlineOf(addon, addon), health: "unknown", message };
    return { ...outlineOf(addon, recordOf(addon)), release: { namespace, name }, health: "unknown", message };
  });
}

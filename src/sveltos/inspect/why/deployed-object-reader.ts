import type { Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { readObjectDiagnostics } from "../../../release/track/index.ts";
import type { ClusterId } from "../../api/index.ts";
import type { AddonOutline, ProfileOutline, ResourceOutline } from "../../../view/index.ts";
import { readDeployedObjects, type DeployedObjectOptions } from "../deployed-objects.ts";
import { ownerProfileOf } from "../owner-profile.ts";
import type { FleetObjects } from "./fleet-objects.ts";

/** A deployed object that is not ready, and what its pods have written. */
export type OpenObject = ResourceOutline & { readonly details: readonly string[] };

/** What is known of the deployed objects of a cluster: those that are not ready, or why it cannot be asked. */
type DeployedObjects = { readonly addons: readonly AddonOutline[]; readonly open: readonly OpenObject[]; readonly because?: string };

/** Of so many objects in a cluster it is read what their pods have written. */
const maxDiagnosed = 5;

/** Reads the deployed objects of clusters, of each once for all profiles that are asked about. */
export class DeployedObjectReader {
  readonly #fleet: FleetObjects;
  readonly #hub: Cluster;
  readonly #options: DeployedObjectOptions;
  readonly #addons: ReadonlyMap<string, readonly AddonOutline[]>;
  readonly #reading = new Map<string, Promise<DeployedObjects>>();

  constructor(fleet: FleetObjects, hub: Cluster, options: DeployedObjectOptions) {
    this.#fleet = fleet;
    this.#hub = hub;
    this.#options = options;
    const profiles = new Set(fleet.summaries.map(ownerProfileOf).flatMap((owner) => (owner === undefined ? [] : [profileKey(owner)])));
    const isAskedAbout = ({ profiles: own }: AddonOutline) => own.some((profile) => profiles.has(profileKey(profile)));
    this.#addons = Map.groupBy(fleet.addons.filter(isAskedAbout), ({ cluster }) => keyOf(cluster));
  }

  /** What a profile has deployed in a cluster. */
  async read({ kind, metadata }: KubeObject, cluster: ClusterId): Promise<DeployedObjects> {
    const isOf = ({ profiles }: Pick<AddonOutline, "profiles">) =>
      profiles.some((profile) => profile.kind === kind && profile.name === metadata.name);
    if (!(this.#addons.get(keyOf(cluster)) ?? []).some(isOf)) return { addons: [], open: [] };
    const { addons, open, ...rest } = await this.#readCluster(cluster);
    return { addons: addons.filter(isOf), open: open.filter(isOf), ...rest };
  }

  #readCluster(cluster: ClusterId): Promise<DeployedObjects> {
    const key = keyOf(cluster);
    const reading = this.#reading.get(key) ?? this.#ask(cluster, this.#addons.get(key) ?? []);
    this.#reading.set(key, reading);
    return reading;
  }

  async #ask(cluster: ClusterId, addons: readonly AddonOutline[]): Promise<DeployedObjects> {
    const of = (type: AddonOutline["deploymentType"]) => addons.filter(({ deploymentType }) => deploymentType === type);
    const own = await readOpen(of("Local"), this.#hub, this.#options);
    if (of("Remote").length === 0) return { addons, open: own };
    const answer = await this.#fleet.clusters.ask(
      cluster,
      (managed, signal) => readOpen(of("Remote"), managed, { ...this.#options, signal }),
      this.#options.signal,
    );
    return "value" in answer ? { addons, open: [...answer.value, ...own] } : { addons, open: own, because: answer.because };
  }
}

const ranks = { failed: 0, missing: 1, progressing: 2, unknown: 3, ready: 4 } as const;

async function readOpen(addons: readonly AddonOutline[], cluster: Cluster, options: DeployedObjectOptions): Promise<readonly OpenObject[]> {
  if (addons.length === 0) return [];
  const all = await readDeployedObjects(addons, cluster, options);
  const open = all.filter(({ health }) => health !== "ready").toSorted((a, b) => ranks[a.health] - ranks[b.health]);
  return Promise.all(
    open.map(async (object, at) => ({ ...object, details: at < maxDiagnosed ? await readDetails(object, cluster, options.signal) : [] })),
  );
}

async function readDetails({ group, version, kind, namespace, name, health }: ResourceOutline, cluster: Cluster, signal: AbortSignal) {
  if (health === "missing" || health === "unknown") return [];
  const { logs, events } = await readObjectDiagnostics({ group, version, kind, namespace, name }, cluster, { signal });
  return [...logs.flatMap(({ pod, container, lines }) => lines.map((line) => `${pod} ${container}: ${line}`)), ...events];
}

function keyOf({
  type = "Sveltos",
  namespace,
  name,
}: {
  readonly type?: string;
  readonly namespace: string;
  readonly name: string;
}): string {
  return `${type}/${namespace}/${name}`;
}

function profileKey({ kind, namespace = "", name }: ProfileOutline): string {
  return `${kind}/${namespace}/${name}`;
}

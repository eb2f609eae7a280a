import { homedir } from "node:os";
import { readContexts, type Cluster } from "../../kube/index.ts";
import type { KindName } from "../../sveltos/api/index.ts";
import { historyOf } from "../../release/record/index.ts";
import { ageText } from "../../core/object/index.ts";
import { revisionOutline } from "../../view/index.ts";
import { openClusterSession } from "../cluster-session.ts";
import { placeInVariables } from "../helm/helm-variables.ts";
import type { ClusterFlags } from "../shared-options.ts";
import type { Candidate } from "./candidate.ts";
import type { UnfinishedLine } from "./command-line.ts";
import type { NameSource } from "./complete-line.ts";

/** Reads names that complete a command line, from the kubeconfig, the cluster or the files that the line names. */
export async function readNames(source: NameSource, line: UnfinishedLine, signal: AbortSignal): Promise<readonly Candidate[]> {
  const where = clusterFlagsOf(line);
  switch (source) {
    case "contexts":
      return contexts(where.kubeconfig);
    case "fleetContexts":
      return contexts(fileNamed(line.values["--kubeconfig"]));
    case "repositories":
      return repositories(signal);
    default:
      return withNamedCluster(where, (cluster) => namesIn(cluster, source, line, where, signal));
  }
}

async function withNamedCluster<T>(where: ClusterFlags, read: (cluster: Cluster) => Promise<T>): Promise<T> {
  const session = await openClusterSession(where, () => {});
  try {
    return await read(session.cluster);
  } finally {
    session.close();
  }
}

type ClusterNameSource = Exclude<NameSource, "contexts" | "fleetContexts" | "repositories">;

async function namesIn(
  cluster: Cluster,
  source: ClusterNameSource,
  line: UnfinishedLine,
  { namespace }: ClusterFlags,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  switch (source) {
    case "namespaces":
      return namespaces(cluster, signal);
    case "releases":
      return releases(cluster, line.arguments, signal);
    case "revisions":
      return revisions(cluster, line.arguments, signal);
    case "clusters":
      // `show` and `why` look at all namespaces unless one is named.
      return fleetClusters(cluster, namespace ?? (looksEverywhere(line) ? undefined : cluster.namespace), signal);
    case "profiles":
      return fleetObjects(cluster, ["ClusterProfile", "Profile"], signal);
    case "subjects":
      return subjects(cluster, line.arguments, signal);
  }
}

async function contexts(kubeconfig: string | undefined): Promise<readonly Candidate[]> {
  const all = await readContexts(kubeconfig === undefined ? {} : { kubeconfig });
  return all.map(({ name, cluster, current }) => ({ value: name, description: `${cluster}${current ? ", current" : ""}` }));
}

async function repositories(signal: AbortSignal): Promise<readonly Candidate[]> {
  const [{ repositoryEnvironment }, { listRepositories }] = await Promise.all([
    import("../chart/repository-access.ts"),
    import("../../repository/index.ts"),
  ]);
  const silent = { out: () => {}, err: () => {}, paint: silentPaint };
  return listRepositories(repositoryEnvironment({}, silent, signal)).map(({ name, url }) => ({ value: name, description: url }));
}

const same = (text: string) => text;
const silentPaint = { good: same, bad: same, dim: same, strong: same, warn: same };

async function namespaces(cluster: Cluster, signal: AbortSignal): Promise<readonly Candidate[]> {
  const { items } = await cluster.list({ group: "", version: "v1", kind: "Namespace" }, { signal });
  return items.map(({ metadata }) => ({ value: metadata.name, description: ageOf(metadata.creationTimestamp, cluster) }));
}

/** Those that the line names already are left out. */
async function releases(cluster: Cluster, typed: readonly string[], signal: AbortSignal): Promise<readonly Candidate[]> {
  const all = await historyOf(cluster).list(cluster.namespace, { signal });
  return all.map(revisionOutline).flatMap(({ name, status, updated, chart, revision }) => {
    if (typed.includes(name)) return [];
    return [{ value: name, description: described(status, ageOf(updated, cluster), chart, `revision ${revision}`) }];
  });
}

/** The latest first. Those that the line names already are left out. */
async function revisions(cluster: Cluster, [name, ...typed]: readonly string[], signal: AbortSignal): Promise<readonly Candidate[]> {
  if (name === undefined) return [];
  const all = await historyOf(cluster).revisions({ name, namespace: cluster.namespace }, { signal });
  return all
    .map(revisionOutline)
    .filter(({ revision }) => !typed.includes(String(revision)))
    .toReversed()
    .map(({ revision, status, updated, chart, description }) => ({
      value: String(revision),
      description: described(status, ageOf(updated, cluster), chart, description),
    }));
}

async function fleetClusters(hub: Cluster, namespace: string | undefined, signal: AbortSignal): Promise<readonly Candidate[]> {
  const { listClusters } = await import("../../sveltos/fleet/index.ts");
  const all = await listClusters(hub, namespace, signal);
  return all.map(({ name, type, namespace: place, ready }) => ({
    value: name,
    description: described(`${place}/${name}`, type, ready ? "ready" : "not ready"),
  }));
}

function looksEverywhere({ command }: UnfinishedLine): boolean {
  return command.parent?.name() === "show" || command.name() === "why";
}

/** Releases, and what `sluice why` follows through a fleet. Whoever may not read the one may read the other. */
async function subjects(cluster: Cluster, typed: readonly string[], signal: AbortSignal): Promise<readonly Candidate[]> {
  const { fleetKinds } = await import("../fleet/fleet-kind.ts");
  const found = await Promise.allSettled([releases(cluster, typed, signal), fleetObjects(cluster, fleetKinds, signal)]);
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

async function fleetObjects(hub: Cluster, kinds: readonly KindName[], signal: AbortSignal): Promise<readonly Candidate[]> {
  const { listSveltosObjects } = await import("../../sveltos/fleet/index.ts");
  const lists = await Promise.all(kinds.map((kind) => listSveltosObjects(hub, kind, { signal })));
  return kinds.flatMap((kind, at) =>
    (lists[at] ?? []).map(({ metadata }) => ({ value: `${kind}/${metadata.name}`, description: metadata.namespace ?? "" })),
  );
}

function described(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

function ageOf(time: string | undefined, { clock }: Cluster): string {
  const then = Date.parse(time ?? "");
  return Number.isNaN(then) ? "" : ageText(Math.max(0, clock.now() - then));
}

/** The cluster and namespace that the line names, or Helm's variables. `register` has two kubeconfigs, and works on the management cluster's. */
function clusterFlagsOf({ command, values }: UnfinishedLine): ClusterFlags {
  const management = command.options.some(({ long }) => long === "--management-kubeconfig");
  const kubeconfig = fileNamed(values[management ? "--management-kubeconfig" : "--kubeconfig"]);
  const context = values["--kube-context"] ?? values["--context"];
  const namespace = values["--namespace"];
  return {
    ...placeInVariables(command),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined || context === "" ? {} : { context }),
    ...(namespace === undefined || namespace === "" ? {} : { namespace }),
  };
}

/** The file that a flag names. The shell has not replaced a `~` in it yet. */
function fileNamed(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value.replace(/^~(?=\/)/, () => homedir());
}

import { doing, Fault } from "../../core/fault/index.ts";
import { ageText } from "../../core/object/index.ts";
import {
  deregister,
  generateKubeconfig,
  listClusters,
  networkOpener,
  readClusterIdentity,
  register,
  type ClusterOutline,
} from "../../sveltos/fleet/index.ts";
import { flattenKubeconfig, openCluster, thisMachine, type Cluster } from "../../kube/index.ts";
import { table } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import { warnWithoutController } from "../fleet/controller-absence.ts";
import { warningPrinter } from "../warning-printer.ts";
import { withManagementCluster } from "../fleet/with-management-cluster.ts";
import type { ClusterFlags } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import type { GenerateKubeconfigFlags, RegisterFlags } from "../command-group/fleet.ts";
import type { ShowClustersFlags } from "../command-group/show-fleet.ts";

/** Registers a cluster in the fleet. */
export async function registerCluster(name: string, options: RegisterFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { kubeconfig: file, fleetClusterContext: context, labels, managementKubeconfig, allowDuplicate, ...where } = options;
  if (file === undefined && context === undefined)
    throw new UsageFault(
      "name the cluster to register: its kubeconfig with --kubeconfig, its context with --fleet-cluster-context, or both",
    );
  const source = { ...(file === undefined ? {} : { kubeconfig: file }), ...(context === undefined ? {} : { context }) };
  const kubeconfig = await doing(`register cluster ${name}`, () => flattenKubeconfig(source, "--fleet-cluster-context"));
  const named = managementKubeconfig === undefined ? {} : { kubeconfig: managementKubeconfig };
  const management = { ...where, ...named, kubeconfigFlag: "--management-kubeconfig" };
  return withManagementCluster(management, terminal, async ({ cluster }) => {
    const { namespace } = cluster;
    const uid = await readUid(name, kubeconfig, cluster, terminal, signal);
    const known = { ...(labels === undefined ? {} : { labels }), ...(uid === undefined ? {} : { uid }) };
    await register(cluster, { namespace, name, kubeconfig, allowDuplicate, ...known }, signal);
    terminal.out(`cluster ${name} successfully registered/updated in namespace ${namespace}.`);
    return exitCodes.ok;
  });
}

/** Which cluster a kubeconfig leads to; undefined when it cannot be asked from here. */
async function readUid(
  name: string,
  kubeconfig: string,
  hub: Cluster,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { cluster, close } = await networkOpener(thisMachine(), hub.clock)(kubeconfig, `cluster ${name}`);
  try {
    const identity = await readClusterIdentity(cluster, signal);
    if (identity.state === "read") return identity.uid;
    const because =
      identity.state === "withheld" ? "it does not show its namespace kube-system to these credentials" : "it does not answer";
    warningPrinter(terminal)(`cluster ${name} cannot be told from others from here (${because}): see that it is not registered twice`);
    return undefined;
  } finally {
    close();
  }
}

/** Deregisters a cluster from the fleet. */
export async function deregisterCluster(name: string, options: ClusterFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  return withManagementCluster(options, terminal, async ({ cluster }) => {
    const { namespace } = cluster;
    if (!(await deregister(cluster, { namespace, name }, signal)))
      throw new Fault(`there is no cluster ${name} in namespace ${namespace}: sluice show clusters lists them`, undefined, { final: true });
    terminal.out(`cluster ${name} successfully deregistered from namespace ${namespace}.`);
    return exitCodes.ok;
  });
}

/** Prints a kubeconfig with which the cluster can be registered. */
export async function printKubeconfig(options: GenerateKubeconfigFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { context, kubeconfig, namespace, serviceaccount, create, expirationSeconds, serviceAccountToken, server } = options;
  const opened = await openCluster({ ...(context === undefined ? {} : { context }), ...(kubeconfig === undefined ? {} : { kubeconfig }) });
  try {
    const made = await generateKubeconfig(opened.cluster, {
      server: server ?? opened.server,
      namespace,
      serviceAccount: serviceaccount,
      create,
      lasting: serviceAccountToken,
      ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
      onWait: (text) => terminal.err(terminal.paint.dim(text)),
      signal,
    });
    terminal.out(made.trimEnd());
    return exitCodes.ok;
  } finally {
    opened.close();
  }
}

/** Lists the clusters of the fleet, in one namespace or in all of them. */
export async function showClusters(options: ShowClustersFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { output, ...where } = options;
  return withManagementCluster(where, terminal, async ({ cluster }: { cluster: Cluster }) => {
    const clusters = await listClusters(cluster, where.namespace, signal);
    if (output !== "table") terminal.out(formatOutput(clusters, output));
    else if (clusters.length === 0) terminal.err("no clusters are registered: sluice register cluster NAME --kubeconfig FILE");
    else
      for (const line of table(
        heads,
        clusters.map((outline) => rowOf(outline, cluster.clock.now())),
      ))
        terminal.out(line);
    if (clusters.length > 0) await warnWithoutController(cluster, terminal, signal);
    return exitCodes.ok;
  });
}

const heads = ["CLUSTER", "TYPE", "READY", "CONNECTION", "AGENT", "VERSION", "LABELS", "MESSAGE"];

function rowOf(outline: ClusterOutline, nowMs: number): string[] {
  const { namespace, name, type, ready, paused, version = "", labels, message = "" } = outline;
  const own = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const readiness = `${ready}${paused ? " (paused)" : ""}`;
  return [
    `${namespace}/${name}`,
    type,
    readiness,
    connectionText(outline, nowMs),
    agentText(outline, nowMs),
    version,
    own.toSorted().join(","),
    message,
  ];
}

function connectionText({ connection = "", since }: ClusterOutline, nowMs: number): string {
  return since === undefined ? connection : `${connection} for ${ageText(nowMs - Date.parse(since))}`;
}

function agentText({ agent }: ClusterOutline, nowMs: number): string {
  if (agent === undefined) return "-";
  return agent.state === "running" ? "running" : `gone for ${ageText(nowMs - Date.parse(agent.since))}`;
}

import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { addonTable, adminRbacTable, dryRunTable, rawDiffLines, usageTable } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { exitCodes } from "../failure.ts";
import { listAdminRbac } from "../fleet/admin-rbac.ts";
import { warnWithoutController } from "../fleet/controller-absence.ts";
import { usagesIn } from "../fleet/usages.ts";
import { warningPrinter } from "../warning-printer.ts";
import { withManagementCluster } from "../fleet/with-management-cluster.ts";
import type { ClusterFlags } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import type { ShowAddonsFlags, ShowAdminRbacFlags, ShowDryRunFlags, ShowUsageFlags } from "../command-group/show-fleet.ts";
import {
  addonsIn,
  dryRunsIn,
  requireCluster,
  listTriggersByProfile,
  requireProfile,
  type ProfileFilter,
} from "../../sveltos/inspect/index.ts";
import { listSveltosObjects } from "../../sveltos/fleet/index.ts";

/** The namespace is that of the managed clusters. Without one, all namespaces are shown. */
type FleetFlags = ClusterFlags & { readonly cluster?: string; readonly profile?: ProfileFilter };

/** Prints what is deployed in which cluster, and for which profile. */
export async function showAddons(options: ShowAddonsFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  await withManagementCluster(clusterFlagsOf(options), terminal, async ({ cluster: hub }) => {
    await printAddons(hub, options, terminal, signal);
    await warnWithoutController(hub, terminal, signal);
  });
  return exitCodes.ok;
}

/** Prints what is deployed in the fleet of a management cluster. */
export async function printAddons(hub: Cluster, options: ShowAddonsFlags, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const { helmCharts, resources, output, ...where } = options;
  const [configurations, triggers] = await Promise.all([
    listSveltosObjects(hub, "ClusterConfiguration", { ...inNamespace(where), signal }),
    listTriggersByProfile(hub, warningPrinter(terminal), signal),
  ]);
  const only = helmCharts === resources ? {} : ({ only: helmCharts ? "charts" : "resources" } as const);
  const addons = addonsIn(configurations, { ...filterOf(where), ...only }, triggers);
  if (addons.length === 0) await requireKnown(hub, where, signal);
  if (output === "json" || output === "yaml") terminal.out(formatOutput(addons, output));
  else
    printLines(addons, (all) => addonTable(all, { zone: ownZone(), wide: output === "wide" }), emptyText(options, "is deployed"), terminal);
}

/** Prints which clusters each profile matches, and where ConfigMaps and Secrets are used. */
export async function showUsage(options: ShowUsageFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { kind, name, output, ...where } = options;
  return withManagementCluster(clusterFlagsOf(where), terminal, async ({ cluster: hub }) => {
    const kinds = ["ClusterProfile", "Profile"] as const;
    const profiles = (await Promise.all(kinds.map((each) => listSveltosObjects(hub, each, { signal })))).flat();
    const choice = { ...inNamespace(where), ...(kind === undefined ? {} : { kind }), ...(name === undefined ? {} : { name }) };
    const usages = usagesIn(profiles, choice);
    if (usages.length === 0 && name !== undefined)
      throw new Fault(`no profile uses ${kind ?? "anything called"} ${name}, nor is it one`, undefined, { final: true });
    if (output !== "table") terminal.out(formatOutput(usages, output));
    else printLines(usages, usageTable, "no profiles, and nothing that they use", terminal);
    await warnWithoutController(hub, terminal, signal);
    return exitCodes.ok;
  });
}

/** Prints what tenants may do in which clusters. */
export async function showAdminRbac(options: ShowAdminRbacFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { context, kubeconfig, output, ...filter } = options;
  const flags = { ...(context === undefined ? {} : { context }), ...(kubeconfig === undefined ? {} : { kubeconfig }) };
  return withManagementCluster(flags, terminal, async ({ cluster: hub }) => {
    const rights = await listAdminRbac(hub, filter, signal);
    if (rights.length === 0) await requireKnown(hub, filter, signal);
    if (output !== "table") terminal.out(formatOutput(rights, output));
    else printLines(rights, adminRbacTable, "no RoleRequest grants anything that was asked for", terminal);
    await warnWithoutController(hub, terminal, signal);
    return exitCodes.ok;
  });
}

/** Prints what profiles in DryRun mode would change. */
export async function showDryRun(options: ShowDryRunFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { rawDiff, output, ...where } = options;
  return withManagementCluster(clusterFlagsOf(where), terminal, async ({ cluster: hub }) => {
    const reports = dryRunsIn(await listSveltosObjects(hub, "ClusterReport", { ...inNamespace(where), signal }), filterOf(where));
    if (reports.length === 0) await requireKnown(hub, where, signal);
    if (output !== "table") terminal.out(formatOutput(reports, output));
    else if (rawDiff) printLines(reports, (all) => rawDiffLines(all, terminal.paint), "no object would be updated", terminal);
    else printLines(reports, dryRunTable, emptyText(options, "would be changed by a profile in DryRun mode"), terminal);
    await warnWithoutController(hub, terminal, signal);
    return exitCodes.ok;
  });
}

/** Prints a table to standard output, or that it is empty to standard error. */
function printLines<T>(
  found: readonly T[],
  draw: (found: readonly T[]) => readonly string[],
  nothing: string,
  { out, err }: Terminal,
): void {
  const lines = found.length === 0 ? [] : draw(found);
  if (lines.length === 0) err(nothing);
  for (const line of lines) out(line);
}

function emptyText({ namespace, cluster, profile }: FleetFlags, what: string): string {
  const isAll = namespace === undefined && cluster === undefined && profile === undefined;
  return isAll ? `nothing ${what} in any cluster` : `nothing that was asked for ${what}`;
}

/** When nothing was found, fails if the cluster or profile that was asked for does not exist. */
async function requireKnown(hub: Cluster, { cluster, namespace, profile }: FleetFlags, signal: AbortSignal): Promise<void> {
  if (cluster !== undefined) await requireCluster(hub, cluster, namespace, signal);
  if (profile !== undefined) await requireProfile(hub, profile, signal);
}

function clusterFlagsOf({ context, kubeconfig }: ClusterFlags): ClusterFlags {
  return { ...(context === undefined ? {} : { context }), ...(kubeconfig === undefined ? {} : { kubeconfig }) };
}

function inNamespace({ namespace }: ClusterFlags): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}

function filterOf({ cluster, profile }: FleetFlags): { readonly cluster?: string; readonly profile?: ProfileFilter } {
  return { ...(cluster === undefined ? {} : { cluster }), ...(profile === undefined ? {} : { profile }) };
}

/** The time zone of this machine. */
function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

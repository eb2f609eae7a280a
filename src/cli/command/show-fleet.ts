import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { addonTable, dryRunTable, occurrenceTable, rawDiffLines, usageTable } from "../../view/index.ts";
import { dataText } from "../data.ts";
import { exitCodes } from "../failure.ts";
import { addonsIn } from "../fleet/addons.ts";
import { requireCluster } from "../fleet/cluster.ts";
import { dryRunsIn } from "../fleet/dry-run.ts";
import { chosen, occurrencesIn } from "../fleet/occurrences.ts";
import { listOwn, requireProfile } from "../fleet/own-objects.ts";
import type { ProfileChoice } from "../fleet/choice.ts";
import { tellingKinds } from "../fleet/standing.ts";
import { usagesIn } from "../fleet/usage.ts";
import { onCluster } from "../on-cluster.ts";
import type { SiteOptions } from "../site.ts";
import type { Terminal } from "../terminal.ts";

/** The namespace is that of clusters, and all when none is named. */
type Where = SiteOptions & { readonly cluster?: string; readonly profile?: ProfileChoice };
type Output = { readonly output: "table" | "json" | "yaml" };

export type ShowAddonsCommand = Where & {
  readonly helmCharts: boolean;
  readonly resources: boolean;
  readonly output: "table" | "wide" | "json" | "yaml";
};

/** Shows what is deployed in which cluster, and for which profile. */
export async function showAddons(options: ShowAddonsCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  await onCluster(siteOf(options), terminal, ({ cluster: hub }) => tellAddons(hub, options, terminal, signal));
  return exitCodes.ok;
}

/** Tells what is deployed in the fleet of a management cluster. */
export async function tellAddons(hub: Cluster, options: ShowAddonsCommand, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const { helmCharts, resources, output, ...where } = options;
  const configurations = await listOwn(hub, "ClusterConfiguration", { ...inNamespace(where), signal });
  const only = helmCharts === resources ? {} : ({ only: helmCharts ? "charts" : "resources" } as const);
  const addons = addonsIn(configurations, { ...choiceOf(where), ...only });
  if (addons.length === 0) await requireKnown(hub, where, signal);
  if (output === "json" || output === "yaml") terminal.out(dataText(addons, output));
  else tell(addons, (all) => addonTable(all, { zone: ownZone(), wide: output === "wide" }), nothingOf(options, "is deployed"), terminal);
}

export type ShowUsageCommand = SiteOptions & Output & { readonly kind?: string; readonly name?: string };

/** Shows which clusters each profile matches, and where ConfigMaps and Secrets are used. */
export async function showUsage(options: ShowUsageCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { kind, name, output, ...where } = options;
  return onCluster(siteOf(where), terminal, async ({ cluster: hub }) => {
    const kinds = ["ClusterProfile", "Profile"] as const;
    const profiles = (await Promise.all(kinds.map((each) => listOwn(hub, each, { signal })))).flat();
    const choice = { ...inNamespace(where), ...(kind === undefined ? {} : { kind }), ...(name === undefined ? {} : { name }) };
    const usages = usagesIn(profiles, choice);
    if (usages.length === 0 && name !== undefined)
      throw new Fault(`no profile uses ${kind ?? "anything called"} ${name}, nor is it one`, undefined, { final: true });
    if (output !== "table") terminal.out(dataText(usages, output));
    else tell(usages, usageTable, "no profiles, and nothing that they use", terminal);
    return exitCodes.ok;
  });
}

export type ShowDryRunCommand = Where & Output & { readonly rawDiff: boolean };

/** Shows what profiles in DryRun mode would change. */
export async function showDryRun(options: ShowDryRunCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { rawDiff, output, ...where } = options;
  return onCluster(siteOf(where), terminal, async ({ cluster: hub }) => {
    const reports = dryRunsIn(await listOwn(hub, "ClusterReport", { ...inNamespace(where), signal }), choiceOf(where));
    if (reports.length === 0) await requireKnown(hub, where, signal);
    if (output !== "table") terminal.out(dataText(reports, output));
    else if (rawDiff) tell(reports, (all) => rawDiffLines(all, terminal.paint), "no object would be updated", terminal);
    else tell(reports, dryRunTable, nothingOf(options, "would be changed by a profile in DryRun mode"), terminal);
    return exitCodes.ok;
  });
}

export type ShowEventsCommand = SiteOptions & Output & { readonly cluster?: string; readonly failed: boolean };

/** Shows what failed and what is worth knowing, from the statuses of all kinds of the event road and the Events about them. */
export async function showEvents(options: ShowEventsCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { failed, output, cluster, ...where } = options;
  return onCluster(siteOf(where), terminal, async ({ cluster: hub }) => {
    const objects = (await Promise.all(tellingKinds.map((kind) => listOwn(hub, kind, { signal })))).flat();
    const events = await hub.list({ group: "", version: "v1", kind: "Event" }, { fieldSelector: "source=sluice", signal });
    const choice = { ...inNamespace(where), ...(cluster === undefined ? {} : { cluster }), failed };
    const occurrences = chosen(occurrencesIn(objects, events.items), choice);
    if (cluster !== undefined && !occurrences.some((each) => each.cluster !== undefined))
      await requireCluster(hub, cluster, where.namespace, signal);
    if (output !== "table") terminal.out(dataText(occurrences, output));
    else tell(occurrences, (all) => occurrenceTable(all, hub.clock.now()), failed ? "no failures" : "nothing to tell", terminal);
    return exitCodes.ok;
  });
}

/** The lines of what was found; that nothing was is no result. */
function tell<T>(found: readonly T[], draw: (found: readonly T[]) => readonly string[], nothing: string, { out, err }: Terminal): void {
  const lines = found.length === 0 ? [] : draw(found);
  if (lines.length === 0) err(nothing);
  for (const line of lines) out(line);
}

function nothingOf({ namespace, cluster, profile }: Where, what: string): string {
  const isAll = namespace === undefined && cluster === undefined && profile === undefined;
  return isAll ? `nothing ${what} in any cluster` : `nothing that was asked for ${what}`;
}

/** Says that a cluster or profile that was asked for does not exist, where that is why nothing was found. */
async function requireKnown(hub: Cluster, { cluster, namespace, profile }: Where, signal: AbortSignal): Promise<void> {
  if (cluster !== undefined) await requireCluster(hub, cluster, namespace, signal);
  if (profile !== undefined) await requireProfile(hub, profile, signal);
}

function siteOf({ context, kubeconfig }: SiteOptions): SiteOptions {
  return { ...(context === undefined ? {} : { context }), ...(kubeconfig === undefined ? {} : { kubeconfig }) };
}

function inNamespace({ namespace }: SiteOptions): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}

function choiceOf({ cluster, profile }: Where): { readonly cluster?: string; readonly profile?: ProfileChoice } {
  return { ...(cluster === undefined ? {} : { cluster }), ...(profile === undefined ? {} : { profile }) };
}

/** The time zone of whoever looks. */
function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

import type { Cluster } from "../../kube/index.ts";
import { occurrenceTable, type OccurrenceOutline } from "../../view/index.ts";
import type { ShowEventsFlags } from "../command-group/show-fleet.ts";
import { exitCodes } from "../failure.ts";
import { absenceOutline } from "../fleet/controller-absence.ts";
import { changesSince } from "../fleet/occurrence-changes.ts";
import { readFleetState, type FleetState } from "../fleet/read-fleet-state.ts";
import { watchFleetState } from "../fleet/watch-fleet-state.ts";
import { formatOutput } from "../format-output.ts";
import type { Terminal } from "../terminal.ts";
import { warningPrinter } from "../warning-printer.ts";
import { withManagementCluster } from "../fleet/with-management-cluster.ts";
import {
  concernsProfile,
  requireCluster,
  groupByCause,
  requireProfile,
  type OnUnreadable,
  filterOccurrences,
  occurrencesIn,
} from "../../sveltos/inspect/index.ts";

/**
 * Prints what is wrong now, from the statuses of EventSources, triggers, profiles and clusters: a line for each cause. With
 * --all also what the Events about them tell of the past, with --watch whatever changes from now on.
 */
export async function showEvents(options: ShowEventsFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { namespace, cluster, profile, watch, all: _all, since: _since, failed: _failed, output: _output, ...place } = options;
  return withManagementCluster(place, terminal, async ({ cluster: hub }) => {
    const onUnreadable = warningPrinter(terminal);
    const found = watch ? [] : outlinesOf(await readFleetState(hub, onUnreadable, signal), options, hub);
    const isOfCluster = found.some(({ clusters }) => clusters.length > 0);
    if (cluster !== undefined && !isOfCluster) await requireCluster(hub, cluster, namespace, signal);
    if (profile !== undefined && found.length === 0) await requireProfile(hub, profile, signal);
    if (watch) await followEvents(hub, options, terminal, onUnreadable, signal);
    else printOccurrences(found, options, hub, terminal);
    return exitCodes.ok;
  });
}

function outlinesOf({ objects, events, absence }: FleetState, options: ShowEventsFlags, hub: Cluster): readonly OccurrenceOutline[] {
  const { namespace, cluster, profile, failed, all, since } = options;
  const choice = {
    ...(namespace === undefined ? {} : { namespace }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(since === undefined ? {} : { sinceMs: hub.clock.now() - since }),
    failed,
    all,
  };
  const concerns = profile === undefined ? () => true : concernsProfile(objects, profile);
  const found = groupByCause(filterOccurrences(occurrencesIn(objects, events).filter(concerns), choice), objects);
  return absence === undefined ? found : [...found, absenceOutline(absence)];
}

function printOccurrences(found: readonly OccurrenceOutline[], options: ShowEventsFlags, hub: Cluster, terminal: Terminal): void {
  const { output } = options;
  if (output !== "table") return terminal.out(formatOutput(found, output));
  if (found.length === 0) return terminal.err(emptyText(options));
  for (const line of occurrenceTable(found, hub.clock.now())) terminal.out(line);
}

function emptyText({ failed, all, since }: ShowEventsFlags): string {
  if (failed) return "no failures";
  return all || since !== undefined ? "nothing to tell" : "nothing is wrong now: --all shows what was";
}

/** Prints the present list, then a line for each cause that appears, changes or has healed. */
async function followEvents(
  hub: Cluster,
  options: ShowEventsFlags,
  terminal: Terminal,
  onUnreadable: OnUnreadable,
  signal: AbortSignal,
): Promise<void> {
  let known: readonly OccurrenceOutline[] | undefined;
  for await (const state of watchFleetState(hub, onUnreadable, signal)) {
    const found = outlinesOf(state, options, hub);
    const changes = known === undefined ? found : changesSince(known, found, hub.clock.now());
    if (known === undefined && found.length === 0 && options.output === "table") terminal.err(emptyText(options));
    printChanges(changes, known ?? [], known === undefined, options, hub, terminal);
    known = found;
  }
}

/** The columns are as wide as those of what was known before. */
function printChanges(
  changes: readonly OccurrenceOutline[],
  before: readonly OccurrenceOutline[],
  isFirst: boolean,
  { output }: ShowEventsFlags,
  hub: Cluster,
  { out }: Terminal,
): void {
  if (output === "json") for (const change of changes) out(JSON.stringify(change));
  else if (output === "yaml") for (const change of changes) out(`---\n${formatOutput(change, "yaml")}`);
  else {
    const [head = "", ...lines] = occurrenceTable([...before, ...changes], hub.clock.now());
    for (const line of [...(isFirst && changes.length > 0 ? [head] : []), ...lines.slice(before.length)]) out(line);
  }
}

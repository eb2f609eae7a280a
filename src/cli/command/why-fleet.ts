import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { stringAt, type KubeObject } from "../../core/object/index.ts";
import { clusterProfileNameLabel, eventTriggerNameLabel, labelValue, profileNameLabel } from "../../sveltos/api/index.ts";
import { fleetChainLines } from "../../view/index.ts";
import type { WhyFlags } from "../command-group/release-query.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import { absenceAdvice, absenceOutline, absenceText } from "../fleet/controller-absence.ts";
import { formatOutput } from "../format-output.ts";
import type { Terminal } from "../terminal.ts";
import { warningPrinter } from "../warning-printer.ts";
import { templateEnvironment } from "../chart/chart-request.ts";
import { hasDied } from "../process-identity.ts";
import { withManagementCluster } from "../fleet/with-management-cluster.ts";
import { fleetKinds, type FleetKind } from "../fleet/fleet-kind.ts";
import {
  clusterRefIn,
  isClusterCalled,
  requireCluster,
  ownerProfileOf,
  groupChains,
  type FleetChain,
  FleetChains,
  brokenLink,
  readFleetObjects,
  type FleetObjects,
} from "../../sveltos/inspect/index.ts";
import { findControllerAbsence, type ControllerAbsence, listSveltosObjects } from "../../sveltos/fleet/index.ts";

type Target = { readonly kind: FleetKind; readonly name: string };

/** Reads `clusterprofile/web`. */
function parseTarget(text: string): Target {
  const [word = "", name = "", ...more] = text.split("/");
  const kind = fleetKinds.find((each) => each.toLowerCase() === word.toLowerCase());
  if (kind !== undefined && name !== "" && more.length === 0) return { kind, name };
  throw new UsageFault(
    `find ${JSON.stringify(text)}`,
    `expected a release, or one of ${fleetKinds.map((each) => `${each}/NAME`).join(", ")}`,
  );
}

/** Prints the chain from the event to the pod for an object of the fleet, the first link that is broken, and what to do. */
export async function whyFleet(text: string, options: WhyFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { output, cluster, namespace, ...where } = options;
  const target = parseTarget(text);
  const warn = warningPrinter(terminal);
  return withManagementCluster(where, terminal, async ({ cluster: hub }) => {
    const object = await findTarget(hub, target, namespace, signal);
    const fleet = await readFleetObjects(hub, (known) => summarySelector(object, known), {
      environment: templateEnvironment(hub.clock),
      onUnreadable: warn,
      signal,
    });
    const only = object.kind === "ClusterSummary" ? clusterRefIn(object) : undefined;
    const isWanted = (clusters: readonly { readonly namespace: string; readonly name: string }[]) =>
      (cluster === undefined || clusters.some((each) => isClusterCalled(each, cluster))) &&
      (only === undefined || clusters.some((each) => isClusterCalled(each, `${only.namespace}/${only.name}`)));
    const [found, absence] = await Promise.all([
      chainsOf(object, new FleetChains(fleet, hub, isWanted, { signal, hasDied }), fleet),
      findControllerAbsence(hub, signal),
    ]);
    const chains = absence === undefined ? found : found.map((chain) => withoutController(chain, absence, hub));
    if (chains.length === 0 && cluster !== undefined) await requireCluster(hub, cluster, undefined, signal);
    const grouped = groupChains(chains);
    const title = `${target.kind}/${target.name}`;
    if (output !== "text")
      terminal.out(formatOutput({ object: { ...target, namespace: object.metadata.namespace ?? "" }, chains: grouped }, output));
    else if (grouped.length === 0) terminal.err(`${title} has nothing to do with cluster ${cluster ?? ""}`);
    else for (const line of fleetChainLines(title, grouped, terminal.paint)) terminal.out(line);
    return exitCodes.ok;
  });
}

/** Nothing follows from anything while no controller runs. */
function withoutController({ clusters, links }: FleetChain, absence: ControllerAbsence, hub: Cluster): FleetChain {
  const { object } = absenceOutline(absence);
  return { clusters, links: [brokenLink(object, absenceText(absence, hub.clock.now()), absenceAdvice), ...links] };
}

/** Finds the object. Without a namespace, one of the name in any namespace will do when there is no other. */
async function findTarget(hub: Cluster, { kind, name }: Target, namespace: string | undefined, signal: AbortSignal): Promise<KubeObject> {
  const isNamespaced = kind === "Profile" || kind === "ClusterSummary";
  const place = isNamespaced && namespace !== undefined ? { namespace } : {};
  const all = await listSveltosObjects(hub, kind, { fieldSelector: `metadata.name=${name}`, signal, ...place });
  const [object, ...others] = all.filter(({ metadata }) => metadata.name === name);
  const where = place.namespace === undefined ? "" : ` in namespace ${place.namespace}`;
  if (object === undefined) throw new Fault(`there is no ${kind} ${name}${where}`, undefined, { final: true });
  if (others.length === 0) return object;
  const places = [object, ...others].map(({ metadata }) => metadata.namespace ?? "").toSorted();
  throw new Fault(`${kind} ${name} is in several namespaces (${places.join(", ")}): name one with -n`, undefined, { final: true });
}

/** A selector of more names could be longer than a request may be. */
const maxNames = 50;

/** The ClusterSummaries that the chains of an object lead through. */
function summarySelector({ kind, metadata }: KubeObject, { triggers }: Pick<FleetObjects, "triggers">): string {
  const name = labelValue(metadata.name);
  if (kind === "ClusterProfile") return `${clusterProfileNameLabel}=${name}`;
  if (kind === "Profile") return `${profileNameLabel}=${name}`;
  if (kind === "EventTrigger" || kind === "EventBasedAddOn") return `${eventTriggerNameLabel}=${name}`;
  if (kind === "EventSource") {
    const names = triggers.filter((each) => mayUseSource(each, metadata.name)).map((each) => labelValue(each.metadata.name));
    if (names.length > maxNames) return eventTriggerNameLabel;
    return names.length === 0 ? `${eventTriggerNameLabel}=` : `${eventTriggerNameLabel} in (${names.join(",")})`;
  }
  const { [clusterProfileNameLabel]: clusterProfile, [profileNameLabel]: profile } = metadata.labels ?? {};
  return profile === undefined ? `${clusterProfileNameLabel}=${clusterProfile ?? ""}` : `${profileNameLabel}=${profile}`;
}

/** A name that is a template is rendered for each cluster later. */
function mayUseSource(trigger: KubeObject, source: string): boolean {
  const name = stringAt(trigger, "spec.eventSourceName", "");
  return name === source || name.includes("{{");
}

async function chainsOf(object: KubeObject, chains: FleetChains, { profiles }: FleetObjects): Promise<readonly FleetChain[]> {
  if (object.kind === "EventSource") return chains.ofSource(object);
  if (object.kind === "EventTrigger" || object.kind === "EventBasedAddOn") return chains.ofTrigger(object);
  if (object.kind !== "ClusterSummary") return chains.ofProfile(object);
  const owner = ownerProfileOf(object);
  const profile = profiles.find(
    ({ kind, metadata }) => kind === owner?.kind && metadata.name === owner.name && (metadata.namespace ?? "") === (owner.namespace ?? ""),
  );
  if (profile !== undefined) return chains.ofProfile(profile);
  const { namespace = "", name } = object.metadata;
  throw new Fault(`the profile of ClusterSummary ${namespace}/${name} does not exist or may not be read`, undefined, { final: true });
}

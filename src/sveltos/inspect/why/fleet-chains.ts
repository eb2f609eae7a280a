import type { Cluster } from "../../../kube/index.ts";
import { isDeleting, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { labelValue, originOf, readEventSource, readEventTrigger, type ClusterId } from "../../api/index.ts";
import type { ChainLink } from "../../../view/index.ts";
import { clusterLink } from "./cluster-link.ts";
import { deployLinks, profileLink } from "./deploy-links.ts";
import type { DeployedObjectOptions } from "../deployed-objects.ts";
import { DeployedObjectReader } from "./deployed-object-reader.ts";
import { eventLinks, scriptTrouble, sourceName } from "./event-links.ts";
import type { FleetChain } from "./fleet-chain.ts";
import type { FleetObjects } from "./fleet-objects.ts";
import { brokenLink, deletionLink, linkTo, objectOf, ownTrouble, unknownLink, waitingLink } from "./link.ts";
import { isMatching, isSameId, meantClusters, mismatchLink } from "./matching.ts";
import { objectLinks } from "./object-links.ts";

/** Tells of the clusters that a chain passes whether it is asked for. */
type IsWanted = (clusters: readonly ClusterId[]) => boolean;

/** Reads the objects of a management cluster and of its managed ones as chains. */
export class FleetChains {
  readonly #fleet: FleetObjects;
  readonly #isWanted: IsWanted;
  readonly #reader: DeployedObjectReader;
  /** By trigger and cluster. */
  readonly #generated: ReadonlyMap<string, readonly KubeObject[]>;

  constructor(fleet: FleetObjects, hub: Cluster, isWanted: IsWanted, options: DeployedObjectOptions) {
    this.#fleet = fleet;
    this.#isWanted = isWanted;
    this.#reader = new DeployedObjectReader(fleet, hub, options);
    this.#generated = Map.groupBy(fleet.profiles, ({ metadata }) => {
      const origin = originOf(metadata.labels);
      return origin === undefined ? "" : originKey(origin.trigger, origin.cluster);
    });
  }

  /** The chains of a source: those of all triggers that use it. */
  async ofSource(source: KubeObject): Promise<readonly FleetChain[]> {
    const own = ownTrouble(source, readEventSource(source)) ?? scriptTrouble(source);
    if (own !== undefined) return [{ clusters: [], links: [own] }];
    const users = this.#fleet.triggers.filter((trigger) => this.#usesSource(trigger, source.metadata.name));
    if (users.length > 0) return (await Promise.all(users.map((trigger) => this.ofTrigger(trigger)))).flat();
    const link = this.#fleet.isUnreadable("EventTrigger")
      ? unknownLink(objectOf(source), "EventTriggers may not be read, so that nobody knows who uses it")
      : brokenLink(
          objectOf(source),
          "no EventTrigger names it, so that it is not evaluated",
          "create an EventTrigger with its name in spec.eventSourceName",
        );
    return [{ clusters: [], links: [link] }];
  }

  #usesSource(trigger: KubeObject, source: string): boolean {
    if (stringAt(trigger, "spec.eventSourceName") === source) return true;
    return meantClusters(trigger, this.#fleet).some((cluster) => sourceName(trigger, cluster, this.#fleet) === source);
  }

  /** The chains of a trigger: for each cluster that it matches, and each profile that it has made for it. */
  async ofTrigger(trigger: KubeObject): Promise<readonly FleetChain[]> {
    if (isDeleting(trigger)) return this.#ofDeletedTrigger(trigger);
    const own = ownTrouble(trigger, readEventTrigger(trigger));
    if (own?.state === "broken") return [{ clusters: [], links: [own] }];
    const clusters = meantClusters(trigger, this.#fleet);
    if (clusters.length === 0) return [{ clusters: [], links: [mismatchLink(trigger)] }];
    const found = (await Promise.all(clusters.map((cluster) => this.#ofTriggerIn(trigger, cluster)))).flat();
    return found.length > 0 ? found : this.#mismatches(trigger);
  }

  /** It matches no cluster any more. What counts is what it has made. */
  async #ofDeletedTrigger(trigger: KubeObject): Promise<readonly FleetChain[]> {
    const label = labelValue(trigger.metadata.name);
    const made = this.#fleet.profiles.filter(({ metadata }) => originOf(metadata.labels)?.trigger === label);
    const found = (await Promise.all(made.map((profile) => this.#ofProfile(profile)))).flat();
    return found.length > 0 ? found : [{ clusters: [], links: [deletionLink(trigger)] }];
  }

  async #ofTriggerIn(trigger: KubeObject, cluster: ClusterId): Promise<readonly FleetChain[]> {
    const profiles = this.#generated.get(originKey(labelValue(trigger.metadata.name), cluster)) ?? [];
    if (profiles.length > 0) return (await Promise.all(profiles.map((profile) => this.#ofProfile(profile)))).flat();
    if (!this.#isWanted([cluster])) return [];
    const links = eventLinks(trigger, cluster, this.#fleet);
    const isIdle = links.every(({ state }) => state === "ok");
    const next = waitingLink(linkTo("ClusterProfile", "none"), "it has made no profile yet", "see that sluice controller is running");
    return [{ clusters: [cluster], links: isIdle ? [...links, next] : links }];
  }

  /** The chains of a profile: for each cluster that it matches, with the event that it comes from. */
  async ofProfile(profile: KubeObject): Promise<readonly FleetChain[]> {
    const found = await this.#ofProfile(profile);
    return found.length > 0 ? found : this.#mismatches(profile);
  }

  async #ofProfile(profile: KubeObject): Promise<readonly FleetChain[]> {
    const before = this.#linksBefore(profile);
    const own = profileLink(profile);
    const origin = originOf(profile.metadata.labels);
    const source = origin === undefined ? [] : [origin.cluster];
    const event = origin?.resource === undefined ? {} : { event: origin.resource };
    const clusters = meantClusters(profile, this.#fleet);
    if (clusters.length === 0) {
      const idle = own.state === "ok" ? mismatchLink(profile) : own;
      return this.#isWanted(source) ? [{ clusters: source, links: [...before, idle], ...event }] : [];
    }
    const wanted = clusters.filter((cluster) => this.#isWanted([cluster, ...source]));
    return Promise.all(
      wanted.map(async (cluster): Promise<FleetChain> => {
        const isKnown = source.some((each) => isSameId(each, cluster));
        const there = isKnown ? [] : [clusterLink(cluster, this.#fleet)];
        const isOpen = there.some(({ state }) => state !== "ok");
        const deployed = isOpen && !isMatching(profile, cluster) ? [] : await this.#linksIn(cluster, profile);
        return { clusters: [cluster, ...source], links: [...before, own, ...there, ...deployed], ...event };
      }),
    );
  }

  async #linksIn(cluster: ClusterId, profile: KubeObject): Promise<readonly ChainLink[]> {
    const deployed =
      isMatching(profile, cluster) || isDeleting(profile)
        ? deployLinks(profile, cluster, this.#fleet)
        : [waitingLink(objectOf(profile), "its selector means the cluster, and its status does not have it yet")];
    return [...deployed, ...(await objectLinks(profile, cluster, this.#fleet, this.#reader))];
  }

  #linksBefore({ metadata }: KubeObject): readonly ChainLink[] {
    const origin = originOf(metadata.labels);
    if (origin === undefined) return [];
    const trigger = this.#fleet.triggers.find((each) => labelValue(each.metadata.name) === origin.trigger);
    if (trigger !== undefined) return eventLinks(trigger, origin.cluster, this.#fleet, origin.resource);
    const link = linkTo("EventTrigger", origin.trigger);
    return [
      this.#fleet.isUnreadable("EventTrigger") ? unknownLink(link, "it may not be read") : brokenLink(link, "it does not exist any more"),
    ];
  }

  /** The clusters that are asked about, and that the object has nothing to do with. */
  #mismatches(object: KubeObject): readonly FleetChain[] {
    const { clusters } = this.#fleet;
    return clusters
      .all()
      .filter((cluster) => this.#isWanted([cluster]))
      .map((cluster) => ({ clusters: [cluster], links: [mismatchLink(object, cluster)] }));
  }
}

function originKey(trigger: string, { type, namespace, name }: ClusterId): string {
  return `${trigger}/${type}/${namespace}/${name}`;
}

import type { Change } from "../../instantiate/index.ts";
import { eventReportName, gvkOf, objectionTo, readEventSource, type EventSource } from "../../api/index.ts";
import { clusterIdOf, type Link } from "../../fleet/index.ts";
import { isApiFault, type Index } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import { settled, type Outcome, type WorkQueue } from "../../../reconcile/index.ts";
import type { Desk } from "../context/index.ts";
import { carryReported } from "./carried.ts";
import type { Demand } from "./demand.ts";
import { partsOf, sourceKey } from "./key.ts";
import { reportObserved } from "./observed.ts";
import { Post } from "./post.ts";
import { clusterOfReport } from "./report-index.ts";
import { lastMatches } from "./reports.ts";
import { leftByAgent, performAll, planFor, seedsFor, siteOf, type Site } from "./site.ts";
import type { Statuses } from "./statuses.ts";

export type KeeperTools = { readonly demand: Demand; readonly statuses: Statuses; readonly queue: WorkQueue };

/** Keeps the events of every cluster that this replica attends to: for each cluster a post, for each EventSource there a report. */
export class Keeper {
  readonly #desk: Desk;
  readonly #tools: KeeperTools;
  readonly #signal: AbortSignal;
  readonly #reports: Index;
  readonly #posts = new Map<string, Post>();

  constructor(desk: Desk, tools: KeeperTools, signal: AbortSignal) {
    this.#desk = desk;
    this.#tools = tools;
    this.#signal = signal;
    this.#reports = desk.copies.index(gvkOf("EventReport"), (report) => {
      const cluster = clusterOfReport(report);
      return cluster === undefined ? [] : [cluster];
    });
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const { cluster, eventSource } = partsOf(key);
    if (this.#desk.fleet.find(cluster) === undefined) return await this.#forget(cluster, signal);
    const before = this.#posts.get(cluster);
    try {
      return await (eventSource === undefined ? this.#settleCluster(cluster, signal) : this.#settleSource(cluster, eventSource));
    } catch (error) {
      // The cluster is another replica's by now, or has another connection, with which the work begins again.
      if ((before ?? this.#posts.get(cluster))?.signal.aborted === true && !signal.aborted) return settled;
      if (eventSource !== undefined && isApiFault(error)) this.#tools.statuses.complain(cluster, eventSource, error.message);
      this.#desk.fleet.suspect(cluster);
      throw error;
    }
  }

  close(): void {
    for (const key of this.#posts.keys()) this.#leave(key, "the controller ends");
  }

  async #settleCluster(key: string, signal: AbortSignal): Promise<Outcome> {
    const cluster = this.#desk.fleet.find(key);
    if (cluster === undefined || cluster.reach.state === "unknown") {
      this.#leave(key, "the cluster is not attended to any more");
      this.#tools.statuses.release(key);
      return settled;
    }
    if (cluster.managed.paused) return settled;
    const post = this.#postFor(key, cluster.link);
    const site = siteOf(this.#desk, this.#tools.demand, key, this.#reports.at(key));
    const { sources, management } = planFor(site, "controller", []);
    this.#tools.statuses.matter(key, sources);
    if (post?.agent.state === "absent") this.#observe(post, key, sources);
    await performAll(this.#desk.hub, management, signal);
    if (post?.agent.state === "absent") await this.#sweep(site, post, signal);
    if (post?.agent.state === "present" || post?.agent.state === "silent") await this.#leaveToAgent(site, post, signal);
    return settled;
  }

  /** A cluster that is no more has no events. */
  async #forget(key: string, signal: AbortSignal): Promise<Outcome> {
    this.#leave(key, "the cluster is gone");
    const going = [...this.#reports.at(key)].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    await performAll(this.#desk.hub, going.map(deletionOf), signal);
    this.#tools.statuses.drop(key);
    return settled;
  }

  #observe(post: Post, key: string, names: readonly string[]): void {
    const sources = names.flatMap((name) => this.#readableSource(name) ?? []);
    const lastOf = (name: string) => lastMatches(this.#reportOn(key, name));
    post.observe(sources, lastOf, (name) => this.#tools.queue.add(sourceKey(key, name)));
  }

  /** One that is refused is not evaluated; its reports stay as they are. */
  #readableSource(name: string): EventSource | undefined {
    const object = this.#desk.copies.find(gvkOf("EventSource"), "", name);
    const reading = object && readEventSource(object);
    return reading?.state === "read" && objectionTo(reading) === undefined ? reading.value : undefined;
  }

  /** Takes away what an agent had and left: one that comes later begins with what is known then. */
  async #sweep(site: Site, post: Post, signal: AbortSignal): Promise<void> {
    if (post.isSwept) return;
    const both = AbortSignal.any([signal, post.signal]);
    const left = await leftByAgent(post.link.cluster, both);
    await performAll(post.link.cluster, planFor(site, "controller", left).managed, both);
    post.isSwept = true;
  }

  async #leaveToAgent(site: Site, post: Post, signal: AbortSignal): Promise<void> {
    const { key } = site;
    const { queue, statuses } = this.#tools;
    const { cluster } = post.link;
    // While we evaluated, nobody kept up what an earlier agent left behind.
    if (post.isObserving) await this.#sweep(site, post, signal);
    const relay = post.relay((news) => {
      if (news === undefined || news.isOfCluster) queue.add(key);
      if (news !== undefined) queue.add(sourceKey(key, news.eventSource));
    });
    if (!relay.isReady) return;
    const plan = planFor(site, "agent", relay.objects());
    const both = AbortSignal.any([signal, post.signal]);
    const seeds = seedsFor(site, plan, this.#desk, (name) => relay.report(name) !== undefined);
    try {
      await performAll(cluster, seeds, both);
      await performAll(cluster, plan.managed, both);
    } catch (error) {
      if (isApiFault(error)) for (const name of plan.sources) statuses.complain(key, name, `for the cluster's agent: ${error.message}`);
      throw error;
    }
    for (const name of plan.sources) queue.add(sourceKey(key, name));
  }

  async #settleSource(key: string, eventSource: string): Promise<Outcome> {
    const post = this.#posts.get(key);
    if (post === undefined || post.signal.aborted || this.#desk.fleet.find(key)?.managed.paused === true) return settled;
    const sighting = { key, post, eventSource, there: this.#reportOn(key, eventSource) };
    const { relayed: relay } = post;
    const { statuses } = this.#tools;
    if (relay === undefined) return await reportObserved(this.#desk, statuses, sighting, post.signal);
    return this.#isWanted(key, eventSource) ? await carryReported(this.#desk, statuses, { ...sighting, relay }, post.signal) : settled;
  }

  #isWanted(key: string, name: string): boolean {
    const source = this.#desk.copies.find(gvkOf("EventSource"), "", name);
    if (source === undefined || source.metadata.deletionTimestamp !== undefined) return false;
    return this.#tools.demand.of(key).wants.some(({ eventSource }) => eventSource === name);
  }

  #reportOn(key: string, eventSource: string): KubeObject | undefined {
    const id = clusterIdOf(key);
    return this.#desk.copies.find(gvkOf("EventReport"), id.namespace, eventReportName(eventSource, id));
  }

  #postFor(key: string, link: Link | undefined): Post | undefined {
    const known = this.#posts.get(key);
    if (known !== undefined && known.link === link && !known.signal.aborted) return known;
    this.#leave(key, "the cluster has another connection");
    if (link === undefined || link.signal.aborted) return undefined;
    const post = new Post(link, () => this.#tools.queue.add(key), this.#signal);
    this.#posts.set(key, post);
    return post;
  }

  #leave(key: string, because: string): void {
    this.#posts.get(key)?.close(because);
    this.#posts.delete(key);
  }
}

function deletionOf(object: KubeObject): Change {
  const { uid } = object.metadata;
  return { verb: "delete", ref: refOf(object), ...(uid !== undefined && { uid }) };
}

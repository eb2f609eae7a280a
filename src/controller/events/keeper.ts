import { planSources, type Change, type SourcePlan } from "../../addon/instantiate/index.ts";
import { eventReportName, gvkOf, objectionTo, readEventSource, type EventSource } from "../../api/index.ts";
import { clusterIdOf, type FleetCluster, type Link } from "../../fleet/index.ts";
import type { Index } from "../../kube/index.ts";
import { refOf, type KubeObject } from "../../object/index.ts";
import { settled, type Outcome, type WorkQueue } from "../../reconcile/index.ts";
import type { Desk } from "../desk.ts";
import type { Demand } from "./demand.ts";
import { partsOf, sourceKey } from "./key.ts";
import { Post } from "./post.ts";
import { reportObserved } from "./observed.ts";
import { clusterOfReport, sourceOfReport } from "./report-index.ts";
import { lastMatches, perform } from "./reports.ts";
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
    const post = this.#posts.get(cluster);
    try {
      return await (eventSource === undefined ? this.#settleCluster(cluster, signal) : this.#settleSource(cluster, eventSource, signal));
    } catch (error) {
      // The cluster is another replica's by now, or has another connection, with which the work begins again.
      if (post?.signal.aborted === true && !signal.aborted) return settled;
      throw error;
    }
  }

  close(): void {
    for (const key of this.#posts.keys()) this.#leave(key, "the controller ends");
  }

  async #settleCluster(key: string, signal: AbortSignal): Promise<Outcome> {
    const cluster = this.#desk.fleet.find(key);
    if (cluster === undefined) return await this.#forget(key, signal);
    if (cluster.reach.state === "unknown") {
      this.#leave(key, "the cluster is not attended to any more");
      this.#tools.statuses.release(key);
      return settled;
    }
    if (cluster.managed.paused) return settled;
    const post = this.#postFor(key, cluster.link);
    const plan = this.#planFor(cluster);
    this.#tools.statuses.matter(key, plan.sources);
    if (post !== undefined && post.agent.state !== "unknown") this.#observe(key, post, plan);
    await this.#performAll(plan.management, signal);
    return settled;
  }

  /** A cluster that is no more has no events. */
  async #forget(key: string, signal: AbortSignal): Promise<Outcome> {
    this.#leave(key, "the cluster is gone");
    const going = [...this.#reports.at(key)].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    await this.#performAll(
      going.map((report) => deletionOf(report)),
      signal,
    );
    this.#tools.statuses.drop(key);
    return settled;
  }

  #planFor({ key }: FleetCluster): SourcePlan {
    const { wants, isHeld } = this.#tools.demand.of(key);
    const names = [...new Set(wants.map(({ eventSource }) => eventSource))];
    const sources = names.flatMap((name) => this.#desk.copies.find(gvkOf("EventSource"), "", name) ?? []);
    const reports = [...this.#reports.at(key)].filter((report) => !isHeld(sourceOfReport(report)));
    return planSources({ cluster: clusterIdOf(key), evaluatedBy: "controller", triggers: wants, sources, managed: [], reports });
  }

  #observe(key: string, post: Post, plan: SourcePlan): void {
    const sources = plan.sources.flatMap((name) => this.#readableSource(name) ?? []);
    const lastOf = (name: string) => lastMatches(this.#reportOn(key, name));
    post.observe(sources, lastOf, (name) => this.#tools.queue.add(sourceKey(key, name)));
  }

  /** One that is refused is not evaluated; its reports stay as they are. */
  #readableSource(name: string): EventSource | undefined {
    const object = this.#desk.copies.find(gvkOf("EventSource"), "", name);
    const reading = object && readEventSource(object);
    return reading?.state === "read" && objectionTo(reading) === undefined ? reading.value : undefined;
  }

  #reportOn(key: string, eventSource: string): KubeObject | undefined {
    const id = clusterIdOf(key);
    return this.#desk.copies.find(gvkOf("EventReport"), id.namespace, eventReportName(eventSource, id));
  }

  async #settleSource(key: string, eventSource: string, signal: AbortSignal): Promise<Outcome> {
    const cluster = this.#desk.fleet.find(key);
    if (cluster === undefined) return await this.#forget(key, signal);
    const post = this.#posts.get(key);
    if (post === undefined || post.signal.aborted || cluster.managed.paused) return settled;
    const there = this.#reportOn(key, eventSource);
    const both = AbortSignal.any([signal, post.signal]);
    return await reportObserved(this.#desk, this.#tools.statuses, { key, post, eventSource, there }, both);
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

  async #performAll(changes: readonly Change[], signal: AbortSignal): Promise<void> {
    await Promise.all(changes.map((change) => perform(this.#desk.hub, change, signal)));
  }
}

function deletionOf(object: KubeObject): Change {
  const { uid } = object.metadata;
  return { verb: "delete", ref: refOf(object), ...(uid !== undefined && { uid }) };
}

import type { Clock } from "../../core/clock/index.ts";
import { thisMachine, type Cluster } from "../../kube/index.ts";
import { networkOpener, type OpenKubeconfig } from "../../sveltos/fleet/index.ts";
import type { ActionList } from "../action/action-list.ts";
import type { SessionInfo, View } from "../api/index.ts";
import { SharedInformers } from "../shared-informers.ts";
import { LiveViews, type OpenView } from "./live-views.ts";

type Contexts = Extract<SessionInfo, { signedIn: true }>["contexts"];

type VisitorOptions = {
  readonly clock: Clock;
  /** The name that the cluster knows the visitor by; empty when it has not been asked. */
  readonly user: string;
  readonly contexts: Contexts;
  /** The namespaces that the visitor has named, for one who may not list all. */
  readonly namespaces: readonly string[];
  /** Opens the cluster of a context as the visitor. It is called again after it has failed. */
  readonly open: (context: string) => Promise<Cluster>;
  /** Opens managed clusters by their kubeconfigs. Default: over the network. */
  readonly openManaged?: OpenKubeconfig;
  /** What the visitor has started in a context. Default: nothing can be started. */
  readonly actions?: (context: string) => ActionList;
};

/** What a visitor's views in one cluster share. */
export type VisitedCluster = {
  readonly cluster: Cluster;
  readonly informers: SharedInformers;
  readonly openManaged: OpenKubeconfig;
  /** Absent: nothing can be started. */
  readonly actions?: ActionList;
};

/**
 * One identity: clients, informers and views that belong to nobody else. A view is run once for all of the visitor's tabs.
 */
export class Visitor {
  readonly user: string;
  readonly contexts: Contexts;
  readonly namespaces: readonly string[];
  readonly #open: (context: string) => Promise<Cluster>;
  readonly #openManaged: OpenKubeconfig;
  readonly #actions: ((context: string) => ActionList) | undefined;
  readonly #clusters = new Map<string, Promise<VisitedCluster>>();
  readonly #views: LiveViews;
  #onUnauthorized: () => void = () => undefined;

  constructor({ clock, user, contexts, namespaces, open, openManaged, actions }: VisitorOptions) {
    this.user = user;
    this.contexts = contexts;
    this.namespaces = namespaces;
    this.#open = open;
    this.#openManaged = openManaged ?? networkOpener(thisMachine(), clock);
    this.#actions = actions;
    this.#views = new LiveViews(clock, (context) => this.visit(context));
  }

  /** Calls back when the cluster no longer accepts who the visitor is. */
  onUnauthorized(listener: () => void): void {
    this.#onUnauthorized = listener;
  }

  /** The cluster has refused a request because it does not know who sends it. */
  reportUnauthorized(): void {
    this.#onUnauthorized();
  }

  hasContext(context: string): boolean {
    return this.contexts.some(({ name }) => name === context);
  }

  /** The cluster of a context, opened once. */
  visit(context: string): Promise<VisitedCluster> {
    const known = this.#clusters.get(context);
    if (known !== undefined) return known;
    const opening = this.#visit(context);
    this.#clusters.set(context, opening);
    opening.catch(() => this.#clusters.delete(context));
    return opening;
  }

  /** A view as it is now, until it is closed. Undefined when too many are open. */
  view(path: string, view: View): OpenView | undefined {
    return this.#views.open(path, view);
  }

  /** How many views run. */
  get viewCount(): number {
    return this.#views.size;
  }

  close(): void {
    this.#views.close();
  }

  async #visit(context: string): Promise<VisitedCluster> {
    const cluster = await this.#open(context);
    const informers = new SharedInformers(cluster, {
      namespaces: this.namespaces,
      onUnauthorized: () => this.reportUnauthorized(),
      onOutage: (because) => this.#views.noticeOutage(context, because),
    });
    const actions = this.#actions?.(context);
    return { cluster, informers, openManaged: this.#openManaged, ...(actions === undefined ? {} : { actions }) };
  }
}

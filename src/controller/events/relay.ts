import { eventSourceNameLabel, gvkOf, managedEventReportName, sveltosNamespace } from "../../api/index.ts";
import { inform, type Cluster, type Informer, type ObjectChange } from "../../kube/index.ts";
import { equal, type KubeObject } from "../../object/index.ts";

/** Whom a change in a managed cluster concerns: one EventSource, or what the cluster has of them as a whole. */
export type RelayNews = { readonly eventSource: string; readonly isOfCluster: boolean };

/** What a managed cluster has for its agent and from it, EventSources and EventReports, followed until the signal aborts. */
export class Relay {
  readonly #sources: Informer;
  readonly #reports: Informer;
  readonly #synced = new Set<Informer>();

  constructor(cluster: Cluster, changed: (news: RelayNews | undefined) => void, signal: AbortSignal) {
    this.#sources = inform(cluster, gvkOf("EventSource"), { signal });
    this.#reports = inform(cluster, gvkOf("EventReport"), { namespace: sveltosNamespace, signal });
    void this.#follow(this.#sources, changed, (object) => object.metadata.name);
    void this.#follow(this.#reports, changed, (object) => object.metadata.labels?.[eventSourceNameLabel] ?? object.metadata.name);
  }

  /** All that is there is known. Until an agent has brought the kinds along, it is not. */
  get isReady(): boolean {
    return this.#synced.size === 2;
  }

  objects(): readonly KubeObject[] {
    return [...this.#sources.store.all(), ...this.#reports.store.all()];
  }

  source(name: string): KubeObject | undefined {
    return this.#sources.store.find("", name);
  }

  report(eventSource: string): KubeObject | undefined {
    return this.#reports.store.find(sveltosNamespace, managedEventReportName(eventSource));
  }

  async #follow(informer: Informer, changed: (news: RelayNews | undefined) => void, nameOf: (object: KubeObject) => string): Promise<void> {
    for await (const change of informer) {
      if (change.type === "synced") {
        this.#synced.add(informer);
        changed(undefined);
      } else if (change.type !== "interrupted" && this.isReady) {
        changed({ eventSource: nameOf(change.object), isOfCluster: isOfCluster(change) });
      }
    }
  }
}

/** Statuses, and what reports say, concern their EventSource only. */
function isOfCluster(change: ObjectChange): boolean {
  if (change.type !== "modified") return true;
  const { object, previous } = change;
  return object.kind === "EventSource" && !equal([object["spec"], labelled(object)], [previous["spec"], labelled(previous)]);
}

function labelled({ metadata: { labels, annotations, deletionTimestamp } }: KubeObject) {
  return { labels, annotations, deletionTimestamp };
}

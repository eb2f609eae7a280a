import { gvkOf, managedEventReportName, sveltosNamespace } from "../../api/index.ts";
import type { InformerEvent, Cluster, ObjectChange } from "../../../kube/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";
import { RetryingInformer } from "./retrying-informer.ts";

/** Whom a change in a managed cluster concerns: one EventSource, or what the cluster has of them as a whole. */
export type AgentChange = { readonly eventSource: string; readonly concernsCluster: boolean };

/** What a managed cluster has for its agent and from it, EventSources and EventReports, followed until the signal aborts. */
export class ReportCollector {
  readonly #sources: RetryingInformer;
  readonly #reports: RetryingInformer;

  constructor(cluster: Cluster, changed: (news: AgentChange | undefined) => void, signal: AbortSignal) {
    const heard = (change: InformerEvent) => {
      if (change.type === "synced") changed(undefined);
      // A report has the name of its EventSource.
      else if (change.type !== "interrupted" && this.isReady)
        changed({ eventSource: change.object.metadata.name, concernsCluster: isOfCluster(change) });
    };
    this.#sources = new RetryingInformer(cluster, gvkOf("EventSource"), {}, heard, signal);
    this.#reports = new RetryingInformer(cluster, gvkOf("EventReport"), { namespace: sveltosNamespace }, heard, signal);
  }

  /** All that is there is known. Until an agent has brought the kinds along, it is not. */
  get isReady(): boolean {
    return this.#sources.isSynced && this.#reports.isSynced;
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

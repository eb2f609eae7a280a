import { gvkOf, managedEventReportName, sveltosNamespace, wholeNameOf } from "../../api/index.ts";
import type { InformerEvent, Cluster, ObjectChange } from "../../../kube/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";
import { RetryingInformer } from "./retrying-informer.ts";

/** A changed EventSource of a managed cluster. `concernsCluster`: the plan for the whole cluster may change with it. */
export type AgentChange = { readonly eventSource: string; readonly concernsCluster: boolean };

/** Watches the EventSources and EventReports that a managed cluster has for its agent, until the signal aborts. */
export class ReportCollector {
  readonly #sources: RetryingInformer;
  readonly #reports: RetryingInformer;

  constructor(cluster: Cluster, changed: (change: AgentChange | undefined) => void, signal: AbortSignal) {
    const handle = (change: InformerEvent) => {
      if (change.type === "synced") changed(undefined);
      // A report has the name of its EventSource.
      else if (change.type !== "interrupted" && this.isReady)
        changed({ eventSource: wholeNameOf(change.object), concernsCluster: isOfCluster(change) });
    };
    this.#sources = new RetryingInformer(cluster, gvkOf("EventSource"), {}, handle, signal);
    this.#reports = new RetryingInformer(cluster, gvkOf("EventReport"), { namespace: sveltosNamespace }, handle, signal);
  }

  /** Both kinds are synced. They are not before an agent has installed their CRDs. */
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
    return this.findReport(managedEventReportName(eventSource));
  }

  /** A report or a part of one, by its own name. */
  findReport(name: string): KubeObject | undefined {
    return this.#reports.store.find(sveltosNamespace, name);
  }
}

/** Changes of a status or of a report concern their EventSource only. */
function isOfCluster(change: ObjectChange): boolean {
  if (change.type !== "modified") return true;
  const { object, previous } = change;
  return object.kind === "EventSource" && !equal([object["spec"], labelled(object)], [previous["spec"], labelled(previous)]);
}

function labelled({ metadata: { labels, annotations, deletionTimestamp } }: KubeObject) {
  return { labels, annotations, deletionTimestamp };
}

import type { Cluster } from "../../kube/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import { InformerFactory, type SharedInformer } from "./informer-factory.ts";
import type { AttendanceOf } from "./attendance.ts";
import type { GraceOptions } from "./grace-periods.ts";
import { DependentIndex } from "./dependent-index.ts";
import { DependentsWait, type DeletedWorkload } from "./dependents-wait.ts";
import { PodIndex } from "./pod-index.ts";
import { failedCreateSelector, FailedCreates } from "./failed-creates.ts";
import { ObjectWait } from "./object-wait.ts";
import type { WaitOptions, WaitTarget } from "./wait-target.ts";

const podKind = { group: "", version: "v1", kind: "Pod" };
const eventKind = { group: "", version: "v1", kind: "Event" };

type ObjectWaitsOptions = GraceOptions & {
  /** Default: nobody's controllers are known. */
  readonly attendanceOf?: AttendanceOf | undefined;
};

/** Waits for any number of objects of one cluster. Each wait costs a handler, not a watch. */
export class ObjectWaits {
  readonly #cluster: Cluster;
  readonly #informers: InformerFactory;
  readonly #options: ObjectWaitsOptions;
  readonly #signal: AbortSignal;
  readonly #pods = new Map<string, PodIndex>();
  readonly #dependents = new Map<string, DependentIndex>();
  readonly #failedCreates = new Map<string, FailedCreates>();

  constructor(cluster: Cluster, signal: AbortSignal, options: ObjectWaitsOptions = {}) {
    this.#cluster = cluster;
    this.#options = options;
    this.#signal = signal;
    this.#informers = new InformerFactory(cluster, signal);
  }

  get cluster(): Cluster {
    return this.#cluster;
  }

  /** How long pods may be unschedulable, unless an object says otherwise. */
  get schedulingTimeoutMs(): number | undefined {
    return this.#options.schedulingTimeoutMs;
  }

  get attendanceOf(): AttendanceOf {
    return this.#options.attendanceOf ?? (() => undefined);
  }

  get informers(): InformerFactory {
    return this.#informers;
  }

  podsIn(namespace: string): PodIndex {
    const known = this.#pods.get(namespace);
    if (known !== undefined) return known;
    const pods = new PodIndex(this.#informers.informerFor(podKind, namespace));
    this.#pods.set(namespace, pods);
    return pods;
  }

  failedCreatesIn(namespace: string): FailedCreates {
    const known = this.#failedCreates.get(namespace);
    if (known !== undefined) return known;
    const failedCreates = new FailedCreates(this.#informers.informerFor(eventKind, namespace, failedCreateSelector));
    this.#failedCreates.set(namespace, failedCreates);
    return failedCreates;
  }

  eventsIn(namespace: string): SharedInformer {
    return this.#informers.informerFor(eventKind, namespace);
  }

  /** Begins to read what controllers made for workloads of this kind and namespace, which will be waited for. */
  prefetchDependents(workload: ObjectRef): void {
    this.#dependentsIn(workload).prefetch(workload);
  }

  /** Starts a wait until what controllers made for a deleted workload is gone. */
  startForDependents(workload: DeletedWorkload, onReason: (because: string) => void): DependentsWait {
    return new DependentsWait(this.#dependentsIn(workload.ref), workload, this.#cluster.clock, onReason, this.#signal);
  }

  #dependentsIn(workload: ObjectRef): DependentIndex {
    const namespace = workload.namespace || this.#cluster.namespace;
    const index = this.#dependents.get(namespace) ?? new DependentIndex(this.#informers, namespace);
    this.#dependents.set(namespace, index);
    return index;
  }

  /** Starts a wait. With an `answer`, older states are ignored, and it may satisfy the gates already. */
  start(awaited: WaitTarget, options: WaitOptions): ObjectWait {
    return new ObjectWait(this, awaited, options, this.#signal);
  }
}

import type { Cancel } from "../../core/clock/index.ts";
import { isOfCurrentTemplate, makesRoom } from "../../health/index.ts";
import type { GroupVersionKind, KubeObject, ObjectRef } from "../../core/object/index.ts";
import type { Gate, Tracking } from "../order/index.ts";
import { Attendance } from "./attendance.ts";
import { readDiagnostics, noDiagnostics, readOutput, type Diagnostics, type LogTail } from "./diagnostics.ts";
import { gateCheckOf, type GateContext, type GateCheck } from "./gate-check.ts";
import { GracePeriods } from "./grace-periods.ts";
import { hasPods } from "./pod-index.ts";
import { ProbeWindows } from "./probe-windows.ts";
import { reportsByEvents } from "./failed-creates.ts";
import { Recreation, type Recreate } from "./recreation.ts";
import { waitForServedKind, waitForServedResource, type ServedKind } from "./wait-until-served.ts";
import { isCustom, isOlderObject } from "./resource-version.ts";
import type { ObjectEvents } from "./object-events.ts";
import type { ObjectLogs } from "./log/object-logs.ts";
import type { ObjectWaits } from "./object-waits.ts";
import { withoutLogs, type WaitResult } from "./wait-result.ts";
import { WorkloadPods } from "./workload-pods.ts";

/** What to wait for. */
export type WaitTarget = {
  readonly ref: ObjectRef;
  readonly gates: readonly Gate[];
  readonly tracking: Tracking;
  readonly timeoutMs?: number;
  readonly resource?: string;
  readonly uid?: string;
  /** Nobody has ever written its status. */
  readonly silent?: boolean;
};

/** What a wait knows of its object, and what it calls. */
export type WaitOptions = {
  /** The object as the API server returned it from apply. */
  readonly answer?: KubeObject | undefined;
  /** Creates the object again when it is deleted. */
  readonly recreate?: Recreate | undefined;
  /** The object was there before the wait: when it is missing at first, it was deleted. Default false. */
  readonly hasExisted?: boolean;
  /** Reads the logs of its pods. */
  readonly logs?: ObjectLogs | undefined;
  /** Reports Events about it and its pods. */
  readonly events?: ObjectEvents | undefined;
  readonly onReason: OnWaitReason;
};

/** Is called with each new reason to wait. `hopeless` is set in fail mode `hope` after a failure. */
type OnWaitReason = (because: string, hopeless: boolean) => void;

/** Most new workloads are ready by then, so their pods need not be watched. */
const podWatchDelayMs = 500;
const neighbourKinds: Readonly<Record<"Service" | "EndpointSlice", GroupVersionKind>> = {
  Service: { group: "", version: "v1", kind: "Service" },
  EndpointSlice: { group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice" },
};

/** One wait, until its gates are open, it has failed, or it has timed out. */
export class ObjectWait {
  readonly ended: Promise<WaitResult>;
  readonly #waits: ObjectWaits;
  readonly #target: WaitTarget;
  readonly #recreation: Recreation | undefined;
  readonly #logs: ObjectLogs | undefined;
  readonly #events: ObjectEvents | undefined;
  #watchesEvents = false;
  readonly #onReason: OnWaitReason;
  readonly #end: (ending: WaitResult) => void;
  readonly #fail: (error: unknown) => void;
  readonly #cancels: Cancel[] = [];
  #answer: KubeObject | undefined;
  #check: GateCheck | undefined;
  #served: ServedKind | undefined;
  #object: KubeObject | undefined;
  #over = false;
  #because = "";
  #hopeless = false;
  readonly #grace: GracePeriods;
  readonly #attendance: Attendance | undefined;
  readonly #probes: ProbeWindows;
  #activity: Cancel | undefined;
  readonly #pods: WorkloadPods;
  #existed = false;
  /** Looks at the cache again. */
  #look: () => void = () => undefined;

  constructor(
    waits: ObjectWaits,
    awaited: WaitTarget,
    { answer, recreate, hasExisted = false, logs, events, onReason }: WaitOptions,
    signal: AbortSignal,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<WaitResult>();
    this.ended = promise;
    this.#end = resolve;
    this.#fail = reject;
    this.#waits = waits;
    this.#pods = new WorkloadPods(waits);
    this.#target = awaited;
    this.#answer = answer;
    this.#existed = hasExisted;
    this.#recreation = recreate === undefined ? undefined : new Recreation(waits.cluster.clock, recreate);
    this.#logs = logs;
    this.#events = events;
    this.#onReason = onReason;
    const schedulingTimeoutMs = awaited.tracking.schedulingTimeoutMs ?? waits.schedulingTimeoutMs;
    this.#grace = new GracePeriods(waits.cluster.clock, () => this.#evaluate(), {
      schedulingTimeoutMs,
      ...(awaited.silent === true ? { statusTimeoutMs: 0 } : {}),
    });
    const ask = waits.attendanceOf(awaited.ref);
    if (ask !== undefined) this.#attendance = new Attendance(waits.cluster.clock, ask, () => this.#evaluate(), awaited.silent === true);
    this.#probes = new ProbeWindows(awaited.tracking.ignoreProbeFailuresMs, waits.cluster.clock, () => this.#evaluate());
    this.#cancels.push(
      () => this.#grace.end(),
      () => this.#attendance?.end(),
      () => this.#probes.end(),
      () => this.#recreation?.end(),
    );
    const abort = () => this.#finish(() => reject(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    this.#cancels.push(() => signal.removeEventListener("abort", abort));
    const { timeoutMs } = awaited;
    if (timeoutMs !== undefined) this.#after(timeoutMs, () => this.cancel(`not there after ${timeoutMs / 1000} s`));
    this.#begin().catch((error: unknown) => this.#finish(() => reject(error)));
  }

  /** Fails the wait, with its last reason. */
  cancel(why?: string): void {
    const because = [why, this.#because].filter((text) => text !== undefined && text !== "").join(": ");
    this.#resolve({ state: "failed", because });
  }

  /** The last log lines and warning events of the failed pods. */
  async diagnostics(signal: AbortSignal): Promise<Diagnostics> {
    const { tracking } = this.#target;
    if (this.#awaitsAbsence) return noDiagnostics;
    const query = { cluster: this.#waits.cluster, pods: (within: AbortSignal) => this.#podsNow(within), filter: tracking.logs, signal };
    return readDiagnostics(query, this.#because);
  }

  /** The whole output of its pods. */
  async output(signal: AbortSignal): Promise<readonly LogTail[]> {
    const { logs } = this.#target.tracking;
    return readOutput({ cluster: this.#waits.cluster, pods: (within) => this.#podsNow(within), filter: logs, signal });
  }

  /** Reads the logs as far as they have been written by now, and follows them no longer. */
  async finishLogs(signal: AbortSignal): Promise<void> {
    const object = this.#object;
    const logs = this.#logs;
    await logs?.finish(signal, async (within) => {
      // The watch of pods may be behind that of their workload.
      if (object !== undefined && hasPods(object) && !this.#pods.isCaughtUpWith(object))
        logs.observe(object, await this.#pods.list(object, within));
    });
  }

  async #begin(): Promise<void> {
    const { ref, gates, tracking, resource } = this.#target;
    this.#check = gateCheckOf(gates, tracking);
    const onNotServed = () => {
      this.#report(`the cluster does not serve ${resource ?? ref.kind} yet`, false);
      const stop = new AbortController();
      this.#addCancel(() => stop.abort());
      return stop.signal;
    };
    const waits = this.#waits;
    this.#served = await (resource === undefined
      ? waitForServedKind(waits, ref, onNotServed)
      : waitForServedResource(waits, resource, onNotServed));
    if (this.#over) return;
    if (this.#answer !== undefined && this.#check(this.#answer, this.#context()).state === "ready") return this.#resolve({ state: "open" });
    this.#watch(this.#served);
  }

  #watch({ kind, namespaced }: ServedKind): void {
    const { ref, gates } = this.#target;
    const namespace = namespaced ? this.#namespace() : "";
    if (gates.some(({ until }) => until === "kots-ready")) this.#watchNeighbours(namespace);
    const informer = this.#waits.informers.informerFor(kind, namespace);
    // When the cache is older than the applied object, the applied object counts until a newer one arrives.
    const onObject = (object: KubeObject | undefined, certain: boolean) => {
      const answer = this.#answer;
      if (object !== undefined || answer === undefined || !informer.isBehind(answer)) return this.#seen(object, certain);
      // A certain absence is then the end of the object before.
      if (!certain) this.#seen(answer, false);
    };
    this.#look = () => onObject(informer.find(ref.name), false);
    const cancel = informer.follow(ref.name, {
      onObject,
      onInterrupted: (because) => this.#report(because, false),
      onFailed: (error) => this.#finish(() => this.#fail(error)),
    });
    this.#addCancel(cancel);
  }

  /** KOTS judges Services and Ingresses by other objects, which change independently. */
  #watchNeighbours(namespace: string): void {
    const { kind } = this.#target.ref;
    const watched: readonly GroupVersionKind[] =
      kind === "Ingress"
        ? [neighbourKinds.Service, neighbourKinds.EndpointSlice]
        : kind === "Service"
          ? [neighbourKinds.EndpointSlice]
          : [];
    for (const neighbour of watched) this.#addCancel(this.#waits.informers.informerFor(neighbour, namespace).watch(() => this.#evaluate()));
  }

  /** Of an object that goes only its own state counts, not its pods. */
  get #awaitsAbsence(): boolean {
    return this.#target.gates.every(({ until }) => until === "absent");
  }

  #seen(object: KubeObject | undefined, certain: boolean): void {
    if (this.#over || (object === undefined && this.#recreation?.isRunning === true)) return;
    if (object !== undefined && this.#answer !== undefined && isOlderObject(object, this.#answer)) return;
    if (object === undefined && !certain) return void this.#readAgain();
    this.#object = object;
    this.#existed ||= object !== undefined;
    this.#active();
    if (object === undefined && (this.#existed || this.#answer !== undefined) && this.#recreation !== undefined)
      return this.#createAgain(this.#recreation);
    if (object !== undefined && !this.#awaitsAbsence && hasPods(object)) this.#watchPodsSoon(object);
    if (this.#target.ref.kind === "Pod") this.#logs?.observe(object, object === undefined ? [] : [object]);
    if (object !== undefined) this.#watchEvents(object);
    this.#evaluate();
  }

  /** Watching pods is expensive for a cluster. A new workload has no terminating pods, so its own status is tried first. */
  #watchPodsSoon(workload: KubeObject): void {
    if (!this.#pods.isUnknown) return;
    if (this.#answer?.metadata.generation !== 1 || (this.#logs ?? this.#events) !== undefined) return this.#watchPods(workload);
    this.#pods.postpone();
    this.#after(podWatchDelayMs, () => {
      this.#watchPods(this.#object ?? workload);
      this.#evaluate();
    });
  }

  #watchPods(workload: KubeObject): void {
    const onPod = () => {
      this.#logs?.observe(this.#object ?? workload, this.#pods.of(workload));
      this.#events?.observe(this.#object ?? workload, this.#pods.of(workload));
      this.#evaluate();
    };
    this.#addCancel(this.#pods.watch(workload, onPod));
    this.#logs?.observe(workload, this.#pods.of(workload));
    if (!reportsByEvents(workload)) return;
    this.#addCancel(this.#waits.failedCreatesIn(workload.metadata.namespace ?? "").watch(workload, () => this.#evaluate()));
  }

  #watchEvents(object: KubeObject): void {
    if (this.#events === undefined) return;
    if (!this.#watchesEvents) this.#addCancel(this.#events.watch(this.#waits.eventsIn(this.#namespace())));
    this.#watchesEvents = true;
    this.#events.observe(object, this.#pods.of(object));
  }

  /** A stale cache may lack an object that exists. */
  async #readAgain(): Promise<void> {
    const { ref } = this.#target;
    try {
      const found = await this.#waits.cluster.find({ ...this.#served!.kind, namespace: this.#namespace(), name: ref.name });
      if (this.#object === undefined) this.#seen(found, true);
    } catch (error) {
      this.#report(error instanceof Error ? error.message : String(error), false);
    }
  }

  #evaluate(): void {
    if (this.#over || this.#check === undefined) return;
    const own = this.#check(this.#object, this.#context());
    const health = this.#grace.apply(this.#attendance?.apply(own) ?? own, {
      makesRoom: () => this.#object !== undefined && makesRoom(this.#object, this.#pods.of(this.#object)),
      isCustom: isCustom(this.#target.ref),
      hasDeadline: this.#object?.kind === "Deployment",
    });
    if (health.state === "ready") return this.#resolve({ state: "open", ...(health.note === undefined ? {} : { note: health.note }) });
    if (this.#wasDeleted()) return this.#resolve({ state: "failed", because: "it was deleted before it had run to its end" });
    if (health.state === "progressing") return this.#report(health.because, false);
    this.#because = health.because;
    if (this.#target.tracking.failMode === "ignore") return this.#resolve({ state: "open", note: `ignored: ${health.because}` });
    if (this.#target.tracking.failMode === "hope") return this.#report(health.because, true);
    this.#resolve({ state: "failed", because: health.because });
  }

  #createAgain(recreation: Recreation): void {
    this.#report("it was deleted; it is created again", false);
    this.#pods.forget();
    recreation.start(
      (answer) => {
        if (this.#over) return;
        this.#answer = answer;
        this.#look();
      },
      (error) => this.#finish(() => this.#fail(error)),
    );
  }

  /** A deleted Job is not created again. */
  #wasDeleted(): boolean {
    return this.#existed && this.#object === undefined && this.#target.gates.some(({ until }) => until === "completed");
  }

  /** When the ref has no namespace, the applied object tells it. */
  #namespace(): string {
    return this.#target.ref.namespace || (this.#answer?.metadata.namespace ?? this.#waits.cluster.namespace);
  }

  #context(): GateContext {
    const { uid } = this.#target;
    const namespace = this.#namespace();
    return {
      hasStatus: this.#served?.hasStatus ?? true,
      pods: (object) => this.#pods.of(object),
      refusal: (object, pods) =>
        this.#pods.isWatched && reportsByEvents(object)
          ? this.#waits.failedCreatesIn(object.metadata.namespace ?? "").of(object, pods, this.#answer)
          : undefined,
      overdue: (object, pods) => this.#overdue(object, pods),
      all: (kind) => this.#waits.informers.informerFor(neighbourKinds[kind], namespace).all(),
      ...(uid === undefined ? {} : { uid }),
    };
  }

  async #podsNow(signal: AbortSignal): Promise<readonly KubeObject[]> {
    const object = this.#object ?? this.#answer;
    return object === undefined ? [] : this.#pods.current(object, signal);
  }

  #overdue(object: KubeObject, pods: readonly KubeObject[]): readonly string[] {
    if (!this.#probes.any) return [];
    return this.#probes.overdue(object.kind === "Pod" ? [object] : pods.filter((pod) => isOfCurrentTemplate(pod, object)));
  }

  #active(): void {
    const { noActivityTimeoutMs } = this.#target.tracking;
    if (noActivityTimeoutMs === undefined) return;
    this.#activity?.();
    this.#activity = this.#after(noActivityTimeoutMs, () => this.cancel(`nothing has happened for ${noActivityTimeoutMs / 1000} s`));
  }

  #report(because: string, hopeless: boolean): void {
    if (this.#over || (because === this.#because && hopeless === this.#hopeless)) return;
    this.#because = because;
    this.#hopeless = hopeless;
    this.#onReason(because, hopeless);
  }

  #resolve(result: WaitResult): void {
    const ending = this.#logs !== undefined && this.#pods.isForbidden ? withoutLogs(result) : result;
    const ignored = ending.state === "failed" && this.#target.tracking.failMode === "ignore";
    this.#finish(() => this.#end(ignored ? { state: "open", note: `ignored: ${ending.because}` } : ending));
  }

  #finish(settle: () => void): void {
    if (this.#over) return;
    this.#over = true;
    for (const cancel of this.#cancels) cancel();
    settle();
  }

  #after(ms: number, fire: () => void): Cancel {
    const cancel = this.#waits.cluster.clock.after(ms, fire);
    this.#cancels.push(cancel);
    return cancel;
  }

  /** A handler may end the wait while it is being added. */
  #addCancel(cancel: Cancel): void {
    if (this.#over) cancel();
    else this.#cancels.push(cancel);
  }
}

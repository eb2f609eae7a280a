import type { Cancel } from "../../core/clock/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { noDiagnostics, type Diagnostics, type LogTail } from "./diagnostics.ts";
import { gateCheckOf, type GateContext, type GateCheck } from "./gate-check.ts";
import { HealthTiming } from "./health-timing.ts";
import { neighbourKinds, watchNeighbours } from "./kots-neighbours.ts";
import { ObservedPods } from "./observed-pods.ts";
import { Recreation, recreationText } from "./recreation.ts";
import { waitForServedKind, waitForServedResource, type ServedKind } from "./wait-until-served.ts";
import { isOlderObject } from "./resource-version.ts";
import type { ObjectWaits } from "./object-waits.ts";
import { withoutLogs, type WaitResult } from "./wait-result.ts";
import type { OnWaitReason, WaitOptions, WaitTarget } from "./wait-target.ts";

/** One wait, until its gates are open, it has failed, or it has timed out. */
export class ObjectWait {
  readonly ended: Promise<WaitResult>;
  /** Whether the object was not as it should be at first. */
  hasWatched = false;
  readonly #waits: ObjectWaits;
  readonly #target: WaitTarget;
  readonly #recreation: Recreation | undefined;
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
  readonly #timing: HealthTiming;
  readonly #pods: ObservedPods;
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
    this.#target = awaited;
    const onChange = () => this.#evaluate();
    this.#pods = new ObservedPods(waits, {
      isPod: awaited.ref.kind === "Pod",
      filter: awaited.tracking.logs,
      logs,
      events,
      namespace: () => this.#namespace(),
      answer: () => this.#answer,
      onChange,
      addCancel: (cancel) => this.#addCancel(cancel),
    });
    this.#answer = answer;
    this.#existed = hasExisted;
    this.#recreation = recreate === undefined ? undefined : new Recreation(waits.cluster.clock, recreate);
    this.#onReason = onReason;
    this.#timing = new HealthTiming(waits, awaited, { onChange, onIdle: (because) => this.cancel(because) });
    const abort = () => this.#finish(() => reject(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    this.#cancels.push(
      () => this.#timing.end(),
      () => this.#recreation?.end(),
      () => signal.removeEventListener("abort", abort),
    );
    const { timeoutMs } = awaited;
    if (timeoutMs !== undefined)
      this.#cancels.push(waits.cluster.clock.after(timeoutMs, () => this.cancel(`not there after ${timeoutMs / 1000} s`)));
    this.#begin().catch((error: unknown) => this.#finish(() => reject(error)));
  }

  /** Fails the wait, with its last reason. */
  cancel(why?: string): void {
    const because = [why, this.#because].filter((text) => text !== undefined && text !== "").join(": ");
    this.#resolve({ state: "failed", because });
  }

  /** The last log lines and warning events of the failed pods. */
  async diagnostics(signal: AbortSignal): Promise<Diagnostics> {
    return this.#awaitsAbsence ? noDiagnostics : this.#pods.diagnostics(this.#because, signal);
  }

  /** The whole output of its pods. */
  output(signal: AbortSignal): Promise<readonly LogTail[]> {
    return this.#pods.output(signal);
  }

  /** Reads the logs as far as they have been written by now, and follows them no longer. */
  finishLogs(signal: AbortSignal): Promise<void> {
    return this.#pods.finishLogs(signal);
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
    this.hasWatched = true;
    const { ref, gates } = this.#target;
    const namespace = namespaced ? this.#namespace() : "";
    if (gates.some(({ until }) => until === "kots-ready"))
      this.#addCancel(watchNeighbours(ref.kind, this.#waits.informers, namespace, () => this.#evaluate()));
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

  /** Of an object that goes only its own state counts, not its pods. */
  get #awaitsAbsence(): boolean {
    return this.#target.gates.every(({ until }) => until === "absent");
  }

  #seen(object: KubeObject | undefined, certain: boolean): void {
    if (this.#over || (object === undefined && this.#recreation?.isRunning === true)) return;
    if (object !== undefined && this.#answer !== undefined && isOlderObject(object, this.#answer)) return;
    if (object === undefined && !certain) return void this.#readAgain();
    const { uid = "" } = (this.#object ?? this.#answer)?.metadata ?? {};
    this.#object = object;
    this.#existed ||= object !== undefined;
    this.#timing.active();
    if (object === undefined && (this.#existed || this.#answer !== undefined) && this.#recreation !== undefined)
      return this.#createAgain(this.#recreation, uid);
    this.#pods.observe(object, { ofWorkload: !this.#awaitsAbsence });
    this.#evaluate();
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
    if (this.#over || this.#check === undefined || this.#recreation?.isRunning === true) return;
    const own = this.#check(this.#object, this.#context());
    const health = this.#timing.apply(own, this.#object, (object) => this.#pods.of(object));
    if (health.state === "ready") return this.#resolve({ state: "open", ...(health.note === undefined ? {} : { note: health.note }) });
    if (this.#wasDeleted()) return this.#resolve({ state: "failed", because: "it was deleted before it had run to its end" });
    if (health.state === "progressing") return this.#report(health.because, false);
    this.#because = health.because;
    if (this.#target.tracking.failMode === "ignore") return this.#resolve({ state: "open", note: `ignored: ${health.because}` });
    if (this.#target.tracking.failMode === "hope") return this.#report(health.because, true);
    this.#resolve({ state: "failed", because: health.because });
  }

  #createAgain(recreation: Recreation, uid: string): void {
    this.#report(recreationText, false);
    this.#pods.forget();
    recreation.start(
      uid,
      (answer) => {
        if (this.#over) return;
        this.#answer = answer;
        this.#look();
      },
      (error) => this.#finish(() => this.#fail(error)),
    );
  }

  /** What runs to its end was deleted before, and is not created again. */
  #wasDeleted(): boolean {
    if (this.#recreation !== undefined) return false;
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
      refusal: (object, pods) => this.#pods.refusal(object, pods),
      overdue: (object, pods) => this.#timing.overdue(object, pods),
      all: (kind) => this.#waits.informers.informerFor(neighbourKinds[kind], namespace).all(),
      ...(uid === undefined ? {} : { uid }),
    };
  }

  #report(because: string, hopeless: boolean): void {
    if (this.#over || (because === this.#because && hopeless === this.#hopeless)) return;
    this.#because = because;
    this.#hopeless = hopeless;
    this.#onReason(because, hopeless);
  }

  #resolve(result: WaitResult): void {
    const ending = this.#pods.lacksLogs ? withoutLogs(result) : result;
    const ignored = ending.state === "failed" && this.#target.tracking.failMode === "ignore";
    this.#finish(() => this.#end(ignored ? { state: "open", note: `ignored: ${ending.because}` } : ending));
  }

  #finish(settle: () => void): void {
    if (this.#over) return;
    this.#over = true;
    for (const cancel of this.#cancels) cancel();
    settle();
  }

  /** A handler may end the wait while it is being added. */
  #addCancel(cancel: Cancel): void {
    if (this.#over) cancel();
    else this.#cancels.push(cancel);
  }
}

import type { Cancel } from "../../core/clock/index.ts";
import { isOfTemplate, makesRoom } from "../../health/index.ts";
import { labelSelectorOf, labelSelectorText, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Gate, Tracking } from "../order/index.ts";
import { evidenceOf, nothingToShow, outputOf, type Evidence, type LogTail } from "./evidence.ts";
import { judgeOf, type Around, type Judge } from "./judge.ts";
import { Patience } from "./patience.ts";
import { hasPods, selectorOf } from "./pods.ts";
import { ProbeWindows } from "./probe-windows.ts";
import { tellsByEvents } from "./refusals.ts";
import { served, servedNamed, type Served } from "./served.ts";
import { isCustom, isOlder } from "./version.ts";
import type { Waits } from "./waits.ts";

/** What somebody waits for. */
export type Awaited = {
  readonly ref: ObjectRef;
  readonly gates: readonly Gate[];
  readonly tracking: Tracking;
  readonly timeoutMs?: number;
  readonly resource?: string;
  readonly uid?: string;
};

/** How a wait ended. */
export type Ending = { readonly state: "open"; readonly note?: string } | { readonly state: "failed"; readonly because: string };

/** How news of a wait is taken: a new reason to wait, and whether it is one to lose hope. */
export type OnReason = (because: string, hopeless: boolean) => void;

const podKind = { group: "", version: "v1", kind: "Pod" };
/** Most of what is new is ready by then, and nobody needs to know how its pods came to be. */
const ownWordMs = 500;
const neighbours: Readonly<Record<"Service" | "EndpointSlice", GroupVersionKind>> = {
  Service: { group: "", version: "v1", kind: "Service" },
  EndpointSlice: { group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice" },
};

/** One wait, until its gates are open, it has failed, or its time is up. */
export class Wait {
  readonly ended: Promise<Ending>;
  readonly #waits: Waits;
  readonly #awaited: Awaited;
  readonly #answer: KubeObject | undefined;
  readonly #onReason: OnReason;
  readonly #end: (ending: Ending) => void;
  readonly #fail: (error: unknown) => void;
  readonly #cancels: Cancel[] = [];
  #judge: Judge | undefined;
  #served: Served | undefined;
  #object: KubeObject | undefined;
  #over = false;
  #because = "";
  #hopeless = false;
  readonly #patience: Patience;
  readonly #probes: ProbeWindows;
  #activity: Cancel | undefined;
  #pods: "unknown" | "soon" | "watched" = "unknown";
  #existed = false;

  constructor(waits: Waits, awaited: Awaited, answer: KubeObject | undefined, onReason: OnReason, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#end = resolve;
    this.#fail = reject;
    this.#waits = waits;
    this.#awaited = awaited;
    this.#answer = answer;
    this.#onReason = onReason;
    this.#patience = new Patience(waits.cluster.clock, () => this.#look());
    this.#probes = new ProbeWindows(awaited.tracking.ignoreProbeFailuresMs, waits.cluster.clock, () => this.#look());
    this.#cancels.push(
      () => this.#patience.end(),
      () => this.#probes.end(),
    );
    const abort = () => this.#finish(() => reject(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    this.#cancels.push(() => signal.removeEventListener("abort", abort));
    const { timeoutMs } = awaited;
    if (timeoutMs !== undefined) this.#after(timeoutMs, () => this.giveUp(`not there after ${timeoutMs / 1000} s`));
    this.#begin().catch((error: unknown) => this.#finish(() => reject(error)));
  }

  /** Ends the wait as failed, with what it waited for last. */
  giveUp(why?: string): void {
    const because = [why, this.#because].filter((text) => text !== undefined && text !== "").join(": ");
    this.#conclude({ state: "failed", because });
  }

  /** What there is to show of a wait that has failed: the last log lines and warnings of the pods that are at fault. */
  async evidence(signal: AbortSignal): Promise<Evidence> {
    const { gates, tracking } = this.#awaited;
    if (gates.every(({ until }) => until === "absent")) return nothingToShow;
    return evidenceOf({ cluster: this.#waits.cluster, pods: (within) => this.#podsNow(within), filter: tracking.logs, signal });
  }

  /** All that its pods have written. */
  async output(signal: AbortSignal): Promise<readonly LogTail[]> {
    const { logs } = this.#awaited.tracking;
    return outputOf({ cluster: this.#waits.cluster, pods: (within) => this.#podsNow(within), filter: logs, signal });
  }

  async #begin(): Promise<void> {
    const { ref, gates, tracking, resource } = this.#awaited;
    this.#judge = judgeOf(gates, tracking);
    const late = () => {
      this.#tell(`the cluster does not serve ${resource ?? ref.kind} yet`, false);
      const stop = new AbortController();
      this.#keep(() => stop.abort());
      return stop.signal;
    };
    const waits = this.#waits;
    this.#served = await (resource === undefined ? served(waits, ref, late) : servedNamed(waits, resource, late));
    if (this.#over) return;
    if (this.#answer !== undefined && this.#judge(this.#answer, this.#around()).state === "ready") return this.#conclude({ state: "open" });
    this.#listen(this.#served);
  }

  #listen({ kind, namespaced }: Served): void {
    const { ref, gates } = this.#awaited;
    const namespace = namespaced ? this.#namespace() : "";
    if (gates.some(({ until }) => until === "kots-ready")) this.#watchNeighbours(namespace);
    const shelf = this.#waits.lookout.shelf(kind, namespace);
    const answer = this.#answer;
    // Where the picture is older than the answer, the answer is how things stand until there is news of the object.
    const missing = (certain: boolean) => (certain || answer === undefined || !shelf.isBehind(answer) ? undefined : answer);
    const cancel = shelf.follow(ref.name, {
      seen: (object, certain) => this.#seen(object ?? missing(certain), certain),
      trouble: (because) => this.#tell(because, false),
      failed: (error) => this.#finish(() => this.#fail(error)),
    });
    this.#keep(cancel);
  }

  /** What a Service or Ingress of KOTS' is judged by changes without it. */
  #watchNeighbours(namespace: string): void {
    const { kind } = this.#awaited.ref;
    const watched: readonly GroupVersionKind[] =
      kind === "Ingress" ? [neighbours.Service, neighbours.EndpointSlice] : kind === "Service" ? [neighbours.EndpointSlice] : [];
    for (const neighbour of watched) this.#keep(this.#waits.lookout.shelf(neighbour, namespace).watch(() => this.#look()));
  }

  #seen(object: KubeObject | undefined, certain: boolean): void {
    if (this.#over) return;
    if (object !== undefined && this.#answer !== undefined && isOlder(object, this.#answer)) return;
    if (object === undefined && !certain) return void this.#makeSure();
    this.#object = object;
    this.#existed ||= object !== undefined;
    this.#active();
    if (object !== undefined && hasPods(object)) this.#meetPods(object);
    this.#look();
  }

  /** To follow pods is much work for a cluster. What is new has none that could be on their way out, so it may speak for itself first. */
  #meetPods(workload: KubeObject): void {
    if (this.#pods !== "unknown") return;
    if (this.#answer?.metadata.generation !== 1) return this.#watchPods(workload);
    this.#pods = "soon";
    this.#after(ownWordMs, () => {
      this.#watchPods(this.#object ?? workload);
      this.#look();
    });
  }

  #watchPods(workload: KubeObject): void {
    this.#pods = "watched";
    const namespace = workload.metadata.namespace ?? "";
    this.#keep(this.#waits.podsIn(namespace).watch(workload, () => this.#look()));
    if (tellsByEvents(workload)) this.#keep(this.#waits.refusalsIn(namespace).watch(workload, () => this.#look()));
  }

  /** An old picture without the object may be older than the object. */
  async #makeSure(): Promise<void> {
    const { ref } = this.#awaited;
    try {
      const found = await this.#waits.cluster.find({ ...this.#served!.kind, namespace: this.#namespace(), name: ref.name });
      if (this.#object === undefined) this.#seen(found, true);
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error), false);
    }
  }

  #look(): void {
    if (this.#over || this.#judge === undefined) return;
    const health = this.#patience.weigh(this.#judge(this.#object, this.#around()), {
      makesRoom: () => this.#object !== undefined && makesRoom(this.#object, this.#podsOf(this.#object)),
      isCustom: isCustom(this.#awaited.ref),
      hasDeadline: this.#object?.kind === "Deployment",
    });
    if (health.state === "ready") return this.#conclude({ state: "open", ...(health.note === undefined ? {} : { note: health.note }) });
    if (this.#vanished()) return this.#conclude({ state: "failed", because: "it was deleted before it had run to its end" });
    if (health.state === "progressing") return this.#tell(health.because, false);
    this.#because = health.because;
    if (this.#awaited.tracking.failMode === "ignore") return this.#conclude({ state: "open", note: `ignored: ${health.because}` });
    if (this.#awaited.tracking.failMode === "hope") return this.#tell(health.because, true);
    this.#conclude({ state: "failed", because: health.because });
  }

  /** Nobody makes a Job again that is gone. */
  #vanished(): boolean {
    return this.#existed && this.#object === undefined && this.#awaited.gates.some(({ until }) => until === "completed");
  }

  /** Of what named none before its kind was known the cluster has said where it is. */
  #namespace(): string {
    return this.#awaited.ref.namespace || (this.#answer?.metadata.namespace ?? this.#waits.cluster.namespace);
  }

  #around(): Around {
    const { uid } = this.#awaited;
    const namespace = this.#namespace();
    return {
      hasStatus: this.#served?.hasStatus ?? true,
      pods: (object) => this.#podsOf(object),
      refusal: (object, pods) =>
        this.#pods === "watched" && tellsByEvents(object)
          ? this.#waits.refusalsIn(object.metadata.namespace ?? "").of(object, pods, this.#answer)
          : undefined,
      overdue: (object, pods) => this.#overdue(object, pods),
      all: (kind) => this.#waits.lookout.shelf(neighbours[kind], namespace).all(),
      ...(uid === undefined ? {} : { uid }),
    };
  }

  /** Its pods, of the current template if there are such; where the end came before any was known, those that there are. */
  async #podsNow(signal: AbortSignal): Promise<readonly KubeObject[]> {
    const object = this.#object ?? this.#answer;
    if (object === undefined) return [];
    if (object.kind === "Pod" && object.apiVersion === "v1") return [object];
    const known = this.#podsOf(object);
    const selector = selectorOf(object);
    if (known.length > 0 || selector === undefined) {
      const current = known.filter((pod) => isOfTemplate(pod, object));
      return current.length > 0 ? current : known;
    }
    const labelSelector = labelSelectorText(labelSelectorOf(selector));
    try {
      const { items } = await this.#waits.cluster.list(podKind, { namespace: object.metadata.namespace ?? "", labelSelector, signal });
      return items;
    } catch {
      return []; // there is nothing to show, and the wait has ended without it
    }
  }

  #overdue(object: KubeObject, pods: readonly KubeObject[]): readonly string[] {
    if (!this.#probes.any) return [];
    return this.#probes.overdue(object.kind === "Pod" ? [object] : pods.filter((pod) => isOfTemplate(pod, object)));
  }

  #podsOf(object: KubeObject): readonly KubeObject[] {
    return this.#pods === "watched" && hasPods(object) ? this.#waits.podsIn(object.metadata.namespace ?? "").of(object) : [];
  }

  #active(): void {
    const { noActivityTimeoutMs } = this.#awaited.tracking;
    if (noActivityTimeoutMs === undefined) return;
    this.#activity?.();
    this.#activity = this.#after(noActivityTimeoutMs, () => this.giveUp(`nothing has happened for ${noActivityTimeoutMs / 1000} s`));
  }

  #tell(because: string, hopeless: boolean): void {
    if (this.#over || (because === this.#because && hopeless === this.#hopeless)) return;
    this.#because = because;
    this.#hopeless = hopeless;
    this.#onReason(because, hopeless);
  }

  #conclude(ending: Ending): void {
    const ignored = ending.state === "failed" && this.#awaited.tracking.failMode === "ignore";
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

  /** A listener may be told the end while it is being added. */
  #keep(cancel: Cancel): void {
    if (this.#over) cancel();
    else this.#cancels.push(cancel);
  }
}

import type { Cancel } from "../../core/clock/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { readDiagnostics, readOutput, type Diagnostics, type LogTail } from "./diagnostics.ts";
import { reportsByEvents } from "./failed-creates.ts";
import type { LogFilter } from "../order/index.ts";
import type { ObjectLogs } from "./log/object-logs.ts";
import type { ObjectEvents } from "./object-events.ts";
import type { ObjectWaits } from "./object-waits.ts";
import { hasPods } from "./pod-index.ts";
import { WorkloadPods } from "./workload-pods.ts";

/** Most new workloads are ready by then, so their pods need not be watched. */
const podWatchDelayMs = 500;

type ObservedPodsOptions = {
  /** The object is a Pod itself. */
  readonly isPod: boolean;
  readonly filter: LogFilter;
  /** Reads their logs. Default: nobody does. */
  readonly logs: ObjectLogs | undefined;
  /** Reports Events about the object and them. Default: nobody does. */
  readonly events: ObjectEvents | undefined;
  readonly namespace: () => string;
  /** The object as the API server returned it from apply. */
  readonly answer: () => KubeObject | undefined;
  /** Is called when one of them changes. */
  readonly onChange: () => void;
  /** Takes what ends a watch. */
  readonly addCancel: (cancel: Cancel) => void;
};

/** The pods of an object that is waited for, with what they write and the Events about them. */
export class ObservedPods {
  readonly #waits: ObjectWaits;
  readonly #options: ObservedPodsOptions;
  readonly #pods: WorkloadPods;
  #object: KubeObject | undefined;
  #watchesEvents = false;

  constructor(waits: ObjectWaits, options: ObservedPodsOptions) {
    this.#waits = waits;
    this.#options = options;
    this.#pods = new WorkloadPods(waits);
  }

  /** Logs are wanted, and the user may not list the pods. */
  get lacksLogs(): boolean {
    return this.#options.logs !== undefined && this.#pods.isForbidden;
  }

  /** The pods as the watch has them; none while they are not watched. */
  of(object: KubeObject): readonly KubeObject[] {
    return this.#pods.of(object);
  }

  /** The object is another one from now on. */
  forget(): void {
    this.#object = undefined;
    this.#pods.forget();
  }

  /** The object has changed, or does not exist. `ofWorkload`: its pods are of interest. */
  observe(object: KubeObject | undefined, { ofWorkload }: { readonly ofWorkload: boolean }): void {
    this.#object = object;
    if (object !== undefined && ofWorkload && hasPods(object)) this.#watchSoon(object);
    if (this.#options.isPod) this.#options.logs?.observe(object, object === undefined ? [] : [object]);
    if (object !== undefined) this.#watchEvents(object);
  }

  /** The message of the last failed pod creation of a workload. */
  refusal(object: KubeObject, pods: readonly KubeObject[]): string | undefined {
    if (!this.#pods.isWatched || !reportsByEvents(object)) return undefined;
    return this.#waits.failedCreatesIn(object.metadata.namespace ?? "").of(object, pods, this.#options.answer());
  }

  /** The last log lines and warning events of the failed pods. */
  async diagnostics(because: string, signal: AbortSignal): Promise<Diagnostics> {
    return readDiagnostics(this.#query(signal), because);
  }

  /** Their whole output. */
  async output(signal: AbortSignal): Promise<readonly LogTail[]> {
    return readOutput(this.#query(signal));
  }

  /** Reads the logs as far as they have been written by now, and follows them no longer. */
  async finishLogs(signal: AbortSignal): Promise<void> {
    const object = this.#object;
    const { logs } = this.#options;
    await logs?.finish(signal, async (within) => {
      // The watch of pods may be behind that of their workload.
      if (object !== undefined && hasPods(object) && !this.#pods.isCaughtUpWith(object))
        logs.observe(object, await this.#pods.list(object, within));
    });
  }

  /** Watching pods is expensive for a cluster. A new workload has no terminating pods, so its own status is tried first. */
  #watchSoon(workload: KubeObject): void {
    if (!this.#pods.isUnknown) return;
    const { answer, logs, events, addCancel, onChange } = this.#options;
    if (answer()?.metadata.generation !== 1 || (logs ?? events) !== undefined) return this.#watch(workload);
    this.#pods.postpone();
    addCancel(
      this.#waits.cluster.clock.after(podWatchDelayMs, () => {
        this.#watch(this.#object ?? workload);
        onChange();
      }),
    );
  }

  #watch(workload: KubeObject): void {
    const { logs, events, addCancel, onChange } = this.#options;
    const onPod = () => {
      logs?.observe(this.#object ?? workload, this.of(workload));
      events?.observe(this.#object ?? workload, this.of(workload));
      onChange();
    };
    addCancel(this.#pods.watch(workload, onPod));
    logs?.observe(workload, this.of(workload));
    if (!reportsByEvents(workload)) return;
    addCancel(this.#waits.failedCreatesIn(workload.metadata.namespace ?? "").watch(workload, onChange));
  }

  #watchEvents(object: KubeObject): void {
    const { events, namespace, addCancel } = this.#options;
    if (events === undefined) return;
    if (!this.#watchesEvents) addCancel(events.watch(this.#waits.eventsIn(namespace())));
    this.#watchesEvents = true;
    events.observe(object, this.of(object));
  }

  #query(signal: AbortSignal) {
    const pods = async (within: AbortSignal) => {
      const object = this.#object ?? this.#options.answer();
      return object === undefined ? [] : this.#pods.current(object, within);
    };
    return { cluster: this.#waits.cluster, pods, filter: this.#options.filter, signal };
  }
}

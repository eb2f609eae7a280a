import type { Cancel } from "../../core/clock/index.ts";
import { isOfCurrentTemplate, makesRoom, type Health } from "../../health/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { Attendance } from "./attendance.ts";
import { GracePeriods } from "./grace-periods.ts";
import type { ObjectWaits } from "./object-waits.ts";
import { ProbeWindows } from "./probe-windows.ts";
import { isCustom } from "./resource-version.ts";
import type { WaitTarget } from "./wait-target.ts";

type TimingHandlers = {
  /** Is called when time alone has changed the health. */
  readonly onChange: () => void;
  /** Is called when the object has not changed for as long as its annotation allows. */
  readonly onIdle: (because: string) => void;
};

/** What time makes of the health of an object that is waited for: how long it may fail, say nothing, or stand still. */
export class HealthTiming {
  readonly #waits: ObjectWaits;
  readonly #target: WaitTarget;
  readonly #onIdle: TimingHandlers["onIdle"];
  readonly #grace: GracePeriods;
  readonly #attendance: Attendance | undefined;
  readonly #probes: ProbeWindows;
  #activity: Cancel | undefined;

  constructor(waits: ObjectWaits, target: WaitTarget, { onChange, onIdle }: TimingHandlers) {
    const { ref, tracking, silent = false } = target;
    const { clock } = waits.cluster;
    this.#waits = waits;
    this.#target = target;
    this.#onIdle = onIdle;
    this.#grace = new GracePeriods(clock, onChange, {
      schedulingTimeoutMs: tracking.schedulingTimeoutMs ?? waits.schedulingTimeoutMs,
      ...(silent ? { statusTimeoutMs: 0 } : {}),
    });
    const ask = waits.attendanceOf(ref);
    if (ask !== undefined) this.#attendance = new Attendance(clock, ask, onChange, silent);
    this.#probes = new ProbeWindows(tracking.ignoreProbeFailuresMs, clock, onChange);
  }

  /** The health that counts now. */
  apply(own: Health, object: KubeObject | undefined, podsOf: (object: KubeObject) => readonly KubeObject[]): Health {
    return this.#grace.apply(this.#attendance?.apply(own) ?? own, {
      makesRoom: () => object !== undefined && makesRoom(object, podsOf(object)),
      isCustom: isCustom(this.#target.ref),
      hasDeadline: object?.kind === "Deployment",
    });
  }

  /** Containers whose readiness probe fails for longer than allowed. */
  overdue(object: KubeObject, pods: readonly KubeObject[]): readonly string[] {
    if (!this.#probes.any) return [];
    return this.#probes.overdue(object.kind === "Pod" ? [object] : pods.filter((pod) => isOfCurrentTemplate(pod, object)));
  }

  /** The object has changed. */
  active(): void {
    const { noActivityTimeoutMs } = this.#target.tracking;
    if (noActivityTimeoutMs === undefined) return;
    this.#activity?.();
    this.#activity = this.#waits.cluster.clock.after(noActivityTimeoutMs, () =>
      this.#onIdle(`nothing has happened for ${noActivityTimeoutMs / 1000} s`),
    );
  }

  end(): void {
    this.#grace.end();
    this.#attendance?.end();
    this.#probes.end();
    this.#activity?.();
  }
}

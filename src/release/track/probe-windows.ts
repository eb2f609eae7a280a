import type { Cancel, Clock } from "../../core/clock/index.ts";
import { listAt, numberAt, stringAt, valueAt, type Fields, type KubeObject } from "../../core/object/index.ts";

/**
 * Time windows in which readiness probe failures of a container are ignored. A container that is not ready after its
 * window and one more probe period has failed. Models werf's ignore-readiness-probe-fails-for; the window starts when
 * the container is first seen as started.
 */
export class ProbeWindows {
  readonly #windowsMs: Readonly<Record<string, number>>;
  readonly #clock: Clock;
  readonly #evaluate: () => void;
  readonly #firstSeen = new Map<string, number>();
  #cancel: Cancel = () => undefined;

  constructor(windowsMs: Readonly<Record<string, number>>, clock: Clock, evaluate: () => void) {
    this.#windowsMs = windowsMs;
    this.#clock = clock;
    this.#evaluate = evaluate;
  }

  /** Whether any window is configured. */
  get any(): boolean {
    return Object.keys(this.#windowsMs).length > 0;
  }

  /** One text for each container beyond its window. Calls back when the next window ends. */
  overdue(pods: readonly KubeObject[]): readonly string[] {
    const now = this.#clock.now();
    const probing = pods.flatMap((pod) => this.#probing(pod));
    const next = Math.min(...probing.map(({ until }) => until).filter((until) => until > now));
    this.#cancel();
    if (Number.isFinite(next)) this.#cancel = this.#clock.after(next - now, this.#evaluate);
    return probing.filter(({ until }) => until <= now).map(({ text }) => text);
  }

  end(): void {
    this.#cancel();
  }

  #probing(pod: KubeObject): readonly { readonly until: number; readonly text: string }[] {
    if (pod.metadata.deletionTimestamp !== undefined) return [];
    return listAt(pod, "status.containerStatuses").flatMap((status) => {
      const name = stringAt(status, "name", "");
      const windowMs = this.#windowsMs[name];
      const probe = listAt(pod, "spec.containers").find((container) => container["name"] === name)?.["readinessProbe"];
      if (windowMs === undefined || probe === undefined || !isUnready(status)) return [];
      const until = this.#startOf(pod, name, status) + windowMs + numberAt(probe, "periodSeconds", 10) * 1000;
      return [
        { until, text: `pod ${pod.metadata.name}: container ${name}: its readiness probe fails for longer than ${windowMs / 1000} s` },
      ];
    });
  }

  #startOf(pod: KubeObject, container: string, status: Fields): number {
    const life = `${pod.metadata.uid}/${container}/${stringAt(status, "state.running.startedAt", "")}`;
    const seen = this.#firstSeen.get(life) ?? this.#clock.now();
    this.#firstSeen.set(life, seen);
    return seen;
  }
}

/** It is running, and its startup probe has succeeded. */
function isUnready(status: Fields): boolean {
  return valueAt(status, "state.running") !== undefined && status["started"] !== false && status["ready"] === false;
}

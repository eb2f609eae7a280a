import type { Cancel } from "../../core/clock/index.ts";
import { stringAt, type KubeObject } from "../../core/object/index.ts";
import { eventMessage, isWarning, lastSeenAt } from "./event-text.ts";
import type { SharedInformer } from "./informer-factory.ts";

/** An Event about an object, or about a pod of it: `pod web-1: Pulled: …`. */
export type EventEntry = { readonly text: string; readonly warning: boolean };

/** Reports the Events about one object and its pods, each message once. Events from before are left out: they live for an hour. */
export class ObjectEvents {
  readonly #sinceMs: number;
  readonly #onEvent: (entry: EventEntry) => void;
  readonly #reported = new Set<string>();
  /** What is said before the message, by the uid of whom it is about. */
  readonly #prefixes = new Map<string, string>();
  #informer: Pick<SharedInformer, "all"> | undefined;

  constructor(sinceMs: number, onEvent: (entry: EventEntry) => void) {
    this.#sinceMs = sinceMs;
    this.#onEvent = onEvent;
  }

  /** `informer` has the Events of the object's namespace. */
  watch(informer: Pick<SharedInformer, "all" | "watch">): Cancel {
    this.#informer = informer;
    return informer.watch((event) => this.#take(event));
  }

  /** Takes in the object and the pods that it has now. */
  observe(object: KubeObject, pods: readonly KubeObject[]): void {
    let isNew = this.#add(object, "");
    for (const pod of pods) isNew = this.#add(pod, `pod ${pod.metadata.name}: `) || isNew;
    if (isNew) for (const event of this.#informer?.all() ?? []) this.#take(event);
  }

  #add({ metadata: { uid = "" } }: KubeObject, prefix: string): boolean {
    if (this.#prefixes.has(uid)) return false;
    this.#prefixes.set(uid, prefix);
    return true;
  }

  #take(event: KubeObject): void {
    const prefix = this.#prefixes.get(stringAt(event, "involvedObject.uid", ""));
    if (prefix === undefined || Date.parse(lastSeenAt(event)) < this.#sinceMs) return;
    const text = `${prefix}${eventMessage(event)}`;
    if (this.#reported.has(text)) return;
    this.#reported.add(text);
    this.#onEvent({ text, warning: isWarning(event) });
  }
}

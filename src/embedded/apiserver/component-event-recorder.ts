import type { KubeObject } from "../../core/object/index.ts";
import type { ObjectStorage } from "../storage/index.ts";
import { generateUid } from "./generate-name.ts";
import { timestampOf } from "../timestamp.ts";

/** Something that a component has to say about an object. */
export type ComponentEvent = {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The component that says it: `kubelet`, `default-scheduler`… */
  readonly source: string;
  /** The part of the object that it is about: `spec.containers{app}`. */
  readonly fieldPath?: string;
};

/** Who owns the fields of an Event that a component writes: always the same ones, so they are not worked out each time. */
const ownedFields = {
  "f:count": {},
  "f:firstTimestamp": {},
  "f:involvedObject": {},
  "f:lastTimestamp": {},
  "f:message": {},
  "f:reason": {},
  "f:reportingComponent": {},
  "f:source": { "f:component": {} },
  "f:type": {},
};

/**
 * Tells of occurrences as Events. The same one again counts up the Event it made before. Models client-go tools/record
 *
 * There are more Events than all else together, and nothing in them needs defaults or can be wrong, so they go straight to
 * the store, as the API server would have stored them.
 */
export class ComponentEventRecorder {
  readonly #store: ObjectStorage;
  readonly #now: () => number;
  readonly #random: () => number;
  /** The names of Events by what they say. */
  readonly #eventNames = new Map<string, string>();
  #serial = 0;

  constructor(store: ObjectStorage, now: () => number, random: () => number) {
    this.#store = store;
    this.#now = now;
    this.#random = random;
  }

  record(about: KubeObject, componentEvent: ComponentEvent): void {
    const namespace = about.metadata.namespace ?? "default";
    // A namespace that is going away takes no more events, and nobody misses them.
    const home = this.#store.read("namespaces", "", namespace);
    if (home === undefined || home.metadata.deletionTimestamp !== undefined) return;
    const key = `${about.metadata.uid} ${componentEvent.fieldPath} ${componentEvent.reason} ${componentEvent.source} ${componentEvent.message}`;
    const name = this.#eventNames.get(key);
    const live = name === undefined ? undefined : this.#store.read("events", namespace, name);
    const event = live === undefined ? this.#newEvent(about, namespace, componentEvent) : this.#countedUp(live);
    this.#eventNames.set(key, event.metadata.name);
    this.#store.put("events", event);
  }

  #newEvent(about: KubeObject, namespace: string, { type, reason, message, source, fieldPath }: ComponentEvent): KubeObject {
    const { name, namespace: home, uid, resourceVersion } = about.metadata;
    const now = this.#now();
    const time = timestampOf(now);
    // Nanoseconds since the epoch, made unique; a number of JavaScript has too few digits for that.
    const serial = (BigInt(Math.floor(now)) * 1_000_000n + BigInt(this.#serial++)).toString(16);
    return {
      kind: "Event",
      apiVersion: "v1",
      metadata: {
        name: `${name}.${serial}`,
        namespace,
        uid: generateUid(this.#random),
        creationTimestamp: time,
        managedFields: [{ manager: source, operation: "Update", apiVersion: "v1", time, fieldsType: "FieldsV1", fieldsV1: ownedFields }],
      },
      involvedObject: {
        kind: about.kind,
        ...(home === undefined ? {} : { namespace: home }),
        name,
        uid,
        apiVersion: about.apiVersion,
        resourceVersion,
        ...(fieldPath === undefined ? {} : { fieldPath }),
      },
      reason,
      message,
      source: { component: source },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      type,
      eventTime: null,
      reportingComponent: source,
      reportingInstance: "",
    };
  }

  #countedUp(live: KubeObject): KubeObject {
    return { ...live, count: Number(live["count"] ?? 1) + 1, lastTimestamp: timestampOf(this.#now()) };
  }
}

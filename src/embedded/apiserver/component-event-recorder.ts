import { LruCache } from "../../core/cache/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { ObjectStorage } from "../storage/index.ts";
import { generateUid } from "./generate-name.ts";
import { isStatusError } from "../status-error.ts";
import { timestampOf } from "../timestamp.ts";

/** One event of a component about an object. */
type ComponentEvent = {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The component that records the event: `kubelet`, `default-scheduler`… */
  readonly source: string;
  /** The part of the object that it is about: `spec.containers{app}`. */
  readonly fieldPath?: string;
};

/** The managed fields of an Event that a component writes. They are always the same, so they are not computed each time. */
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
 * Records component events as Events. A repeated event increases the count of the Event that exists. Models client-go
 * tools/record
 *
 * Events outnumber all other objects, and nothing in them needs defaulting or can be invalid. They go straight to
 * storage, in the form in which the API server would have stored them.
 */
export class ComponentEventRecorder {
  readonly #store: ObjectStorage;
  readonly #now: () => number;
  readonly #random: () => number;
  /** The names of Events by their content. Models client-go tools/record/events_cache.go */
  readonly #eventNames = new LruCache<string, string>({ maxEntries: 4096 });
  #serial = 0;

  constructor(store: ObjectStorage, now: () => number, random: () => number) {
    this.#store = store;
    this.#now = now;
    this.#random = random;
  }

  record(about: KubeObject, componentEvent: ComponentEvent): void {
    const namespace = about.metadata.namespace ?? "default";
    // A terminating namespace accepts no more Events.
    const home = this.#store.read("namespaces", "", namespace);
    if (home === undefined || home.metadata.deletionTimestamp !== undefined) return;
    const key = `${about.metadata.uid} ${componentEvent.fieldPath} ${componentEvent.reason} ${componentEvent.source} ${componentEvent.message}`;
    const name = this.#eventNames.get(key);
    const live = name === undefined ? undefined : this.#store.read("events", namespace, name);
    const event = live === undefined ? this.#newEvent(about, namespace, componentEvent) : this.#countedUp(live);
    try {
      this.#store.put("events", event);
    } catch (error) {
      // A component goes on without an Event that cannot be stored.
      if (isStatusError(error)) return;
      throw error;
    }
    this.#eventNames.set(key, event.metadata.name);
  }

  #newEvent(about: KubeObject, namespace: string, { type, reason, message, source, fieldPath }: ComponentEvent): KubeObject {
    const { name, namespace: home, uid, resourceVersion } = about.metadata;
    const now = this.#now();
    const time = timestampOf(now);
    // Nanoseconds since the epoch, made unique; a JavaScript number has too few digits for that.
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

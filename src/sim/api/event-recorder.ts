import type { KubeObject } from "../../object/index.ts";
import type { ApiServer } from "./server.ts";
import { isRefusal } from "../refusal.ts";

/** Something that a component has to say about an object. */
export type Occurrence = {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The component that says it: `kubelet`, `default-scheduler`… */
  readonly source: string;
};

/** Tells of occurrences as Events. The same one again counts up the Event it made before. Models client-go tools/record */
export class EventRecorder {
  readonly #server: ApiServer;
  /** The names of Events by what they say. */
  readonly #told = new Map<string, string>();
  #serial = 0;

  constructor(server: ApiServer) {
    this.#server = server;
  }

  record(about: KubeObject, occurrence: Occurrence): void {
    const namespace = about.metadata.namespace ?? "default";
    const key = [about.metadata.uid, occurrence.reason, occurrence.message, occurrence.source].join("\u0000");
    const name = this.#told.get(key);
    const live = name === undefined ? undefined : this.#server.read("events", namespace, name);
    try {
      const event = live === undefined ? this.#first(about, namespace, occurrence) : this.#again(live);
      this.#told.set(key, event.metadata.name);
    } catch (error) {
      // A namespace that is going away takes no more events, and nobody misses them.
      if (!isRefusal(error)) throw error;
    }
  }

  #first(about: KubeObject, namespace: string, { type, reason, message, source }: Occurrence): KubeObject {
    const { name, namespace: home, uid, resourceVersion } = about.metadata;
    const now = this.#server.timestamp();
    // Nanoseconds since the epoch, made unique; a number of JavaScript has too few digits for that.
    const serial = (BigInt(Math.floor(this.#server.clock.now())) * 1_000_000n + BigInt(this.#serial++)).toString(16);
    const event: KubeObject = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: `${name}.${serial}`, namespace },
      involvedObject: { kind: about.kind, namespace: home, name, uid, apiVersion: about.apiVersion, resourceVersion },
      reason,
      message,
      source: { component: source },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      eventTime: null,
      reportingComponent: source,
      reportingInstance: "",
    };
    return this.#server.create("events", event, source);
  }

  #again(live: KubeObject): KubeObject {
    const count = Number(live["count"] ?? 1) + 1;
    const next = { ...live, count, lastTimestamp: this.#server.timestamp() };
    return this.#server.update("events", next, String(live["reportingComponent"]));
  }
}

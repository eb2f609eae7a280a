import type { KubeObject } from "../../core/object/index.ts";
import type { RecordedEvent } from "./telemetry.ts";

/** As whom we speak: in `source` and `reportingComponent` of every Event. */
export const eventComponent = "sluice";

const maxMessageLength = 1024;
const maxReasonLength = 128;
const maxNameLength = 253;

/** What is said of an object, how often and since when. */
export type EventSeries = {
  readonly about: KubeObject;
  readonly event: RecordedEvent;
  readonly name: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
};

/** The Event of a saying, which lies beside its object; that of an object without a namespace in `default`. */
export function eventObjectFor({ about, event, name, count, firstMs, lastMs }: EventSeries, instance: string): KubeObject {
  const { apiVersion, kind, metadata } = about;
  const { namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace: eventNamespaceOf(about) },
    involvedObject: {
      apiVersion,
      kind,
      name: metadata.name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    type: event.type,
    reason: event.reason.slice(0, maxReasonLength),
    message: shortened(event.message),
    source: { component: eventComponent },
    reportingComponent: eventComponent,
    reportingInstance: instance.slice(0, maxReasonLength),
    firstTimestamp: secondOf(firstMs),
    lastTimestamp: secondOf(lastMs),
    count,
  };
}

/** What changes when the same is said again. */
export function recountPatch({ count, lastMs }: EventSeries): { readonly count: number; readonly lastTimestamp: string } {
  return { count, lastTimestamp: secondOf(lastMs) };
}

export function eventNamespaceOf({ metadata: { namespace } }: KubeObject): string {
  return namespace === undefined || namespace === "" ? "default" : namespace;
}

/** A name that no other Event has. Models client-go tools/record/event.go makeEvent */
export function eventName({ metadata: { name } }: KubeObject, nowMs: number, serial: number): string {
  const own = `.${(BigInt(nowMs) * 1_000_000n + BigInt(serial)).toString(16)}`;
  return `${name.slice(0, maxNameLength - own.length).replace(/[.-]+$/, "")}${own}`;
}

function shortened(message: string): string {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength - 1)}…`;
}

/** Kubernetes' Time has no fraction of a second. */
function secondOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

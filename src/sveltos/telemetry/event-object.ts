import { timeText, type KubeObject } from "../../core/object/index.ts";
import type { RecordedEvent } from "./telemetry.ts";

/** The `source` and `reportingComponent` of every Event. */
const eventComponent = "sluice";

const maxMessageLength = 1024;
const maxReasonLength = 128;
const maxNameLength = 253;

/** An Event about an object, with its count and its first and last time. */
type EventSeries = {
  readonly about: KubeObject;
  readonly event: RecordedEvent;
  readonly name: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
};

/** The Event object of a series, in the namespace of its object; of a cluster-scoped object in `default`. */
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
    firstTimestamp: timeText(firstMs),
    lastTimestamp: timeText(lastMs),
    count,
  };
}

/** The patch of an Event that was recorded again. */
export function recountPatch({ count, lastMs }: EventSeries): { readonly count: number; readonly lastTimestamp: string } {
  return { count, lastTimestamp: timeText(lastMs) };
}

export function eventNamespaceOf({ metadata: { namespace } }: KubeObject): string {
  return namespace === undefined || namespace === "" ? "default" : namespace;
}

/** A unique name. Models client-go tools/record/event.go makeEvent */
export function eventName({ metadata: { name } }: KubeObject, nowMs: number, serial: number): string {
  const own = `.${(BigInt(nowMs) * 1_000_000n + BigInt(serial)).toString(16)}`;
  return `${name.slice(0, maxNameLength - own.length).replace(/[.-]+$/, "")}${own}`;
}

function shortened(message: string): string {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength - 1)}…`;
}

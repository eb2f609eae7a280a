import type { KubeObject } from "../../core/object/index.ts";
import type { Happening } from "./chronicle.ts";

/** As whom we speak: in `source` and `reportingComponent` of every Event. */
export const component = "sluice";

const longestMessage = 1024;
const longestReason = 128;
const longestName = 253;

/** What is said of an object, how often and since when. */
export type Saying = {
  readonly about: KubeObject;
  readonly happening: Happening;
  readonly name: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
};

/** The Event of a saying, which lies beside its object; that of an object without a namespace in `default`. */
export function eventFor({ about, happening, name, count, firstMs, lastMs }: Saying, instance: string): KubeObject {
  const { apiVersion, kind, metadata } = about;
  const { namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace: placeOf(about) },
    involvedObject: {
      apiVersion,
      kind,
      name: metadata.name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    type: happening.type,
    reason: happening.reason.slice(0, longestReason),
    message: shortened(happening.message),
    source: { component },
    reportingComponent: component,
    reportingInstance: instance.slice(0, longestReason),
    firstTimestamp: secondOf(firstMs),
    lastTimestamp: secondOf(lastMs),
    count,
  };
}

/** What changes when the same is said again. */
export function recount({ count, lastMs }: Saying): { readonly count: number; readonly lastTimestamp: string } {
  return { count, lastTimestamp: secondOf(lastMs) };
}

export function placeOf({ metadata: { namespace } }: KubeObject): string {
  return namespace === undefined || namespace === "" ? "default" : namespace;
}

/** A name that no other Event has. Models client-go tools/record/event.go makeEvent */
export function eventName({ metadata: { name } }: KubeObject, nowMs: number, serial: number): string {
  const own = `.${(BigInt(nowMs) * 1_000_000n + BigInt(serial)).toString(16)}`;
  return `${name.slice(0, longestName - own.length).replace(/[.-]+$/, "")}${own}`;
}

function shortened(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage - 1)}…`;
}

/** Kubernetes' Time has no fraction of a second. */
function secondOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

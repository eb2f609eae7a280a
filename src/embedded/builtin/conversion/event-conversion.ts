import type { KubeObject } from "../../../core/object/index.ts";

// Models pkg/apis/events/v1/conversion.go: the same fields under other names.

const coreNames: Readonly<Record<string, string>> = {
  regarding: "involvedObject",
  note: "message",
  reportingController: "reportingComponent",
  deprecatedSource: "source",
  deprecatedFirstTimestamp: "firstTimestamp",
  deprecatedLastTimestamp: "lastTimestamp",
  deprecatedCount: "count",
};
const eventsNames = Object.fromEntries(Object.entries(coreNames).map(([name, core]) => [core, name]));

function renamed(event: KubeObject, names: Readonly<Record<string, string>>, apiVersion: string): KubeObject {
  const entries = Object.entries(event).map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value]);
  return { ...(Object.fromEntries(entries) as KubeObject), apiVersion };
}

/** An Event of events.k8s.io/v1 as one of v1. */
export const eventToCore = (event: KubeObject): KubeObject => renamed(event, coreNames, "v1");

/** An Event of v1 as one of events.k8s.io/v1. */
export const eventToItsGroup = (event: KubeObject): KubeObject => renamed(event, eventsNames, "events.k8s.io/v1");

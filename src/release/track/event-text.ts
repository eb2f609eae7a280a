import { numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";

const maxLength = 1_000;

/** When an Event was seen last; empty when it does not say. */
export function lastSeenAt(event: KubeObject): string {
  const times = ["series.lastObservedTime", "lastTimestamp", "eventTime", "metadata.creationTimestamp"];
  return times.map((path) => stringAt(event, path, "")).find((text) => text !== "") ?? "";
}

export function isWarning(event: KubeObject): boolean {
  return stringAt(event, "type") !== "Normal";
}

/** `BackOff: Back-off restarting failed container (5 times)` */
export function eventText(event: KubeObject): string {
  const count = numberAt(event, "series.count", numberAt(event, "count", 1));
  return `${eventMessage(event)}${count > 1 ? ` (${count} times)` : ""}`;
}

/** The same without how often. */
export function eventMessage(event: KubeObject): string {
  const text = `${stringAt(event, "reason", "")}: ${stringAt(event, "message", "")}`;
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

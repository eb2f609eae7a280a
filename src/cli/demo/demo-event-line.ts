import { unreachable } from "../../core/fault/index.ts";
import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { Paint } from "../../view/index.ts";
import type { DemoCause, DemoEvent } from "./demo-event.ts";

/** An event in one line, with the time since the start: `  3.1s  east  healthy    deployment/postgresql`. */
export function demoEventLine(ms: number, event: DemoEvent, paint: Paint): string {
  const word = paint[roles[event.type]](stateOf(event).padEnd(9));
  const time = `${(ms / 1000).toFixed(1)}s`.padStart(6);
  return `${paint.dim(time)}  ${event.cluster}  ${word}  ${textOf(event)}`;
}

const roles = { deployed: "strong", event: "warn", ready: "good", waiting: "dim", failed: "bad", "profile-failed": "bad" } as const;

function stateOf(event: DemoEvent): string {
  switch (event.type) {
    case "deployed":
    case "event":
    case "waiting":
    case "failed":
      return event.type;
    case "profile-failed":
      return "failed";
    case "ready":
      return event.ref.kind === "Job" ? "succeeded" : "healthy";
    default:
      return unreachable(event);
  }
}

function textOf(event: DemoEvent): string {
  switch (event.type) {
    case "deployed":
      return `${titlesOf(event.refs)}, for ${causeText(event.because)}`;
    case "event":
      return `${event.source}: ${titlesOf(event.refs)} ${event.refs.length === 1 ? "matches" : "match"}`;
    case "ready":
      return titleOf(event.ref);
    case "waiting":
    case "failed":
      return `${titleOf(event.ref)}: ${event.because}`;
    case "profile-failed":
      return `profile ${event.profile}: ${event.because}`;
    default:
      return unreachable(event);
  }
}

const causes = { profile: "ClusterProfile", trigger: "EventTrigger" } as const;

function causeText({ type, name }: DemoCause): string {
  return `${causes[type]} ${name}`;
}

function titlesOf(refs: readonly ObjectRef[]): string {
  return refs.map(titleOf).join(", ");
}

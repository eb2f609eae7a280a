import { unreachable } from "../../core/fault/index.ts";
import { titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { Paint } from "../../view/index.ts";
import type { Cause, Happening } from "./happening.ts";

/** What happened so long after the start, in one line: `  3.1s  east  healthy    deployment/postgresql`. */
export function happeningLine(ms: number, happening: Happening, paint: Paint): string {
  const word = paint[roles[happening.type]](wordFor(happening).padEnd(9));
  const time = `${(ms / 1000).toFixed(1)}s`.padStart(6);
  return `${paint.dim(time)}  ${happening.cluster}  ${word}  ${textOf(happening)}`;
}

const roles = { deployed: "strong", event: "warn", ready: "good", waiting: "dim", failed: "bad", trouble: "bad" } as const;

function wordFor(happening: Happening): string {
  switch (happening.type) {
    case "deployed":
    case "event":
    case "waiting":
    case "failed":
      return happening.type;
    case "trouble":
      return "failed";
    case "ready":
      return happening.ref.kind === "Job" ? "succeeded" : "healthy";
    default:
      return unreachable(happening);
  }
}

function textOf(happening: Happening): string {
  switch (happening.type) {
    case "deployed":
      return `${titlesOf(happening.refs)}, for ${causeText(happening.because)}`;
    case "event":
      return `${happening.source}: ${titlesOf(happening.refs)} ${happening.refs.length === 1 ? "matches" : "match"}`;
    case "ready":
      return titleOf(happening.ref);
    case "waiting":
    case "failed":
      return `${titleOf(happening.ref)}: ${happening.because}`;
    case "trouble":
      return `profile ${happening.profile}: ${happening.because}`;
    default:
      return unreachable(happening);
  }
}

const causes = { profile: "ClusterProfile", trigger: "EventTrigger" } as const;

function causeText({ type, name }: Cause): string {
  return `${causes[type]} ${name}`;
}

function titlesOf(refs: readonly ObjectRef[]): string {
  return refs.map(titleOf).join(", ");
}

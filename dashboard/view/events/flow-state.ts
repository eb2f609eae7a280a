import type { FlowState } from "../../../src/dashboard/api/index.ts";
import type { State } from "../../component/state-badge.tsx";

/** How the state of a flow is drawn. */
export function badgeOf(state: FlowState): State {
  return state === "idle" ? "waiting" : state;
}

const words: Readonly<Record<FlowState, string>> = {
  failed: "failing",
  waiting: "waiting",
  progressing: "deploying",
  skipped: "suspended",
  idle: "no match",
  ready: "deployed",
};

/** The state of a flow in a word. */
export function flowWord(state: FlowState): string {
  return words[state];
}

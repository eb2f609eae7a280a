import { flowStates, type EventTriggerItem, type FlowState } from "../../../src/dashboard/api/index.ts";

/** Whether every word of a text is in one of these. */
export function hasWords(texts: readonly string[], text: string): boolean {
  const whole = texts.join(" ").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

/** Whether a trigger means an EventSource; a name that is a template may mean any. */
export function isMeantBy({ source }: Pick<EventTriggerItem, "source">, chosen: string): boolean {
  return chosen === "" || source === chosen || source.includes("{{");
}

type Urgent = { readonly state: FlowState; readonly name: string; readonly namespace?: string };

/** What fails comes first; equals by name. */
export function byUrgency(a: Urgent, b: Urgent): number {
  return flowStates.indexOf(a.state) - flowStates.indexOf(b.state) || nameOf(a).localeCompare(nameOf(b));
}

function nameOf({ namespace = "", name }: Urgent): string {
  return `${namespace}/${name}`;
}

import { pathOf } from "../../src/dashboard/api/index.ts";

/** The trigger that has generated a profile, which leads to its flow of events. */
export function TriggerLink({ name, context }: { readonly name: string; readonly context: string }) {
  return <a href={pathOf({ type: "events", context, trigger: { kind: "EventTrigger", name } })}>EventTrigger {name}</a>;
}

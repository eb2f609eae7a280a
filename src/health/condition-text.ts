import { stringAt, valueAt } from "../core/object/index.ts";

/** What a condition gives as its reason, for people: the message, or else the reason, or else what it says. */
export function conditionText(condition: unknown, otherwise?: string): string {
  const texts = ["message", "reason"].map((name) => stringAt(condition, name, "").trim());
  return texts.find((text) => text !== "") ?? otherwise ?? factOf(condition);
}

/** `Ready is False` */
export function factOf(condition: unknown): string {
  return `${stringAt(condition, "type", "a condition")} is ${String(valueAt(condition, "status") ?? "not set")}`;
}

import { stringAt, valueAt } from "../core/object/index.ts";

/** The explanation of a condition: its message, else its reason, else its status. */
export function conditionText(condition: unknown, otherwise?: string): string {
  const texts = ["message", "reason"].map((name) => stringAt(condition, name, "").trim());
  return texts.find((text) => text !== "") ?? otherwise ?? factOf(condition);
}

/** `Ready is False` */
export function factOf(condition: unknown): string {
  return `${stringAt(condition, "type", "a condition")} is ${String(valueAt(condition, "status") ?? "not set")}`;
}

import type { Fields } from "../object/index.ts";

/** What a condition gives as its reason, for people: the message, or else what there is. */
export function conditionText(condition: Fields): string {
  const [type, status, reason, message] = ["type", "status", "reason", "message"].map((name) => textOf(condition[name]));
  if (message !== "") return message!;
  return reason === "" ? `${type} is ${status === "" ? "not set" : status}` : `${type} is ${status}: ${reason}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : typeof value === "boolean" ? (value ? "True" : "False") : "";
}

import type { Answer } from "../../core/exchange/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { ApiStatus } from "../status-error.ts";

const json = { "content-type": "application/json" };

export function jsonAnswer(status: number, text: string, warnings: readonly string[] = []): Answer {
  const headers = warnings.length === 0 ? json : { ...json, warning: warnings.map(warningText).join(", ") };
  return { status, headers, body: [text] };
}

export function statusAnswer(status: ApiStatus): Answer {
  const answer = jsonAnswer(status.code, JSON.stringify(status));
  const seconds = status.details?.retryAfterSeconds;
  return seconds === undefined ? answer : { ...answer, headers: { ...answer.headers, "retry-after": String(seconds) } };
}

export function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0) return answer;
  const before = answer.headers["warning"];
  const warning = [...(before === undefined ? [] : [before]), ...warnings.map(warningText)].join(", ");
  return { ...answer, headers: { ...answer.headers, warning } };
}

export function plainAnswer(status: number, text: string): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: [text] };
}

/** Models apimachinery pkg/util/net/http.go NewWarningHeader */
function warningText(message: string): string {
  return `299 - "${message.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

const texts = new WeakMap<KubeObject, string>();

/** The object as JSON, kind and apiVersion first. Objects are immutable, so each is serialised once. */
export function objectJson(object: KubeObject): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const { kind, apiVersion, ...rest } = object;
  const text = JSON.stringify({ kind, apiVersion, ...rest });
  texts.set(object, text);
  return text;
}

/** The object as a list item: the API server omits the kind and apiVersion, which the list implies. */
export function listItemJson(object: KubeObject): string {
  const head = `{"kind":${JSON.stringify(object.kind)},"apiVersion":${JSON.stringify(object.apiVersion)},`;
  return `{${objectJson(object).slice(head.length)}`;
}

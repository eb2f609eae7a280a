import { isFields } from "../../src/core/object/index.ts";
import type { RawAnswer, RawOutcome } from "./send-raw.ts";

/** What every server, run or request has of its own. */
const own = new Set(["uid", "resourceVersion", "creationTimestamp", "time", "serverAddress", "ca.crt"]);
const ofVersions = new Set(["gitCommit", "goVersion", "compiler", "platform"]);

/** An outcome as it is compared. Go prints bytes that are no text as they are; here they are replaced when they are read. */
export function shownOutcome({ answers, closed }: RawOutcome): readonly string[] {
  return [...answers.map(shownAnswer), ...(closed ? ["closed"] : [])].map((text) =>
    text.replaceAll(/\\+(x[0-9a-f]{2}|u0000|ufffd)|\u00ff/g, "\ufffd"),
  );
}

function shownAnswer({ status, headers, body }: RawAnswer): string {
  const shown = ["content-type", "warning", "allow", "location"].map((name) => headers[name] ?? "-");
  return [status, ...shown, headers["connection"] === "close" ? "close" : "", shownBody(body)].join(" | ");
}

function shownBody(body: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(body)));
  } catch {
    return body;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  const isVersion = "gitVersion" in value;
  const kept = Object.entries(value).filter(([name]) => !own.has(name) && !(isVersion && ofVersions.has(name)));
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, item]) => [name, sorted(item)]));
}

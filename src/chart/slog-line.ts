import { quote } from "../lang/template/index.ts";

/** A warning as Go's log/slog prints it: `WARN returned non-bool value path=a.enabled chart=a`. */
export function slogLine(message: string, attributes: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(attributes).map(([key, value]) => `${key}=${needsQuotes.test(value) ? quote(value) : value}`);
  return ["WARN", message, ...pairs].join(" ");
}

const needsQuotes = /^$|[\s"=\p{C}]/u;

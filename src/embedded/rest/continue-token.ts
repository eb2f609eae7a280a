import { badRequestError, type StatusError } from "../status-error.ts";

/** A continue token: the list goes on at `start`, as it was at revision `rv`. Models apiserver pkg/storage/continue.go */
export type ContinueToken = { readonly v: "meta.k8s.io/v1"; readonly rv: number; readonly start: string };

export function encodeContinue(rv: number, start: string): string {
  const token: ContinueToken = { v: "meta.k8s.io/v1", rv, start };
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

export function decodeContinue(text: string): ContinueToken {
  const bytes = Buffer.from(text, "base64url");
  const odd = text.search(/[^A-Za-z0-9_-]/);
  if (odd >= 0 || text.length % 4 === 1) throw invalidToken(`: illegal base64 data at input byte ${odd >= 0 ? odd : text.length - 1}`);
  const { v = "", rv = 0, start = "" } = fieldsIn(bytes.toString("latin1"));
  if (v !== "meta.k8s.io/v1") throw invalidToken(`: server does not recognize this encoded version ${String(v)}`);
  if (typeof rv !== "number" || rv === 0) throw invalidToken(`: incorrect encoded start resourceVersion (version ${v})`);
  if (typeof start !== "string" || start === "") throw invalidToken(`: encoded start key empty (version ${v})`);
  if (!isClean(start)) throw invalidToken(`: ${start}`);
  return { v, rv, start };
}

function fieldsIn(text: string): { v?: unknown; rv?: unknown; start?: unknown } {
  try {
    return JSON.parse(text) as object;
  } catch {
    const first = JSON.stringify(text.slice(0, 1))
      .slice(1, -1)
      .replace(/[\u007f-\u009f]/, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
    throw invalidToken(`: invalid character '${first}' looking for beginning of value`);
  }
}

/** Whether a key cannot lead out of the prefix that the list has. */
function isClean(key: string): boolean {
  return key
    .replace(/^\//, "")
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== "..");
}

function invalidToken(why: string): StatusError {
  return badRequestError(`invalid continue token: continue key is not valid${why}`);
}

import { isExactInteger, type KubeObject } from "../../core/object/index.ts";
import { replaceAtPaths } from "./conceal.ts";
import { isMessageWord } from "./message-words.ts";
import { sensitivePathsIn, type Sensitivity } from "./sensitivity.ts";

/** A message without the sensitive values of these objects: an API server quotes what it refuses. */
export function concealedText(text: string, objects: readonly KubeObject[], sensitive: Sensitivity): string {
  return spellingsIn(objects, sensitive).reduce(without, text);
}

/** Hides the sensitive values of these objects, each with its own sensitivity, in many messages. Finds them when it is first called. */
export function textConcealer(objects: () => readonly SensitiveObject[]): (text: string) => string {
  let conceal: ((text: string) => string) | undefined;
  return (text) => (conceal ??= messageConcealer(objects()))(text);
}

/** An object with what of it is sensitive. */
export type SensitiveObject = { readonly object: KubeObject; readonly sensitive: Sensitivity };

/** Long values are found all at once, and those that may be words one by one. */
function messageConcealer(objects: readonly SensitiveObject[]): (text: string) => string {
  const spelled = new Set(objects.flatMap(({ object, sensitive }) => spellingsIn([object], sensitive)));
  const long = longestFirst([...spelled].filter(isLong));
  const others = longestFirst([...spelled].filter((secret) => !isLong(secret)));
  const concealLong = prefixConcealer(long);
  return (text) => others.filter((secret) => text.includes(secret)).reduce(without, concealLong(text));
}

function isLong(secret: string): boolean {
  return secret.length >= minLengthInLogs && !isMessageWord(secret);
}

/** Hides the sensitive values of these objects in lines of a log, of which there may be millions. */
export function logConcealer(objects: readonly SensitiveObject[]): (line: string) => string {
  const spelled = new Set(objects.flatMap(({ object, sensitive }) => spellingsIn([object], sensitive)));
  return prefixConcealer(longestFirst([...spelled].filter(({ length }) => length >= minLengthInLogs)));
}

/** Hides the sensitive values of these objects where other objects quote them. Short ones and words may be there by chance. */
export function quoteConcealer(objects: readonly SensitiveObject[]): (text: string) => string {
  const spelled = new Set(objects.flatMap(({ object, sensitive }) => spellingsIn([object], sensitive)));
  return prefixConcealer(longestFirst([...spelled].filter(isLong)));
}

/** Of texts with the same beginning the first is tried first. Each has `minLengthInLogs` at least. */
function prefixConcealer(secrets: readonly string[]): (line: string) => string {
  const byPrefix = Map.groupBy(secrets, (secret) => secret.slice(0, minLengthInLogs));
  return (line) => {
    if (byPrefix.size === 0) return line;
    let shown = "";
    let from = 0;
    for (let at = 0; at + minLengthInLogs <= line.length; at++) {
      const secret = byPrefix.get(line.slice(at, at + minLengthInLogs))?.find((text) => line.startsWith(text, at));
      if (secret === undefined) continue;
      shown += `${line.slice(from, at)}(hidden)`;
      from = at + secret.length;
      at = from - 1;
    }
    return shown + line.slice(from);
  };
}

/** The sensitive values in all their spellings, longest first: one secret may be part of another. */
function spellingsIn(objects: readonly KubeObject[], sensitive: Sensitivity): readonly string[] {
  const secrets = new Set(objects.flatMap((object) => [...valuesIn(object, sensitive)].flatMap(spellings)));
  return longestFirst([...secrets]);
}

function longestFirst(secrets: readonly string[]): readonly string[] {
  return secrets.toSorted((a, b) => b.length - a.length);
}

/** Shorter values of Secrets are often ordinary words: a user, a port, a mode. A log without those says nothing. */
const minLengthInLogs = 8;

/** Shorter values occur inside ordinary words. */
const minLength = 4;

function without(text: string, secret: string): string {
  const literal = secret.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  // Where a message quotes a value it is hidden; elsewhere the word is the message's own.
  if (isMessageWord(secret)) return text.replaceAll(new RegExp(String.raw`(?<=["'\x60]|Value:)${literal}(?=["'\x60}])`, "gu"), "(hidden)");
  if (secret.length >= minLength) return text.replaceAll(secret, "(hidden)");
  return text.replaceAll(new RegExp(String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`, "gu"), "(hidden)");
}

function valuesIn(object: KubeObject, sensitive: Sensitivity): ReadonlySet<string> {
  const found = new Set<string>();
  replaceAtPaths(object, sensitivePathsIn(object, sensitive), (value) => gather(value, found));
  return found;
}

function gather(value: unknown, found: Set<string>): void {
  if (typeof value === "string") found.add(value);
  else if (typeof value === "number") found.add(String(value));
  else if (isExactInteger(value)) found.add(value.rawJSON);
  else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) gather(item, found);
}

/** The value as it is, JSON-escaped, by lines, and encoded to or decoded from base64. */
function spellings(value: string): readonly string[] {
  const decoded = Buffer.from(value, "base64");
  const isBase64 = decoded.toString("base64") === value;
  const forms = [value, Buffer.from(value).toString("base64"), ...(isBase64 ? [decoded.toString("utf8")] : [])];
  const lines = forms.flatMap((form) => (form.includes("\n") ? form.split("\n").filter(({ length }) => length >= minLength) : []));
  return [...forms, ...lines].flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]).filter((form) => form.trim() !== "");
}

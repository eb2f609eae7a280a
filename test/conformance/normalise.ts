import { isFields, type Fields } from "../../src/core/object/index.ts";
import { hashesOf, generatedTokensIn, type GeneratedTokens } from "./generated-tokens.ts";

/** Names that the run chose (namespaces, API groups) and their stable aliases. */
export type Aliases = ReadonlyMap<string, string>;

/**
 * Replaces what differs between runs and servers in the answers of a case: uids, times, addresses, generated names, hashes,
 * tokens and the values of resource versions. The rest can be compared and committed.
 */
export function normalise(answers: unknown, aliases: Aliases, { oneCounter = false }: { oneCounter?: boolean } = {}): unknown {
  const ordered = inFixedOrder(answers, "");
  const tokens = generatedTokensIn(ordered, { oneCounter });
  const text = (value: string): string => replaceAll(value, tokens, aliases);
  const walk = (value: unknown, key: string, parent: unknown): unknown => {
    if (typeof value === "string") return named(value, key, parent, tokens) ?? text(value);
    if (typeof value === "number") return key === "nodePort" || key === "healthCheckNodePort" ? "<node-port>" : value;
    if (Array.isArray(value)) return value.map((item) => walk(item, key, value));
    if (!isFields(value)) return value;
    const entries = Object.entries(orderedRefusal(value)).map(([name, item]): [string, unknown] => [text(name), walk(item, name, value)]);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return walk(ordered, "", undefined);
}

/** A server validates custom resources in no fixed order. Sorts its findings, in the causes and in the message that lists them. */
function orderedRefusal(value: Fields): Fields {
  const { message, details } = value;
  if (typeof message !== "string" || !isFields(details) || !Array.isArray(details["causes"]) || details["causes"].length < 2) return value;
  if (!String(details["group"]).endsWith(".example.com")) return value;
  const lines = details["causes"].map((cause) => (isFields(cause) ? `${String(cause["field"])}: ${String(cause["message"])}` : ""));
  const causes = details["causes"].toSorted(by((cause) => JSON.stringify(cause)));
  return { ...value, message: message.replace(lines.join(", "), lines.toSorted().join(", ")), details: { ...details, causes } };
}

/** Replaces strings in fields that the server generates. */
function named(value: string, key: string, parent: unknown, tokens: GeneratedTokens): string | undefined {
  switch (key) {
    case "resourceVersion":
      return isFields(parent) ? (tokens.versions.get(`${String(parent["uid"])} ${value}`) ?? "<rv>") : "<rv>";
    case "continue":
      return value === "" ? value : "<continue>";
    case "nodeName":
      return "<node>";
    case "cells":
      return ageCell.test(value) ? value.replace(ageCell, "$1<age>$2") : undefined;
    case "kubernetes.io/legacy-token-last-used":
      return "<day>";
    case "storageVersionHash":
    case "caBundle":
      return `<${key}>`;
    default:
      return undefined;
  }
}

/** A cell of a table that is an age, or says how long ago something was. */
const ageCell = /^(\d+ \()?(?:\d+[smhdy]){1,2}( ago\))?$/;

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const address = /\b(10|127|172|192|100)\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
const suffix = /(<hash-\d+>)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
const versionsInText = /((?:resource ?version|ResourceVersion|current|UID)(?: in (?:precondition|object meta))?: )\d+/gi;

/** A message that quotes a whole object as Go prints it, or a diff of two, is cut there: the rest says the same. */
const dump = /(Invalid value: ")\{\\".*\}(": )/s;
const bareDump = /(Invalid value: )([{[].*?[}\]])(: (?=[a-z`]))/gs;
const longestQuoted = 150;
const specDiff = /\n@@.*$/s;

function replaceAll(value: string, tokens: GeneratedTokens, aliases: Aliases): string {
  let text = value;
  for (const [name, alias] of aliases) text = text.replaceAll(name, alias);
  for (const [name, alias] of tokens.names) text = text.replaceAll(name, alias);
  for (const [hash, alias] of tokens.hashes) text = text.replaceAll(hash, alias);
  return text
    .replace(suffix, "$1-<gen>")
    .replace(uuid, (found) => tokens.uids.get(found) ?? "<uid>")
    .replace(time, "<time>")
    .replace(address, "<ip>")
    .replace(/kube-api-access-[a-z0-9]{5}/g, "kube-api-access-<gen>")
    .replace(versionsInText, "$1<rv>")
    .replace(/(too old resource version: <rv>) \(\d+\)/, "$1 (<rv>)")
    .replace(/(ResourceVersion in (?:the precondition|record)) \(\d+\)/g, "$1 (<rv>)")
    .replace(dump, "$1<object>$2")
    .replace(bareDump, (whole, before: string, quoted: string, behind: string) =>
      quoted.length > longestQuoted ? `${before}<object>${behind}` : whole,
    )
    .replace(specDiff, "");
}

/**
 * Sorts every map, and every list without a meaningful order. Comes before values are numbered by appearance: servers write
 * the same object in different orders.
 */
function inFixedOrder(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    return sorted(
      value.map((item) => inFixedOrder(item, key)),
      key,
    );
  }
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [name, inFixedOrder(item, name)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * managedFields are ordered by time to the second, conditions by their last transition, and items with generated names by
 * those names. None of that is stable.
 */
function sorted(list: readonly unknown[], key: string): readonly unknown[] {
  if (key === "managedFields") return [...list].sort(by((item) => identityOf(item)));
  if (key === "conditions") return [...list].sort(by((item) => (isFields(item) ? String(item["type"]) : "")));
  return key === "items" && list.some(isNamedByServer) ? [...list].sort(by((item) => shapeOf(item))) : list;
}

function isNamedByServer(item: unknown): boolean {
  const metadata = isFields(item) && isFields(item["metadata"]) ? item["metadata"] : {};
  return "generateName" in metadata || hashesOf(metadata["labels"]).length > 0;
}

function by(keyOf: (item: unknown) => string): (a: unknown, b: unknown) => number {
  return (a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0);
}

function identityOf(entry: unknown): string {
  if (!isFields(entry)) return "";
  return JSON.stringify([entry["operation"], entry["manager"], entry["apiVersion"], entry["subresource"]]);
}

/** The text of an object without generated values, so that similar objects sort together. */
function shapeOf(item: unknown): string {
  const metadata = isFields(item) && isFields(item["metadata"]) ? item["metadata"] : {};
  const madeUp = [String(metadata["name"]), ...hashesOf(metadata["labels"])];
  const text = JSON.stringify(item, (key, value: unknown) => (key === "resourceVersion" || key === "managedFields" ? "" : value));
  return madeUp
    .reduce((shape, word) => shape.replaceAll(word, ""), text)
    .replace(uuid, "")
    .replace(time, "")
    .replace(address, "");
}

import { fieldsAt, groupVersionOf, isFields, jsonTypeOf, listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { aggregateMessages, validateObjectMeta } from "../builtin/index.ts";

// Models apiextensions pkg/apiserver/conversion/webhook_converter.go

const group = "apiextensions.k8s.io";
const reviewVersions = ["v1", "v1beta1"];

/** The first version of conversion reviews that the webhook and the server both know. */
export function conversionReviewVersionOf(accepted: readonly string[]): string {
  return accepted.find((version) => reviewVersions.includes(version)) ?? "v1";
}

/** The kind of a review. */
export function conversionReviewKind(version: string): { readonly group: string; readonly version: string; readonly kind: string } {
  return { group, version, kind: "ConversionReview" };
}

/** The review that asks for objects in another version. Its versions have the same fields. */
export function conversionReviewFor(version: string, uid: string, desiredAPIVersion: string, objects: readonly KubeObject[]): Fields {
  return {
    kind: "ConversionReview",
    apiVersion: `${group}/${version}`,
    request: { uid, desiredAPIVersion, objects },
    response: { uid: "", convertedObjects: null, result: { metadata: {} } },
  };
}

/** Why a webhook has not converted. The message is what follows `conversion webhook for KIND `. */
export class ConversionError extends Error {}

/** The objects in a review that was answered. Throws a ConversionError. */
export function convertedObjectsIn(review: Fields, { version, uid }: { version: string; uid: string }): readonly unknown[] {
  const { response } = review;
  if (version === "v1") checkKind(review);
  if (!isFields(response)) throw new ConversionError("failed: no response provided");
  const answered = stringAt(response, "uid", "");
  if (version === "v1" && answered !== uid)
    throw new ConversionError(`failed: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(answered)}`);
  const [status, message] = [stringAt(response, "result.status", ""), stringAt(response, "result.message", "")];
  if (status !== "Success") throw new ConversionError(`failed: ${message || `response.result.status was '${status}', not 'Success'`}`);
  return listAt(response, "convertedObjects");
}

function checkKind({ apiVersion = "", kind = "" }: Fields): void {
  if (apiVersion === `${group}/v1` && kind === "ConversionReview") return;
  const [version, of = ""] = String(apiVersion).split("/").reverse();
  throw new ConversionError(
    `failed: expected webhook response of ${group}/v1, Kind=ConversionReview, got ${of}/${version}, Kind=${String(kind)}`,
  );
}

/** An object as a webhook has converted it: of its metadata only labels and annotations count. Throws a ConversionError. */
export function checkedConversion(original: KubeObject, converted: unknown, apiVersion: string): KubeObject {
  const object: Fields = isFields(converted) ? converted : {};
  const at = "returned invalid object at index 0";
  const received = stringAt(object, "apiVersion", "");
  if (received !== apiVersion) throw new ConversionError(`${at}: invalid groupVersion (expected ${apiVersion}, received ${received})`);
  const kind = stringAt(object, "kind", "");
  if (kind !== original.kind) throw new ConversionError(`${at}: invalid kind (expected ${original.kind}, received ${kind})`);
  for (const [what, field] of identity) {
    const [before, after] = [stringAt(original, field, ""), stringAt(object, field, "")];
    if (before !== after) throw new ConversionError(`returned invalid object: must have the same ${what}: ${before} != ${after}`);
  }
  return { ...object, apiVersion, kind, metadata: restoredMetadata(original, object) };
}

const identity = [
  ["name", "metadata.name"],
  ["namespace", "metadata.namespace"],
  ["UID", "metadata.uid"],
] as const;

function restoredMetadata({ metadata }: KubeObject, converted: Fields): KubeObject["metadata"] {
  if (!isFields(converted["metadata"])) throw invalidMetadata("missing metadata in converted object");
  const { labels: _labels, annotations: _annotations, ...kept } = metadata;
  const given = fieldsAt(converted, "metadata");
  const texts = { ...textsOf(given, "labels"), ...textsOf(given, "annotations") };
  const restored: KubeObject["metadata"] = { ...kept, ...texts };
  const wrong = validateObjectMeta({ apiVersion: "", kind: "", metadata: { name: "a", ...texts } }, { name: () => [], namespaced: false });
  if (wrong.length === 0) return restored;
  const messages = wrong.map(({ field, message }) => `${field}: ${message}`);
  throw invalidMetadata(aggregateMessages(messages));
}

function invalidMetadata(why: string): ConversionError {
  return new ConversionError(`returned invalid metadata: ${why}`);
}

function textsOf(metadata: Fields, field: "labels" | "annotations"): { readonly [field]?: Readonly<Record<string, string>> } {
  const given = metadata[field];
  if (given === undefined || given === null) return {};
  if (!isFields(given)) throw invalidMetadata(`invalid metadata.${field} of type ${goTypeOf(given)} in converted object`);
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== "string")
      throw invalidMetadata(`metadata.${field}[${key}] must be a string, but is ${goTypeOf(value)} in converted object`);
    texts[key] = value;
  }
  return { [field]: texts };
}

const goTypes: Readonly<Record<string, string>> = {
  array: "[]interface {}",
  boolean: "bool",
  object: "map[string]interface {}",
  null: "<nil>",
};

function goTypeOf(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  const type = jsonTypeOf(value);
  return goTypes[type] ?? type;
}

/** The kind of an object in the words of the server: `example.com/v1, Kind=Widget`. */
export function titleOfKindIn({ apiVersion, kind }: KubeObject): string {
  const { group: of, version } = groupVersionOf(apiVersion);
  return `${of}/${version}, Kind=${kind}`;
}

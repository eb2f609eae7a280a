import { isFields, type KubeObject } from "../../core/object/index.ts";

/**
 * A Secret with its `stringData` in `data`, where the server puts it. An apply of `stringData` owns no key of `data`, so
 * keys that left it would stay. Values that are no text are left for the server to refuse.
 * Models pkg/apis/core/v1/conversion.go Convert_v1_Secret_To_core_Secret
 */
export function withEncodedStringData(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object;
  if (object.apiVersion !== "v1" || object.kind !== "Secret" || stringData === undefined) return object;
  const { data } = rest;
  if (!isFields(stringData) || !(data === undefined || data === null || isFields(data))) return object;
  const encoded: [string, string][] = [];
  for (const [key, value] of Object.entries(stringData)) {
    if (typeof value !== "string") return object;
    encoded.push([key, Buffer.from(value, "utf8").toString("base64")]);
  }
  if (encoded.length === 0) return rest;
  return { ...rest, data: Object.fromEntries([...Object.entries(data ?? {}), ...encoded]) };
}

import { isExactInteger, isFields, ownField, type KubeObject } from "../../core/object/index.ts";

/** The live object, reduced to the fields of the manifest. Without a dry run, fields that the server defaults are no difference. */
export function narrowedTo(live: KubeObject, manifest: KubeObject): KubeObject {
  return { ...(narrowed(live, manifest) as KubeObject), apiVersion: live.apiVersion, kind: live.kind };
}

function narrowed(value: unknown, to: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(to)) return value.map((item, at) => (at < to.length ? narrowed(item, to[at]) : item));
  if (!isFields(value) || !isFields(to) || isExactInteger(value)) return value;
  return Object.fromEntries(
    Object.keys(to)
      .filter((name) => Object.hasOwn(value, name))
      .map((name) => [name, narrowed(ownField(value, name), ownField(to, name))]),
  );
}

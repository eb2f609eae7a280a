import { isExactInteger, isFields, ownField, type Fields, type KubeObject } from "../../core/object/index.ts";

/**
 * An object whose labels and annotations are made strings: a number or boolean as it is written, and others left out.
 * Undefined when it has no version, kind or name to be known by.
 */
export function repairedManifest(value: unknown): KubeObject | undefined {
  if (!isFields(value)) return undefined;
  const [apiVersion, kind, metadata] = ["apiVersion", "kind", "metadata"].map((name) => ownField(value, name));
  if (!isText(apiVersion) || !isText(kind) || !isFields(metadata)) return undefined;
  const { namespace, name, labels, annotations, ...others } = metadata;
  const known = textOf(name);
  if (known === undefined) return undefined;
  const home = textOf(namespace);
  return {
    ...value,
    apiVersion,
    kind,
    metadata: {
      ...others,
      name: known,
      ...(home === undefined ? {} : { namespace: home }),
      ...(isFields(labels) ? { labels: textsIn(labels) } : {}),
      ...(isFields(annotations) ? { annotations: textsIn(annotations) } : {}),
    },
  };
}

function textsIn(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => {
      const text = typeof value === "string" ? value : textOf(value);
      return text === undefined ? [] : [[key, text] as const];
    }),
  );
}

function textOf(value: unknown): string | undefined {
  if (isText(value)) return value;
  if (isExactInteger(value)) return value.rawJSON;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

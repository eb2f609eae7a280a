import { isFields, type KubeObject } from "../../core/object/index.ts";
import { compareTyped } from "./compare-typed.ts";
import { setDifference, type FieldSet } from "./field-set.ts";
import type { ManagedKind } from "./managed-kind.ts";
import { toFieldSet } from "./to-field-set.ts";
import { validateTyped } from "./validate-typed.ts";
import { fieldValueJson } from "./value.ts";

/** The annotation of client-side `kubectl apply`. */
const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** The size limit of all annotations of an object. */
const maxBytes = 256 * 1024;

/**
 * The fields that kubectl owns by client-side apply: those that it applied last and that have not changed since. Taking
 * them over is no conflict. Undefined without the annotation. Models internal/lastappliedmanager.go
 */
export function lastAppliedFields(live: KubeObject, { apiVersion, type }: ManagedKind): FieldSet | undefined {
  const text = live.metadata.annotations?.[annotation];
  const last = text === undefined || text === "" ? undefined : parse(text);
  if (!isFields(last) || last["apiVersion"] !== apiVersion) return undefined;
  if (validateTyped(live, type).length > 0 || validateTyped(last, type).length > 0) return undefined;
  const { removed, modified, added } = compareTyped(last, live, type);
  return setDifference(setDifference(setDifference(toFieldSet(last, type), modified), added), removed);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An annotation that is no JSON was not written by kubectl.
    return undefined;
  }
}

/** Updates the last-applied annotation of an object that has it. Models internal/lastappliedupdater.go */
export function withLastApplied(object: KubeObject, config: KubeObject): KubeObject {
  const annotations = object.metadata.annotations;
  if (annotations === undefined || annotations === null || (annotations[annotation] ?? "") === "") return object;
  const updated: Record<string, string> = { ...annotations, [annotation]: `${fieldValueJson(withoutLastApplied(config))}\n` };
  if (sizeOf(updated) > maxBytes) delete updated[annotation];
  return { ...object, metadata: { ...object.metadata, annotations: updated } };
}

function withoutLastApplied(config: KubeObject): KubeObject {
  const annotations = config.metadata.annotations;
  if (annotations === undefined || annotations === null) return config;
  const { [annotation]: _, ...others } = annotations;
  return { ...config, metadata: { ...config.metadata, annotations: others } };
}

function sizeOf(annotations: Readonly<Record<string, string>>): number {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const entry of Object.entries(annotations)) for (const text of entry) bytes += encoder.encode(text).length;
  return bytes;
}

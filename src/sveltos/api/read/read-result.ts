import { lineFor, type Problem } from "../../../core/fault/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { tenantKinds, tenantLabels } from "../label.ts";
import type { ReadIssues, Shape } from "../shape/index.ts";

/**
 * The result of reading an object of a user. `refused` names the fields that are set and not built. While there are any,
 * nothing may be deployed for the object.
 */
export type ReadResult<T> =
  | { readonly state: "read"; readonly value: T; readonly refused: readonly string[] }
  | { readonly state: "invalid"; readonly problems: readonly Problem[]; readonly refused: readonly string[] };

/** The failureMessage for the status of an object that must not be acted on; undefined: the object is valid. */
export function failureMessageOf(reading: ReadResult<unknown>): string | undefined {
  const problems = reading.state === "invalid" ? reading.problems.map(lineFor) : [];
  const refusal =
    reading.refused.length === 0 ? [] : [`not built into Sluice, therefore nothing is deployed: ${reading.refused.join(", ")}`];
  const all = [...problems, ...refusal];
  return all.length === 0 ? undefined : all.join("\n");
}

/** Reads an object's spec and normalizes it. `normal` may add further problems. */
export function readSpecWith<S, T>(object: KubeObject, spec: Shape<S>, normal: (spec: S, issues: ReadIssues) => T): ReadResult<T> {
  const issues: ReadIssues = { problems: [], refused: tenantFields(object) };
  const written = spec.read(object["spec"] ?? {}, "spec", issues);
  if (issues.problems.length > 0) return { state: "invalid", ...issues };
  const value = normal(written, issues);
  return issues.problems.length > 0 ? { state: "invalid", ...issues } : { state: "read", value, refused: issues.refused };
}

/** Maps the value of a valid result. */
export function mapReadResult<T, U>(reading: ReadResult<T>, change: (value: T) => U): ReadResult<U> {
  return reading.state === "read" ? { ...reading, value: change(reading.value) } : reading;
}

/** Refuses a tenant's objects of kinds that are not for tenants: they would get the controller's own rights. */
function tenantFields({ kind, metadata }: KubeObject): string[] {
  if (tenantKinds.has(kind)) return [];
  return tenantLabels.filter((label) => metadata.labels?.[label] !== undefined).map((label) => `metadata.labels[${label}]`);
}

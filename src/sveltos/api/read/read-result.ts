import { lineFor, type Problem } from "../../../core/fault/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { tenantLabels } from "../label.ts";
import type { ReadIssues, Shape } from "../shape/index.ts";

/**
 * What came of reading an object that a user wrote. `refused` names the fields that are set and not built; while there
 * are any, nothing may be deployed for the object, however well the rest reads.
 */
export type ReadResult<T> =
  | { readonly state: "read"; readonly value: T; readonly refused: readonly string[] }
  | { readonly state: "invalid"; readonly problems: readonly Problem[]; readonly refused: readonly string[] };

/** Why nothing may be done for an object, for its status; undefined when all is well. */
export function failureMessageOf(reading: ReadResult<unknown>): string | undefined {
  const problems = reading.state === "invalid" ? reading.problems.map(lineFor) : [];
  const refusal =
    reading.refused.length === 0 ? [] : [`not built into Sluice, therefore nothing is deployed: ${reading.refused.join(", ")}`];
  const all = [...problems, ...refusal];
  return all.length === 0 ? undefined : all.join("\n");
}

/** Reads an object's spec and turns it into a normal form. `normal` may note further problems. */
export function readSpecWith<S, T>(object: KubeObject, spec: Shape<S>, normal: (spec: S, issues: ReadIssues) => T): ReadResult<T> {
  const issues: ReadIssues = { problems: [], refused: tenantFields(object) };
  const written = spec.read(object["spec"] ?? {}, "spec", issues);
  if (issues.problems.length > 0) return { state: "invalid", ...issues };
  const value = normal(written, issues);
  return issues.problems.length > 0 ? { state: "invalid", ...issues } : { state: "read", value, refused: issues.refused };
}

/** The same reading with another value; what cannot be read stays what it is. */
export function mapReadResult<T, U>(reading: ReadResult<T>, change: (value: T) => U): ReadResult<U> {
  return reading.state === "read" ? { ...reading, value: change(reading.value) } : reading;
}

/**
 * Until tenants are held to what they were granted, an object that says it is a tenant's is refused: deploying it
 * with the controller's own rights would give the tenant all of them.
 */
function tenantFields({ metadata }: KubeObject): string[] {
  return tenantLabels.filter((label) => metadata.labels?.[label] !== undefined).map((label) => `metadata.labels[${label}]`);
}

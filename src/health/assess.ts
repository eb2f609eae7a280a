import { fieldsAt, groupVersionOf, numberAt, stringAt, valueAt, type KubeObject } from "../core/object/index.ts";
import { deletionText } from "./deletion-text.ts";
import { healthCheckFor, type HealthCheck } from "./health-checks.ts";
import { customResourceHealth } from "./custom-resource-health.ts";
import { progressingBecause, type Health, type KindFacts } from "./health.ts";

/** Assesses one object by itself, without a cluster or a clock. A missing status counts only for kinds that have one. */
export function assess(object: KubeObject, kind: KindFacts): Health {
  const { group } = groupVersionOf(stringAt(object, "apiVersion", ""));
  const ofItsKind = healthCheckFor(group, stringAt(object, "kind", ""));
  return terminating(object) ?? unobserved(object) ?? ofItsKind?.(object) ?? customResourceHealth(object, kind);
}

const terminating: HealthCheck = (object) => {
  if (typeof valueAt(object, "metadata.deletionTimestamp") !== "string") return undefined;
  return progressingBecause(deletionText(object));
};

/** The field names under which a status reports the observed generation. */
const observedNames = /^(last)?(observed|evaluated|reconciled|processed|handled|applied)Generation$/i;

/** A status of an older generation does not apply to this one. */
const unobserved: HealthCheck = (object) => {
  const generation = numberAt(object, "metadata.generation");
  if (generation === undefined) return undefined;
  const named = Object.entries(fieldsAt(object, "status")).filter(([name]) => observedNames.test(name));
  return named.some(([, value]) => isBelow(value, generation))
    ? progressingBecause(`generation ${generation} not yet observed`)
    : undefined;
};

/** Some controllers write the generation as text. A hash cannot be compared. */
function isBelow(value: unknown, generation: number): boolean {
  if (typeof value === "string") return /^\d+$/.test(value) && Number(value) < generation;
  return typeof value === "number" && value < generation;
}

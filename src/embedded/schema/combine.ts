import { merged, type Finding, type Outcome } from "./finding.ts";
import type { Place } from "./place.ts";
import type { Schema } from "./schema.ts";

/** allOf, anyOf, oneOf and not. Models kube-openapi pkg/validation/validate/schema_props.go */
export function checkCombinations(value: unknown, schema: Schema, place: Place): Outcome {
  const { path, tell, check } = place;
  // What has not changed is let pass by the schema around; inside of a combination every check counts.
  const tried = (schemas: readonly Schema[] = []) => schemas.map((one) => check(value, one, path, undefined));
  const parts = [anyOf(tried(schema.anyOf), place), oneOf(tried(schema.oneOf), place), allOf(tried(schema.allOf), place)];
  const matches = parts.reduce((total, part) => total + part.matches, 1);
  const forbidden = schema.not !== undefined && isValid(check(value, schema.not, path, undefined));
  const refused = forbidden ? [tell.combination(path, "must not validate the schema (not)")] : [];
  return { findings: merged(...parts.map((part) => part.findings), refused), matches };
}

const nothing: Outcome = { findings: [], matches: 0 };

function isValid(outcome: Outcome): boolean {
  return outcome.findings.length === 0;
}

/** The failure that came closest. */
function best(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((chosen, outcome) => (outcome.matches > chosen.matches ? outcome : chosen), outcomes[0] ?? nothing);
}

function told(finding: Finding, outcome: Outcome): Outcome {
  return { findings: merged([finding], outcome.findings), matches: outcome.matches };
}

function anyOf(outcomes: readonly Outcome[], { path, tell }: Place): Outcome {
  const success = outcomes.find(isValid);
  if (outcomes.length === 0 || success !== undefined) return success ?? nothing;
  return told(tell.combination(path, "must validate at least one schema (anyOf)"), best(outcomes));
}

function oneOf(outcomes: readonly Outcome[], { path, tell }: Place): Outcome {
  const [success, ...more] = outcomes.filter(isValid);
  if (outcomes.length === 0 || (success !== undefined && more.length === 0)) return success ?? nothing;
  const count = success === undefined ? "Found none valid" : `Found ${more.length + 1} valid alternatives`;
  const finding = tell.combination(path, `must validate one and only one schema (oneOf). ${count}`);
  return told(finding, success === undefined ? best(outcomes) : nothing);
}

function allOf(outcomes: readonly Outcome[], { path, tell }: Place): Outcome {
  const findings = outcomes.map((outcome) => outcome.findings);
  const matches = outcomes.reduce((total, outcome) => total + outcome.matches, 0);
  const valid = outcomes.filter(isValid).length;
  if (valid === outcomes.length) return { findings: [], matches };
  const finding = tell.combination(path, `must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`);
  return { findings: merged(...findings, [finding]), matches };
}

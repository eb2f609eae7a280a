import { callNested, type Nested } from "../../core/recursion/index.ts";
import { mergeFindings, type Finding, type FindingsResult } from "./finding.ts";
import type { CheckContext } from "./check-context.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** allOf, anyOf, oneOf and not. Models kube-openapi pkg/validation/validate/schema_props.go */
export function* checkCombinations(value: unknown, schema: JsonSchemaProps, context: CheckContext): Nested<FindingsResult> {
  const { path, report } = context;
  const parts = [
    anyOf(yield* tryEach(schema.anyOf, value, context), context),
    oneOf(yield* tryEach(schema.oneOf, value, context), context),
    allOf(yield* tryEach(schema.allOf, value, context), context),
  ];
  const matches = parts.reduce((total, part) => total + part.matches, 1);
  const [negation] = schema.not === undefined ? [] : yield* tryEach([schema.not], value, context);
  const forbidden = negation !== undefined && isValid(negation);
  const negated = forbidden ? [report.combination(path, "must not validate the schema (not)")] : [];
  return { findings: mergeFindings([...parts.map((part) => part.findings), negated]), matches };
}

/** Ratcheting applies to the surrounding schema; inside of a combination every check counts. */
function* tryEach(
  schemas: readonly JsonSchemaProps[] = [],
  value: unknown,
  { path, check }: CheckContext,
): Nested<readonly FindingsResult[]> {
  const outcomes: FindingsResult[] = [];
  for (const one of schemas) outcomes.push(yield* callNested(check(value, one, path, undefined)));
  return outcomes;
}

const nothing: FindingsResult = { findings: [], matches: 0 };

function isValid(outcome: FindingsResult): boolean {
  return outcome.findings.length === 0;
}

/** The failing alternative with the most matches. */
function best(outcomes: readonly FindingsResult[]): FindingsResult {
  return outcomes.reduce((chosen, outcome) => (outcome.matches > chosen.matches ? outcome : chosen), outcomes[0] ?? nothing);
}

function withFinding(finding: Finding, outcome: FindingsResult): FindingsResult {
  return { findings: mergeFindings([[finding], outcome.findings]), matches: outcome.matches };
}

function anyOf(outcomes: readonly FindingsResult[], { path, report }: CheckContext): FindingsResult {
  const success = outcomes.find(isValid);
  if (outcomes.length === 0 || success !== undefined) return success ?? nothing;
  return withFinding(report.combination(path, "must validate at least one schema (anyOf)"), best(outcomes));
}

function oneOf(outcomes: readonly FindingsResult[], { path, report }: CheckContext): FindingsResult {
  const [success, ...more] = outcomes.filter(isValid);
  if (outcomes.length === 0 || (success !== undefined && more.length === 0)) return success ?? nothing;
  const count = success === undefined ? "Found none valid" : `Found ${more.length + 1} valid alternatives`;
  const finding = report.combination(path, `must validate one and only one schema (oneOf). ${count}`);
  return withFinding(finding, success === undefined ? best(outcomes) : nothing);
}

function allOf(outcomes: readonly FindingsResult[], { path, report }: CheckContext): FindingsResult {
  const findings = outcomes.map((outcome) => outcome.findings);
  const matches = outcomes.reduce((total, outcome) => total + outcome.matches, 0);
  const valid = outcomes.filter(isValid).length;
  if (valid === outcomes.length) return { findings: [], matches };
  const finding = report.combination(path, `must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`);
  return { findings: mergeFindings([...findings, [finding]]), matches };
}

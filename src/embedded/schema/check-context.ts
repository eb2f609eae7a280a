import type { CorrelatedValue } from "./correlated-value.ts";
import type { FindingsResult, FindingReporter } from "./finding.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** Checks a value and all below it. */
export type SchemaCheck = (
  value: unknown,
  schema: JsonSchemaProps,
  path: string,
  correlated: CorrelatedValue | undefined,
) => FindingsResult;

/** The position of a check in a value, and the check for values below it. */
export type CheckContext = {
  readonly path: string;
  readonly correlated: CorrelatedValue | undefined;
  readonly report: FindingReporter;
  readonly check: SchemaCheck;
};

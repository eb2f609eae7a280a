import type { Nested } from "../../core/recursion/index.ts";
import type { CorrelatedValue } from "./correlated-value.ts";
import type { FindingsResult, FindingReporter } from "./finding.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** Checks a value and all below it. */
export type SchemaCheck = (
  value: unknown,
  schema: JsonSchemaProps,
  path: string,
  correlated: CorrelatedValue | undefined,
) => Nested<FindingsResult>;

/** The position of a check in a value, and the check for values below it. */
export type CheckContext = {
  readonly path: string;
  readonly correlated: CorrelatedValue | undefined;
  readonly report: FindingReporter;
  readonly check: SchemaCheck;
};

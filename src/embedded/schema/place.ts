import type { Earlier } from "./correlate.ts";
import type { Outcome, Teller } from "./finding.ts";
import type { Schema } from "./schema.ts";

/** Checks a value and all below it. */
export type Check = (value: unknown, schema: Schema, path: string, earlier: Earlier | undefined) => Outcome;

/** Where in a value a check stands, and how it goes on from there. */
export type Place = {
  readonly path: string;
  readonly earlier: Earlier | undefined;
  readonly tell: Teller;
  readonly check: Check;
};

/**
 * What a schema says of a value: which fields it does not know, what it adds, and what is wrong with it, in the words of
 * the API server. One walker for the structural schemas of custom resources and for the definitions of built-in kinds.
 *
 * Pure. It knows no store, no requests and not where schemas come from.
 */
export type { Schema, SchemaType, ValidationRule } from "./schema.ts";

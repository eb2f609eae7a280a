import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  fieldTypeInvalid,
} from "../field-error.ts";
import { sortKeys } from "./sort-keys.ts";

/** One error, and the text that identifies it. */
export type Finding = { readonly text: string; readonly error: FieldError };

/**
 * The result of checking a value. `matches` counts the checks that were possible: of several failing alternatives, the
 * one with most matches is reported. Models kube-openapi pkg/validation/validate/result.go
 */
export type FindingsResult = { readonly findings: readonly Finding[]; readonly matches: number };

/** Findings without duplicates. */
export function mergeFindings(lists: readonly (readonly Finding[])[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const finding of lists.flat()) if (!found.has(finding.text)) found.set(finding.text, finding);
  return [...found.values()];
}

/**
 * Builds findings for a path inside of the checked value; `at` is the path of that value. Models kube-openapi
 * pkg/validation/errors/schema.go
 */
export type FindingReporter = {
  wrongType(path: string, type: string, found: string): Finding;
  missing(path: string): Finding;
  unsupported(path: string, value: unknown, supported: readonly unknown[]): Finding;
  tooLong(path: string, max: number): Finding;
  tooManyItems(path: string, max: number, size: number): Finding;
  tooManyProperties(path: string, max: number, size: number): Finding;
  invalid(path: string, value: unknown, what: string): Finding;
  forbiddenProperty(path: string, name: string): Finding;
  badFactor(path: string, factor: number): Finding;
  /** About a combination of schemas: reported at the root, with the path in the message. */
  combination(path: string, what: string): Finding;
};

export function findingReporterAt(at: string): FindingReporter {
  const field = (path: string) => {
    const name = path.startsWith(".") ? path.slice(1) : path;
    if (name === "") return at === "" ? "<nil>" : at;
    return at === "" ? name : `${at}.${name}`;
  };
  const about = (path: string, what: string, make: (field: string, sentence: string) => FieldError): Finding => {
    const text = `${path} in body ${what}`;
    return { text, error: make(field(path), text) };
  };
  return {
    wrongType: (path, type, found) =>
      about(path, `must be of type ${type}: ${JSON.stringify(found)}`, (name, text) => fieldTypeInvalid(name, found, text)),
    missing: (path) => about(path, "is required", (name) => fieldRequired(name)),
    unsupported: (path, value, supported) =>
      about(path, `should be one of ${JSON.stringify(supported)}`, (name) => {
        const values = supported.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
        return fieldNotSupported(name, sortKeys(value), values);
      }),
    tooLong: (path, max) => about(path, `should be at most ${max} chars long`, (name) => fieldTooLong(name, max)),
    tooManyItems: (path, max, size) => about(path, `should have at most ${max} items`, (name) => fieldTooMany(name, size, max)),
    tooManyProperties: (path, max, size) => about(path, `should have at most ${max} properties`, (name) => fieldTooMany(name, size, max)),
    invalid: (path, value, what) => about(path, what, (name, text) => fieldInvalid(name, value, text)),
    forbiddenProperty: (path, name) => {
      const text = `${path}.${name} in body is a forbidden property`;
      return { text, error: fieldInvalid(field(path), name, text) };
    },
    badFactor: (path, factor) => {
      const text = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
      return { text, error: fieldInvalid(field(path), factor, text) };
    },
    combination: (path, what) => {
      const text = `${JSON.stringify(path)} ${what}`;
      return { text, error: fieldInvalid(field(""), "", text) };
    },
  };
}

import { Fault } from "../fault/index.ts";

type FieldRequirement = { readonly field: string; readonly operator: "=" | "!="; readonly value: string };

/**
 * A parsed field selector. `matches` takes the values of the fields that the kind supports. A missing field counts as
 * empty, so callers check `requirements` first and refuse unknown fields.
 */
type FieldSelector = {
  readonly requirements: readonly FieldRequirement[];
  readonly matches: (fields: Readonly<Record<string, string>>) => boolean;
};

/** Parses `metadata.name=web,status.phase!=Running`. `\,`, `\=` and `\\` are escapes in a value. Throws a Fault in Kubernetes' words. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = termsOf(text)
    .toSorted()
    .filter((term) => term !== "");
  // A term with neither field nor value selects everything.
  const requirements = terms.map((term) => parseTerm(term, text)).filter(({ field, value }) => field !== "" || value !== "");
  return {
    requirements,
    matches: (fields) => requirements.every(({ field, operator, value }) => (valueOf(fields, field) === value) === (operator === "=")),
  };
}

/** Formats the selector so that it parses to the same selector. */
export function fieldSelectorText({ requirements }: FieldSelector): string {
  return requirements.map(({ field, operator, value }) => field + operator + escapeFieldValue(value)).join(",");
}

/** Escapes a value for a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, "\\$&");
}

/** The value that the selector requires of a field, if it requires one. */
export function exactField({ requirements }: FieldSelector, field: string): string | undefined {
  return requirements.find((term) => term.field === field && term.operator === "=")?.value;
}

function valueOf(fields: Readonly<Record<string, string>>, field: string): string {
  return Object.hasOwn(fields, field) ? fields[field]! : "";
}

function termsOf(text: string): string[] {
  const terms: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === ",") {
      terms.push(text.slice(from, at));
      from = at + 1;
    }
  }
  terms.push(text.slice(from));
  return terms;
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const operator = /!=|==?/.exec(term);
  if (operator === null) throw refusal(`invalid selector: '${selector}'; can't understand '${term}'`);
  const value = unescape(term.slice(operator.index + operator[0].length));
  return { field: term.slice(0, operator.index), operator: operator[0] === "!=" ? "!=" : "=", value };
}

function unescape(text: string): string {
  return text.replaceAll(/\\([^]?)|[,=]/gu, (found, escaped: string | undefined) => {
    // The server prints the code of the character here.
    if (escaped === undefined) throw refusal(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    if (escaped === "" || !"\\,=".includes(escaped)) throw refusal(`invalid field selector: invalid escape sequence: ${found}`);
    return escaped;
  });
}

function refusal(message: string): Fault {
  return new Fault(message, undefined, { final: true });
}

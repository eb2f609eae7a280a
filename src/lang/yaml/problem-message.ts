import type { YamlFault } from "./yaml-fault.ts";

/** Advice for go-yaml's errors. */
const advice: Readonly<Record<string, string>> = {
  "mapping values are not allowed in this context": "expected the keys of one object in one column, and a value with ': ' in it in quotes",
  "did not find expected key": "expected the keys of one object in one column",
  "could not find expected ':'": "expected a key with ': ' behind it, and the lines of a value to be indented more than its key",
  "did not find expected '-' indicator": "expected the items of one list in one column, each with '- ' before it",
  "block sequence entries are not allowed in this context": "expected a list to begin on a line of its own",
  "did not find expected ',' or ']'": "expected a comma between items, and every bracket to be closed",
  "did not find expected ',' or '}'": "expected a comma between fields, and every brace to be closed",
  "did not find expected node content": "expected a value",
  "found unexpected end of stream": "expected the closing quote",
  "found unexpected document indicator": "expected the closing quote before it",
  "found a tab character that violates indentation": "expected spaces",
  "found a tab character where an indentation space is expected": "expected spaces",
  "found unknown escape character": "expected one of YAML's escapes after a backslash, or single quotes",
  "control characters are not allowed": "expected text",
};

/** The message for the author of a file: go-yaml's error and what was expected. */
export function problemMessage({ problem, character }: YamlFault): string {
  if (problem === "found character that cannot start any token")
    return character === "\t" ? "a tab stands in the indent; expected spaces" : `a value begins with ${character}; expected it in quotes`;
  if (problem === "did not find expected <document start>")
    return "something follows that does not belong to the value before; expected the end of the document or ---";
  const expected = advice[problem];
  return expected === undefined ? problem : `${problem}; ${expected}`;
}

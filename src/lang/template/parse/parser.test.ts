import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { nodeText } from "./node-text.ts";
import { parseText } from "./parser.ts";
import { ParseError } from "./token-reader.ts";

const names = new Set(["f", "printf", "and"]);

function reprinted(text: string): string {
  return nodeText(parseText("t", text, (name) => names.has(name)).main.root);
}

/** From Go's own tests of its parser, and as Go prints them. */
const trees: readonly (readonly [string, string])[] = [
  ["", ""],
  ["{{/*\n\n\n*/}}", ""],
  [" \t\n", " \t\n"],
  ["{{.X}}", "{{.X}}"],
  ["{{  f   .X 1   |printf}}", "{{f .X 1 | printf}}"],
  ["{{.X.Y.Z}}{{$ }}{{$.I}}", "{{.X.Y.Z}}{{$}}{{$.I}}"],
  ["{{$x:=.A}}{{$x}}{{$x   =  2}}", "{{$x := .A}}{{$x}}{{$x = 2}}"],
  ["{{(.Y .Z).W | printf `%d`}}", "{{(.Y .Z).W | printf `%d`}}"],
  ["{{f.X (1).Y (nil) (.).Z}}", "{{f.X (1).Y (nil) (.).Z}}"],
  ["{{if .X}}a{{else if .Y}}b{{else}}c{{end}}", "{{if .X}}a{{else}}{{if .Y}}b{{else}}c{{end}}{{end}}"],
  ["{{with .X}}a{{else with .Y}}b{{end}}", "{{with .X}}a{{else}}{{with .Y}}b{{end}}{{end}}"],
  ["{{range $i,$e:=.SI}}{{break}}{{continue}}{{else}}e{{end}}", "{{range $i, $e := .SI}}{{break}}{{continue}}{{else}}e{{end}}"],
  ['{{template `x` .Y}}{{template "z"}}', '{{template "x" .Y}}{{template "z"}}'],
  ["x \r\n\t{{- 3 -}}\n\n\ny", "x{{3}}y"],
  ["{{-3}}{{- -3 -}} x", "{{-3}}{{-3}}x"],
  ["a {{- /* hi */ -}} b", "ab"],
  ["{{printf `%d` 23 0x1p4 'a' 1+2i 1_000 .5 true}}", "{{printf `%d` 23 0x1p4 'a' 1+2i 1_000 .5 true}}"],
  ['{{block "foo" .}}hello{{end}}', '{{template "foo" .}}'],
  ["{{f\n1\n}}", "{{f 1}}"],
  ["{{.X | }}", "{{.X}}"],
];

test("trees print as Go prints them", () => {
  for (const [text, expected] of trees) assert.equal(reprinted(text), expected, text);
});

/** Go 1.26's messages. */
const broken: readonly (readonly [string, string])[] = [
  ["{{", "t:1: unclosed action"],
  ["a\n{{ .X\n", "t:3: unclosed action started at t:2"],
  ["{{f 'a", "t:1: unterminated character constant"],
  ['{{"a\n"}}', "t:1: unterminated quoted string"],
  ["{{`a", "t:1: unterminated raw quoted string"],
  ["{{/*", "t:1: unclosed comment"],
  ["{{/* a */ }}", "t:1: comment ends before closing delimiter"],
  ["{{ /* a */}}", 't:1: unexpected "/" in command'],
  ["{{.a-b}}", "t:1: bad character U+002D '-'"],
  ["{{$x}}", 't:1: undefined variable "$x"'],
  ["{{if .X}}{{$x := 1}}{{end}}{{$x}}", 't:1: undefined variable "$x"'],
  ["{{nope}}", 't:1: function "nope" not defined'],
  ["{{break}}", "t:1: {{break}} outside {{range}}"],
  ["{{if}}{{end}}", "t:1: missing value for if"],
  ["{{end}}", "t:1: unexpected {{end}}"],
  ["{{else}}", "t:1: unexpected {{else}}"],
  ["{{if .X}}a", "t:1: unexpected EOF"],
  ["{{if .X}}a{{else}}b{{else}}c{{end}}", "t:1: expected end; found {{else}}"],
  ["{{1 | 2}}", "t:1: non executable command in pipeline stage 2"],
  ["{{(f}}", "t:1: unclosed left paren"],
  ["{{f)}}", "t:1: unexpected right paren"],
  ["{{1.E}}", 't:1: illegal number syntax: "1.E"'],
  ["{{0x}}", 't:1: illegal number syntax: "0x"'],
  ["{{08}}", 't:1: integer overflow: "08"'],
  ["{{1a}}", 't:1: bad number syntax: "1a"'],
  ['{{"\\q"}}', "t:1: invalid syntax"],
  ["{{''}}", "t:1: invalid syntax"],
  ["{{'ab'}}", "t:1: malformed character constant: 'ab'"],
  ['{{"a".x}}', 't:1: unexpected . after term "\\"a\\""'],
  ["{{range $a, $b, $c := .X}}{{end}}", "t:1: too many declarations in range"],
  ["{{$a, $b := .X}}", "t:1: too many declarations in command"],
  ["{{range $a, 1 := .X}}{{end}}", "t:1: range can only initialize variables"],
  ["{{define f}}{{end}}", 't:1: unexpected "f" in define clause'],
  ['{{define "a"}}b', "t:1: unexpected EOF"],
  ['{{if .X}}{{define "a"}}{{end}}{{end}}', "t:1: unexpected <define> in command"],
  ["{{template f}}", 't:1: unexpected "f" in template clause'],
  ["{{f é#}}", "t:1: bad character U+0023 '#'"],
  ["{{f \u0001}}", "t:1: unrecognized character in action: U+0001"],
];

test("parse errors are Go's", () => {
  for (const [text, expected] of broken) {
    assert.throws(() => reprinted(text), new ParseError(`template: ${expected}`), text);
  }
});

test("a function may be called break or continue", () => {
  assert.equal(nodeText(parseText("t", "{{break 1}}", () => true).main.root), "{{break 1}}");
});

test("any text parses or fails with a line", () => {
  const pieces = fc.constantFrom(
    "{{",
    "}}",
    "{{- ",
    " -}}",
    "if ",
    "else",
    "end",
    "range ",
    "$x",
    ":=",
    ".a",
    "f",
    '"',
    "`",
    "(",
    ")",
    "|",
    "1",
    "é",
    " ",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
      try {
        const printed = reprinted(parts.join(""));
        assert.equal(typeof printed, "string");
      } catch (error) {
        assert.ok(error instanceof ParseError, String(error));
        assert.match(error.message, /^template: t:\d+: /);
      }
    }),
  );
});

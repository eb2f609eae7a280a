import assert from "node:assert/strict";
import test from "node:test";
import { Engine, GoMap, LimitError } from "../../lang/template/index.ts";
import { helmContext } from "../../../test/support/template/helm-context.ts";
import { helmFunctions, renderTemplates, type RenderTemplatesOptions } from "./index.ts";

const environment = { now: () => 0, randomBytes: (count: number) => new Uint8Array(count) };
const path = "t/templates/x.yaml";

/** Each asks for gigabytes, or for minutes, with few words. */
const hostile: Readonly<Record<string, string>> = {
  "turns of a loop": "{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}",
  "turns over a number": "{{ range 9000000000000000 }}{{ end }}",
  "templates that call two each":
    "{{ define `a` }}{{ if . }}{{ template `a` (rest .) }}{{ template `a` (rest .) }}{{ end }}{{ end }}{{ template `a` (until 60) }}",
  "includes of two each":
    "{{ define `a` }}{{ if . }}{{ include `a` (rest .) }}{{ include `a` (rest .) }}{{ end }}{{ end }}{{ include `a` (until 60) }}",
  "a text that doubles": "{{ $x := `aaaaaaaa` }}{{ range until 40 }}{{ $x = printf `%s%s` $x $x }}{{ end }}",
  "an output that grows": "{{ $x := repeat 100000 `a` }}{{ range until 100000 }}{{ print $x }}{{ end }}",
  repeat: "{{ repeat 200000000 `a` }}",
  "repeat in a list": "{{ $l := list }}{{ range until 1000 }}{{ $l = append $l (repeat 1000000 `a` | upper) }}{{ end }}",
  indent: "{{ indent 100000 (repeat 1000 `\n`) }}",
  nindent: "{{ nindent 100000 (repeat 1000 `\n`) }}",
  replace: "{{ replace `a` (repeat 10000 `b`) (repeat 10000 `a`) }}",
  "replace of nothing": "{{ replace `` (repeat 10000 `b`) (repeat 10000 `a`) }}",
  "replace of what is almost there": "{{ replace (print `b` (repeat 200000 `a`)) `` (repeat 400000 `a`) }}",
  contains: "{{ $x := repeat 400000 `a` }}{{ range until 100 }}{{ contains (print `b` (repeat 100000 `a`)) $x }}{{ end }}",
  wrapWith: "{{ wrapWith 1 (repeat 10000 `b`) (repeat 10000 `a`) }}",
  join: "{{ join (repeat 10000 `b`) (until 10000) }}",
  "join of one text many times":
    "{{ $x := repeat 1000000 `a` }}{{ join `` (list $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x $x) }}",
  split: "{{ $x := repeat 2000000 `a,` }}{{ (split `,` $x) | len }}",
  splitn: "{{ $x := repeat 2000000 `a,` }}{{ (splitn `,` 3000000 $x) | len }}",
  "splitList of nothing": "{{ $x := repeat 2000000 `a` }}{{ splitList `` $x | len }}",
  trimAll: "{{ $x := repeat 3000000 `é€` }}{{ trimAll $x $x }}",
  "printf widths": "{{ printf (repeat 1000 `%900000[1]d`) 1 }}",
  "print of lists in lists": "{{ $x := list 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ print $x }}",
  "quote of maps in maps": "{{ $x := dict }}{{ range until 40 }}{{ $x = dict `a` $x `b` $x }}{{ end }}{{ quote $x }}",
  "output of lists in lists": "{{ $x := list 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ $x }}",
  toJson: "{{ $x := list 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}",
  toPrettyJson: "{{ $x := list 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ toPrettyJson $x }}",
  toRawJson: "{{ $x := list 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ toRawJson $x }}",
  toYaml: "{{ $x := list 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ toYaml $x }}",
  toYamlPretty: "{{ $x := dict }}{{ range until 40 }}{{ $x = dict `a` $x `b` $x }}{{ end }}{{ toYamlPretty $x }}",
  "toYaml of depth": "{{ $x := dict `a` 1 }}{{ range until 9000 }}{{ $x = dict `a` $x `b` 1 }}{{ end }}{{ toYaml $x }}",
  toToml: "{{ $x := dict `a` 1 }}{{ range until 40 }}{{ $x = dict `a` $x `b` $x }}{{ end }}{{ toToml $x }}",
  "toToml of lists": "{{ $x := list 1 }}{{ range until 40 }}{{ $x = list $x $x }}{{ end }}{{ toToml (dict `a` $x) }}",
  deepCopy: "{{ $x := dict }}{{ range until 40 }}{{ $x = dict `a` $x `b` $x }}{{ end }}{{ deepCopy $x | len }}",
  merge:
    "{{ $x := dict }}{{ $y := dict }}{{ range until 40 }}{{ $x = dict `a` $x `b` $x }}{{ $y = dict `a` $y `b` $y }}{{ end }}{{ merge $x $y | len }}",
  mergeOverwrite:
    "{{ $x := dict }}{{ $y := dict }}{{ range until 40 }}{{ $x = dict `a` $x `b` $x }}{{ $y = dict `a` $y `b` $y }}{{ end }}{{ mergeOverwrite $x $y | len }}",
  fromYaml: "{{ fromYaml (printf `a: [%s]` (repeat 2000000 `1,`)) | len }}",
  fromYamlArray: "{{ fromYamlArray (printf `[%s]` (repeat 2000000 `1,`)) | len }}",
  "fromYaml of aliases":
    "{{ $t := `a: &a [x,x,x,x,x,x,x,x,x]` }}{{ range until 12 }}{{ $t = printf `%s\n%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]` $t (add 98 . | int) (add 98 . | int) (add 97 . | int) (add 97 . | int) (add 97 . | int) (add 97 . | int) (add 97 . | int) (add 97 . | int) (add 97 . | int) (add 97 . | int) }}{{ end }}{{ fromYaml $t | toJson }}{{ fail `aliases` }}",
  fromJson: '{{ fromJson (printf `{"a":[%s1]}` (repeat 2000000 `1,`)) | len }}',
  fromJsonArray: "{{ fromJsonArray (printf `[%s1]` (repeat 2000000 `1,`)) | len }}",
  fromToml: "{{ fromToml (printf `a=[%s1]` (repeat 2000000 `1,`)) | len }}",
  "tpl of a long text": "{{ tpl (repeat 1000000 `{{ 1 }}`) . }}",
  "tpl in tpl":
    '{{ define `a` }}{{ if . }}{{ tpl `{{ include "a" (rest .) }}{{ include "a" (rest .) }}` . }}{{ end }}{{ end }}{{ include `a` (until 60) }}',
  until: "{{ until 9000000 | len }}",
  untilStep: "{{ untilStep 0 9000000 1 | len }}",
  "untilStep near the end of int64": "{{ untilStep 9223372036850000000 9223372036854000000 1 | len }}",
  seq: "{{ seq 9000000 }}",
  uniq: "{{ uniq (until 400000) | len }}",
  without: "{{ $l := until 1000 }}{{ range until 1000000 }}{{ without $l 1 2 3 | len }}{{ end }}",
  has: "{{ $l := until 10000 }}{{ range until 1000000 }}{{ has -1 $l }}{{ end }}",
  "has of long texts":
    "{{ $l := list }}{{ range until 100 }}{{ $l = append $l (print (repeat 10000 `a`) .) }}{{ end }}{{ $x := print (repeat 10000 `a`) `xx` }}{{ range until 100000 }}{{ has $x $l }}{{ end }}",
  "append to a list": "{{ $l := list }}{{ range until 1000000 }}{{ $l = append $l . }}{{ end }}",
  prepend: "{{ $l := list }}{{ range until 1000000 }}{{ $l = prepend $l . }}{{ end }}",
  concat: "{{ $l := until 100 }}{{ range until 40 }}{{ $l = concat $l $l }}{{ end }}",
  chunk: "{{ range until 100000 }}{{ chunk 1 (until 100000) | len }}{{ end }}",
  reverse: "{{ $l := until 100000 }}{{ range until 100000 }}{{ reverse $l | len }}{{ end }}",
  sortAlpha: "{{ $l := until 100000 }}{{ range until 100000 }}{{ sortAlpha $l | len }}{{ end }}",
  "keys of a map":
    "{{ $d := dict }}{{ range until 10000 }}{{ $_ := set $d (print .) . }}{{ end }}{{ range until 100000 }}{{ keys $d | len }}{{ end }}",
  "values of a map that changes":
    "{{ $d := dict }}{{ range until 10000 }}{{ $_ := set $d (print .) . }}{{ end }}{{ range until 100000 }}{{ $_ := set $d `x` . }}{{ $_ := unset $d `x` }}{{ values $d | len }}{{ end }}",
  omit: "{{ $d := dict }}{{ range until 10000 }}{{ $_ := set $d (print .) . }}{{ end }}{{ range until 100000 }}{{ omit $d `x` | len }}{{ end }}",
  "range over a map":
    "{{ $d := dict }}{{ range until 10000 }}{{ $_ := set $d (print .) . }}{{ end }}{{ range until 100000 }}{{ range $d }}{{ break }}{{ end }}{{ end }}",
  randAlphaNum: "{{ randAlphaNum 100000000 | len }}",
  randAscii: "{{ randAscii 100000000 | len }}",
  randBytes: "{{ randBytes 2000000000 | len }}",
  shuffle: "{{ shuffle (repeat 1000000 `a`) | len }}",
  genCA: "{{ range until 100000 }}{{ $c := genCA `x` 1 }}{{ end }}",
  genSelfSignedCert: "{{ range until 100000 }}{{ $c := genSelfSignedCert `x` nil nil 1 }}{{ end }}",
  genPrivateKey: "{{ range until 100000 }}{{ $c := genPrivateKey `rsa` }}{{ end }}",
  derivePassword: "{{ range until 100000 }}{{ $c := derivePassword 1 `long` `a` `b` `c` }}{{ end }}",
  bcrypt: "{{ range until 100000 }}{{ $c := bcrypt `a` }}{{ end }}",
  htpasswd: "{{ range until 100000 }}{{ $c := htpasswd `a` `b` }}{{ end }}",
  sha256sum: "{{ $x := repeat 1000000 `a` }}{{ range until 100000 }}{{ sha256sum $x }}{{ end }}",
  b64enc: "{{ $x := repeat 1000000 `a` }}{{ range until 100000 }}{{ b64enc $x | len }}{{ end }}",
  b32enc: "{{ $x := repeat 100000 `a` }}{{ range until 100000 }}{{ b32enc $x | len }}{{ end }}",
  snakecase: "{{ $x := repeat 100000 `aA` }}{{ range until 100000 }}{{ snakecase $x | len }}{{ end }}",
  "regexReplaceAll that grows": "{{ regexReplaceAll `a` (repeat 10000 `a`) (repeat 10000 `b`) | len }}",
  "regexReplaceAll with groups that grow": "{{ regexReplaceAll `(a+)` (repeat 100000 `a`) (repeat 10000 `$1`) | len }}",
  "regexReplaceAllLiteral by the library": "{{ regexReplaceAllLiteral `a*` (repeat 10000 `a`) (repeat 10000000 `b`) | len }}",
  "a regular expression of many instructions": "{{ regexMatch (repeat 10 `[a-z]{0,900}`) (repeat 100000 `a`) }}{{ fail `regex` }}",
  "regexMatch by the library": "{{ $x := repeat 1000000 `a` }}{{ range until 1000 }}{{ regexMatch `(a|aa)+$b` $x }}{{ end }}",
  regexFindAll: "{{ regexFindAll `a` (repeat 1000000 `a`) -1 | len }}",
  regexSplit: "{{ regexSplit `a` (repeat 1000000 `a`) -1 | len }}",
  "Files.Glob": "{{ $x := repeat 1000000 `*a` }}{{ range until 1000 }}{{ $.Files.Glob $x | len }}{{ end }}",
};

/** A small part of what a chart may cost: that each function charges for what it does is seen sooner. */
const limits = { cost: 2 ** 21 };

for (const how of ["interpreted", "compiled"] as const) {
  const engine = new Engine(helmFunctions(environment), { compileAfter: how === "compiled" ? 0 : Infinity });
  const render = (text: string, options: RenderTemplatesOptions): string | undefined =>
    renderTemplates(engine, new Map([[path, { text, context: helmContext(new GoMap()), basePath: "t/templates" }]]), options).get(path);

  test(`templates that ask for too much end soon, ${how}`, () => {
    for (const [what, text] of Object.entries(hostile)) {
      const before = process.memoryUsage.rss();
      const startedAt = process.cpuUsage();
      assert.throws(
        () => render(text, { limits }),
        (error) => saysWhere(error, what),
        what,
      );
      const { user, system } = process.cpuUsage(startedAt);
      // Each takes some ten milliseconds; the bounds are those of a machine that is busy otherwise.
      assert.ok(user + system < 5e6, `${what} took ${(user + system) / 1000} ms`);
      assert.ok(process.memoryUsage.rss() - before < 2 ** 28, `${what} took ${process.memoryUsage.rss() - before} bytes`);
    }
  });

  test(`a random number below any limit is found, ${how}`, () => {
    assert.equal(render("{{ randInt 0 4611686018427387904 }} {{ randInt -5 -4 }} {{ randInt 0 281474976710657 }}", {}), "0 -5 0");
  });
}

/** Limits are told with the file and the line. What Helm itself refuses is as well. */
function saysWhere(error: unknown, what: string): boolean {
  assert.ok(error instanceof Error, what);
  if (error instanceof LimitError)
    assert.match(error.message, /^t\/templates\/x\.yaml(:\d+:\d+)?: .*takes more than the 2097152 bytes/, what);
  return true;
}

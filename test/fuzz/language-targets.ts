/** Languages: their parsers, and the engines that run them. */
import { readValues } from "../../src/chart/index.ts";
import { findValues } from "../../src/core/object/index.ts";
import { parseQuantity } from "../../src/embedded/builtin/quantity.ts";
import { compileCel } from "../../src/lang/cel/index.ts";
import { parseIpAddress } from "../../src/lang/ip/index.ts";
import { compileLua } from "../../src/lang/lua/index.ts";
import { regexOf } from "../../src/lang/re2/index.ts";
import { parseConstraint, parseVersion, satisfies } from "../../src/lang/semver/index.ts";
import { parseJson } from "../../src/lang/sprig/index.ts";
import { parseGoDuration } from "../../src/lang/sprig/time/duration.ts";
import { Engine } from "../../src/lang/template/index.ts";
import { readToml } from "../../src/lang/toml/index.ts";
import { readManifests, readYaml, writeYaml } from "../../src/lang/yaml/index.ts";
import { parseDuration } from "../../src/release/order/parse-duration.ts";
import { helmFunctions, renderTemplates } from "../../src/release/render/index.ts";
import { helmContext } from "../support/template/helm-context.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { attempt, configMap, filesAt, manifests, pod, words, yamlTokens } from "./seed-inputs.ts";

const environment = { now: () => 0, randomBytes: (count: number) => new Uint8Array(count) };
const engine = new Engine(helmFunctions(environment), { compileAfter: 2 });
const functions = Object.keys(helmFunctions(environment)).filter((name) => !/^gen|bcrypt|htpasswd|derivePassword/.test(name));

function render(text: string): string | undefined {
  const path = "t/templates/x.yaml";
  const values = readValues("a: {b: c}");
  const template = { text, context: helmContext(values), basePath: "t/templates" };
  return renderTemplates(engine, new Map([[path, template]]), { limits: { cost: 2 ** 20 } }).get(path);
}

export const languageTargets: Readonly<Record<string, FuzzTarget>> = {
  yaml: {
    seeds: manifests,
    tokens: yamlTokens,
    run: (input) => {
      readManifests(input, "f");
      return readYaml(writeYaml(readYaml(input, "f")), "written");
    },
  },
  json: {
    seeds: ['{"a":[1,2.5e3,"\\u00e9",null,true]}', configMap],
    tokens: words('{ } [ ] : , "a" 1e9 \\u'),
    run: parseJson,
  },
  toml: {
    seeds: ['a = 1\n[b]\nc = [1, 2]\n[[d]]\ne = """x"""\nf = 1979-05-27T07:32:00Z\n'],
    tokens: words(`[ ] [[ = . """ ' 1979-05-27 0o7 inf { }`),
    run: readToml,
  },
  template: {
    seeds: [
      "{{ range $i, $x := until 3 }}{{ $i }}: {{ $x | quote }}{{ else }}none{{ end }}",
      '{{ define "a" }}{{ . }}{{ end }}{{ include "a" .Values | nindent 2 }}{{ with .Values.a }}{{ .b }}{{ end }}',
      "{{- if and .Values.a (eq 1 1) -}}{{ toYaml .Values }}{{- else if not .Release.Name }}{{ break }}{{ end -}}",
      "{{ $d := dict `a` (list 1 2) }}{{ $_ := set $d `b` 1.5 }}{{ printf `%05d %v %q %x` 3 $d `s` 255 }}",
      "{{ regexReplaceAll `(a+)` `aab` `$1` }}{{ splitList `,` `a,b` | join `-` | b64enc | b64dec }}{{ tpl `{{ . }}` 1 }}",
      ...filesAt("examples/**/templates/*", 10),
    ],
    tokens: [
      ...words("{{ }} {{- -}} range end else if with define template block include $ $x := = | . .Values ( ) `a` 1 -1 1.5 nil /* */"),
      ...functions,
    ],
    run: render,
  },
  sprig: {
    seeds: functions.map((name) => `{{ ${name} }}`),
    tokens: [
      ...words("`a` `` 1 -1 0 1.5 9223372036854775807 nil true (list) (dict) . .Values (now) `2006-01-02` `%` `1h` `[` `a.b` `-1`"),
      "(list 1 `a`)",
      "(dict `a` 1)",
      "(until 3)",
    ],
    run: (input) => {
      // A function and its arguments.
      const [name = "", ...words] = input.replaceAll(/[{}]/g, "").trim().split(/\s+/);
      return render(`{{ ${functions.includes(name) ? name : functions[input.length % functions.length]} ${words.join(" ")} }}`);
    },
  },
  lua: {
    seeds: [
      "function evaluate()\n  hs = {}\n  hs.matching = false\n  for k, v in pairs(obj or {}) do if k == 'a' then hs.matching = true end end\n  return hs\nend\nreturn evaluate()",
      "local t = setmetatable({}, {__index = function(t, k) return k .. 'x' end}) return t.a, #t, ('x'):rep(3), string.format('%5.2f %s', 1.5, nil)",
      "local s = ('a,b,c'):gsub('(%w),', '%1;') return s, select('#', 1, 2), tostring(1e15), tonumber('0x10'), table.concat({1, 2}, ',')",
      "goto a ::a:: local co = coroutine.wrap(function(...) for i = 1, 3 do coroutine.yield(i) end end) return co(), co(), pcall(error, {1})",
      "return string.find('abc', '%f[%w]%w+', 1), string.byte('a', 1, -1), math.floor(1.5), os.date('!%c', 0), unpack({1, 2}), table.sort({3, 1})",
    ],
    tokens: [
      ...words(
        "function end local if then else for in do while repeat until return break goto ::a:: nil .. ... == ~= { } ( ) [[ ]] -- pcall error string.find string.gsub string.format setmetatable %b() %f[ [^ coroutine.yield() table.concat table.insert unpack loadstring 1e308 0/0 -1",
      ),
      "string.rep('a', 99)",
    ],
    run: (input) => compileLua(input).run({ limits: { steps: 100_000, memory: 8 << 20 } }),
  },
  cel: {
    seeds: [
      'resource.metadata.name.endsWith("-kubeconfig") && has(resource.spec)',
      "resource.list.exists(x, x > 1) ? [1, 2].map(y, y * 2).size() : {'a': 1u}.a",
      "'a,b'.split(',').join('-').matches('^a.*') || timestamp('2020-01-01T00:00:00Z') < timestamp('2021-01-01T00:00:00Z') + duration('1h')",
      "quantity('1Gi').isGreaterThan(quantity('1M')) && semver('1.2.3').isLessThan(semver('2.0.0')) && ip('10.0.0.1').family() == 4",
      "optional.of(1).orValue(2) + int('3') + size(b'\\x00\\u00e9') + string(1.5).size()",
    ],
    tokens: [
      ...words(
        "resource . [ ] ( ) && || ! ? : in has( all( exists( map( filter( 1u 1.5 -1 'a' r'\\' b'a' null duration('1h') timestamp('') matches('(') { } % 9223372036854775807 optMap( orValue( [? url('') ip('') cidr('') format.dns1123Label() sets.contains([1],[1]) '%s'.format(['a'])",
      ),
      "/ 0",
    ],
    run: (input) =>
      compileCel(input, { variables: { resource: "dyn" }, extensions: true }).evaluate(
        { resource: { metadata: { name: "a" }, list: [1, 2, "x"], spec: { n: 1.5 } } },
        { budget: 100_000 },
      ),
  },
  regex: {
    seeds: ["^(a|b)*c+?[^x-z]{2,5}\\d\\w\\pL(?i:x)$", "(?P<n>a)(?:b)|\\Qa.b\\E", "[[:alpha:]]\\b\\x{10FFFF}", "(a*)*b"],
    tokens: words("( ) [ ] { } * + ? | ^ $ . \\ {1000} {2, (?i) (?P<a> \\p{Greek} [^ a-z \\C \\Q (?:"),
    run: (input) => {
      const regex = attempt(() => regexOf(input.slice(0, 200)));
      if (regex === undefined) return;
      for (const text of ["", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "abc.é😀\n"]) regex.test(text);
    },
  },
  jsonpath: {
    seeds: [
      "{.status.phase}",
      '{range .items[*]}{.metadata.name}{"\\n"}{end}',
      "$.spec.containers[?(@.name=='c')].image",
      "{..name}",
      "{.a['b.c'][0:2:1]}",
      "{.x[-1:]}",
    ],
    tokens: words(`{ } . .. * [ ] [*] [?(@.a== )] $ @ range end 'a' " 0:1 -1 , == &&`),
    run: (input) => findValues(input, { items: [pod, pod], status: { phase: "x" }, a: { "b.c": [1, 2, 3] }, x: [1], spec: pod.spec }),
  },
  scalars: {
    seeds: ["1.2.3-rc.1+b", ">=1.2 <2 || ~3.x - 4, ^1", "100Mi", "1.5e3", "1h30m", "10.0.0.1", "::ffff:1.2.3.4%eth0", "-1.5h"],
    tokens: [...words("1 . - + x * >= < ~ ^ || , v rc Mi Ei e9 m h µs ns : :: % 99999999999999999999"), " - "],
    run: (input) => {
      const version = attempt(() => parseVersion(input));
      const constraint = attempt(() => parseConstraint(input));
      if (constraint !== undefined) satisfies(version ?? parseVersion("1.2.3"), constraint);
      attempt(() => parseGoDuration(input));
      return [parseQuantity(input), parseDuration(input), parseIpAddress(input)];
    },
  },
};

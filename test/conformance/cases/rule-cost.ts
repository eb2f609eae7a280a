import type { Json } from "../../../src/core/object/index.ts";
import { httpPost, mergePatch, type ConformanceCase, type RequestStep } from "../conformance-case.ts";
import { crdsPath, establishSteps, refusedWidget, widget, widgetCrdOf, widgetPath, widgetsPath } from "./widget.ts";

type Schema = { readonly [field: string]: Json };

const text = { type: "string" };
const number = { type: "integer" };
const list = (items: Schema, maxItems?: number): Schema => ({ type: "array", items, ...(maxItems === undefined ? {} : { maxItems }) });
const map = (additionalProperties: Schema, maxProperties?: number): Schema => ({
  type: "object",
  additionalProperties,
  ...(maxProperties === undefined ? {} : { maxProperties }),
});
const ruled = (schema: Schema, ...rules: readonly (string | Schema)[]): Schema => ({
  ...schema,
  "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)),
});

/** Definitions are tried out with a dry run, so that one case can hold many. */
const tried = `${crdsPath}?dryRun=All`;
const accepted = (value: Schema): RequestStep => httpPost(tried, widgetCrdOf({ properties: { value } }), { show: ["metadata.name"] });
const refused = (value: Schema): RequestStep => httpPost(tried, widgetCrdOf({ properties: { value } }), { expect: 422 });

const ones = (length: number): Json => Array.from({ length }, () => 1);

/** Costs the square of the length of a list, for the estimate and for the evaluation alike. */
const square = "sets.contains(self, self)";

/** What the API server estimates rules to cost, from the sizes that their schemas allow, and what they cost. */
export const ruleCostCases: readonly ConformanceCase[] = [
  {
    id: "rule-cost/bounds",
    title: "a rule that may cost too much is refused until its lists, maps and texts are bounded",
    steps: [
      refused(ruled(list(text), "self.all(a, self.all(b, a == b))")),
      refused(ruled(list(text, 100), "self.all(a, self.all(b, a == b))")),
      accepted(ruled(list({ ...text, maxLength: 10 }, 100), "self.all(a, self.all(b, a == b))")),
      refused(ruled(list(text), "self.all(a, a == 'x' && a.startsWith('y'))", "self.exists(a, a.matches('^[a-z]{1,12}$'))")),
      accepted(ruled(list(text), "self.all(a, a == 'x')", "self.exists(a, a == 'x')")),
      refused(ruled(map(text), "self.all(k, self[k].contains(k + 'x'))")),
      refused(ruled(map(text, 100), "self.all(k, self[k] == self['a'])")),
      accepted(ruled(map({ ...text, enum: ["a", "bc"] }, 100), "self.all(k, self[k] == self['a'])")),
      accepted(ruled(text, "self.matches('^[a-z]{1,12}$')", "self == 'x'", "self.size() < 10")),
      refused(ruled(text, `self.matches('^${"[a-z]{1,200}-".repeat(10)}$')`)),
    ],
  },
  {
    id: "rule-cost/cardinality",
    title: "a rule counts as often as its value can occur",
    steps: [
      refused(list(ruled(text, "self == 'x' || self.contains('abc')"))),
      refused(list(ruled(text, "self.contains('abc')"), 40)),
      accepted(list(ruled(text, "self.contains('abc')"), 30)),
      refused(map(ruled(text, "self.contains('abc')"))),
      refused(map(list(ruled(text, "self.contains('abc')"), 10), 10)),
      accepted(map(list(ruled({ ...text, maxLength: 100 }, "self.contains('abc')"), 10), 10)),
      accepted(list(ruled({ type: "object", properties: { a: number } }, "self.a > 1"))),
      refused(list(ruled({ type: "object", properties: { a: number } }, "self.a > 1 && self.a < 10 && self.a != 3 && self.a != 5"))),
      accepted(
        list(
          ruled(
            { type: "object", properties: { a: number, name: text }, required: ["a", "name"] },
            "self.a > 1 && self.a < 10 && self.a != 3 && self.a != 5",
          ),
        ),
      ),
      refused(
        list(
          ruled(
            { type: "object", properties: { a: number, name: { ...text, default: "x" } }, required: ["a", "name"] },
            "self.a > 1 && self.a < 10 && self.a != 3 && self.a != 5",
            "self.name == self.name",
          ),
        ),
      ),
    ],
  },
  {
    id: "rule-cost/total",
    title: "rules that are cheap enough each may cost too much together",
    steps: [
      accepted(ruled(list(text, 30), ...Array.from({ length: 10 }, (_, index) => `self.all(a, a.contains('${index}'))`))),
      refused(ruled(list(text, 30), ...Array.from({ length: 11 }, (_, index) => `self.all(a, a.contains('${index}'))`))),
      refused(
        ruled(
          list(ruled(text, "self.contains('z')"), 31),
          ...Array.from({ length: 11 }, (_, index) => `self.all(a, a.contains('${index}'))`),
          "self.exists(a, a.contains('b'))",
          "self.map(a, a.contains('b')).all(b, b)",
        ),
      ),
    ],
  },
  {
    id: "rule-cost/functions",
    title: "each function has a cost of its own",
    steps: [
      refused(
        ruled(
          list({ ...text, maxLength: 20_000 }, 2000),
          "self.all(a, a == self[0])",
          "self.all(a, a.startsWith(self[0]))",
          "self.exists_one(a, a.matches('^abc$'))",
          "self.filter(a, a.lowerAscii() == 'a').size() == 1",
          "self.map(a, a.trim()).all(b, b.endsWith('c') || b.contains('c'))",
          "self.all(a, a.replace('a', 'bc').substring(3) == 'b')",
          "self.all(a, a.split(',').size() == 3)",
          "self.join(',') == 'a'",
          "self.isSorted()",
          "self.all(a, a.indexOf('b') == 3)",
          "self.all(a, a.find('[a-z]+') == 'x')",
          "self.all(a, a + 'x' == 'y')",
        ),
      ),
      refused(
        ruled(
          list({ ...text, maxLength: 30_000 }, 2000),
          "self.all(a, url(a).getHost() == 'b')",
          "self.all(a, isIP(a) || isCIDR(a))",
          "self.all(a, ip(a).family() == 4)",
          "self.all(a, ip.isCanonical(a))",
          "self.all(a, cidr(a).containsIP('10.0.0.1'))",
          "self.all(a, quantity(a).isGreaterThan(quantity('1')))",
          "self.all(a, isQuantity(a) && quantity(a) == quantity('2'))",
          "self.all(a, isSemver(a))",
          "self.all(a, !format.dns1123Label().validate(a).hasValue())",
          "self.all(a, a.format([]) == 'x')",
          "self.all(a, strings.quote(a) == 'x')",
          "self.all(a, bytes(a) == b'x')",
        ),
      ),
      refused(
        ruled(
          list(number, 3000),
          "self.distinct().size() == self.size()",
          "self.sort() == self",
          "sets.contains(self, [1, 2])",
          "sets.equivalent(self, self)",
          "self.all(a, self.exists(b, a == b))",
          "self.all(i, a, self.exists(b, a == b && b == i))",
          "self.transformList(i, a, a + i).all(b, b in self)",
          "self.sum() == self.max()",
          "self.sortBy(a, -a)[0] == 3",
          "lists.range(4000000).all(a, a in [1, 2])",
          "self.slice(0, 2).all(a, a == 1)",
          "self.reverse() == self",
        ),
      ),
      refused(
        ruled(
          { type: "object", properties: { a: { ...list({ ...text, maxLength: 20_000 }, 2000) }, b: map(text, 60), c: text } },
          "self.?a.optMap(v, v.all(x, x == self.a[0])).orValue(true)",
          "self.b.all(k, v, k == 'x' || v.contains('y'))",
          "self.b.transformMap(k, v, v + 'x').all(k, v, v == 'y')",
          "(has(self.a) ? self.a : ['x']).all(x, x.contains('y'))",
          "oldSelf.a.all(x, x in self.a)",
          "self.a.map(x, [x, x]).all(y, y.all(z, z.contains('y')))",
          "[self.c, 'x'].all(x, self.a.all(y, x == y))",
          "type(self.c) == string && self.c == self.c",
        ),
      ),
    ],
  },
  {
    id: "rule-cost/messages",
    title: "message expressions count too, once",
    steps: [
      refused(ruled(number, { rule: "self > 1", messageExpression: "'not above 1: ' + string(self)" })),
      accepted(ruled(text, { rule: "self != 'x'", messageExpression: "'not x: ' + self" })),
      accepted(list(ruled({ ...text, maxLength: 100 }, { rule: "self != 'x'", messageExpression: "'not x: ' + self" }), 500)),
      refused(ruled(list(text, 20), { rule: "self[0] != 'x'", messageExpression: "self.map(a, a.replace('a', 'bcd')).join(',')" })),
      refused(ruled(number, { rule: "self > bogus", messageExpression: "'not above 1: ' + string(self)" })),
    ],
  },
  {
    id: "rule-cost/update",
    title: "a definition cannot be changed to one whose rules may cost too much",
    steps: [
      ...establishSteps(widgetCrdOf({ properties: { value: ruled(list({ ...text, maxLength: 10 }, 100), "self.all(a, a == self[0])") } })),
      mergePatch(
        `${crdsPath}/widgets.{group}`,
        { spec: widgetCrdOf({ properties: { value: ruled(list(text, 100), "self.all(a, self.all(b, a == b))") } }).spec },
        { expect: 422 },
      ),
      mergePatch(`${crdsPath}/widgets.{group}`, { metadata: { labels: { a: "b" } } }, { show: ["metadata.labels"] }),
    ],
  },
  {
    id: "rule-cost/evaluation",
    title: "an evaluation that costs too much is the last one of a request",
    steps: [
      ...establishSteps(
        widgetCrdOf({
          properties: {
            one: ruled(list(number, 1100), "self.size() < 5", { rule: square, message: "all are there" }, "self.size() < 3"),
            two: ruled(list(number, 1100), square),
            said: ruled(
              list(number, 1100),
              { rule: "self.size() < 5", messageExpression: `${square} ? 'many' : 'few'` },
              "self.size() < 3",
            ),
          },
        }),
      ),
      httpPost(widgetsPath, widget({ two: ones(999) }), { show: ["metadata.name"] }),
      mergePatch(widgetPath, { spec: { two: ones(1000) } }, { expect: 422 }),
      refusedWidget({ two: ones(1000) }),
      refusedWidget({ one: ones(1100) }),
      refusedWidget({ one: ones(900) }),
      refusedWidget({ said: ones(10) }),
      refusedWidget({ said: ones(1100) }),
    ],
  },
  {
    id: "rule-cost/budget",
    title: "the rules about one object share a budget",
    steps: [
      ...establishSteps(
        widgetCrdOf({
          properties: {
            lists: list(ruled(list(number, 990), square, `self.size() == 990 && ${square}`), 10),
            said: list(ruled(list(number, 990), { rule: "self.size() < 5", messageExpression: `${square} ? 'many' : 'few'` }), 12),
          },
        }),
      ),
      httpPost(widgetsPath, widget({ lists: [ones(990), ones(990), ones(990), ones(990), ones(990)] }), { show: ["metadata.name"] }),
      mergePatch(widgetPath, { spec: { lists: Array.from({ length: 6 }, () => ones(990)) } }, { expect: 422 }),
      refusedWidget({ lists: Array.from({ length: 10 }, () => ones(990)) }),
      refusedWidget({ lists: [ones(990), ones(989), ones(990), ones(988), ones(990), ones(990), ones(990), ones(3)] }),
      refusedWidget({ said: Array.from({ length: 12 }, () => ones(990)) }),
      httpPost(tried, widgetCrdOf({ properties: { value: { ...ruled(list(number, 1000), square), default: ones(1000) } } }), {
        expect: 422,
      }),
    ],
  },
];

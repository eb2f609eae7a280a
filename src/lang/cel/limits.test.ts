import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { bounded } from "../../../test/support/bounded.ts";
import { CelSyntaxError, CelTypeError } from "./failure.ts";
import { CelEvaluationError, CelProgramError, compileCel, estimateCelCost } from "./index.ts";

const exceeded = { name: "CelEvaluationError", message: "operation cancelled: actual cost limit exceeded" };

function evaluated(expr: string, self: unknown = null): unknown {
  return compileCel(expr, { variables: { self: "dyn" }, extensions: true }).evaluate({ self });
}

/** `x` nested twice in itself, repeatedly: short to write and enormous to traverse. */
function doubled(times: number, start: string, grow: string, use: string): string {
  return `cel.bind(x, ${start}, ${`cel.bind(x, ${grow}, `.repeat(times)}${use}${")".repeat(times + 1)}`;
}

const hundred = Array.from({ length: 100 }, (_, index) => index);

const bombs: readonly (readonly [what: string, expr: string, self?: unknown])[] = [
  ["loops in loops", "self.all(a, self.all(b, self.all(c, self.all(d, a + b + c + d >= 0))))", hundred],
  ["an error that hides a loop", "1 / 0 > 0 || self.all(a, self.all(b, self.all(c, self.all(d, true))))", hundred],
  ["a text that doubles", doubled(60, "'xxxxxxxx'", "x + x", "x.size()")],
  ["a list that doubles", doubled(60, "[1]", "x + x", "x.size()")],
  ["a replacement of nothing", "self.replace('', self).size()", "x".repeat(100_000)],
  ["a long range", "lists.range(1000000000000)"],
  ["a joint", "lists.range(100000).map(i, self).join(self)", "x".repeat(10_000)],
  ["lists in lists, written out", doubled(30, "[1]", "[x, x]", "x")],
  ["lists in lists, compared", doubled(30, "[1]", "[x, x]", "x == x && [x] == [x]")],
  ["lists in lists, formatted", doubled(30, "[1]", "[x, x]", "'%s'.format([x])")],
  ["lists in lists, looked through", doubled(30, "[1]", "[x, x]", "dyn(x).indexOf(1)")],
  ["lists in lists, told apart", "lists.range(10000).map(i, [i]).distinct()"],
  ["a text sought from the start", "self.indexOf('b' + self.substring(100000))", "a".repeat(200_000)],
  ["a text sought from the end", "self.lastIndexOf(self.substring(100000) + 'b')", "a".repeat(200_000)],
  ["a text that contains no other", "[1, 2, 3, 4, 5].all(i, !self.contains('b' + self.substring(2000000)))", "a".repeat(4_000_000)],
  ["a pattern with large counts", `self.matches('${"[a-z]{0,900}".repeat(10)}$')`, "a".repeat(5000)],
  [
    "patterns with large counts",
    "self.all(i, 'x'.matches('[a-z]{0,' + string(900 - i) + '}[a-z]{0,900}[a-z]{0,900}[a-z]{0,900}'))",
    hundred,
  ],
  ["all that a pattern finds", "self.findAll('a*b|a').size() > 0", "a".repeat(40_000)],
  ["a replacement kept many times", "lists.range(1000).map(i, self.replace('x', self)).size() > 0", "x".repeat(2000)],
  ["long texts in order", "[1, 2, 3, 4, 5, 6, 7, 8].all(i, [self + 'a', self + 'b', self + 'c'].isSorted())", "x".repeat(3_000_000)],
  ["digits without end", "int(self) > 0", "1".repeat(4_000_000)],
  ["hours without end", "duration(self) > duration('1s')", "1h".repeat(2_000_000)],
  ["optionals in optionals", `optional.of(1)${".optMap(x, x)".repeat(60)}.hasValue()`],
  ["lists in lists, flattened", doubled(30, "[1]", "[x, x]", "dyn(x).flatten(40)")],
];

for (const [what, expr, self] of bombs) {
  test(`${what} cannot get around the limits`, () => {
    assert.throws(() => bounded(() => evaluated(expr, self)), exceeded);
  });
}

test("a pattern that compiles to too much is refused", () => {
  assert.throws(
    () => bounded(() => evaluated("self.matches(self)", "[a-z]{0,900}".repeat(1000))),
    /expression too large: it compiles to about 1800002 instructions, and at most 20000 are allowed/,
  );
  assert.throws(
    () => bounded(() => evaluated("self.matches(self)", "x".repeat(4_000_000))),
    /expression too large: it has 4000000 characters/,
  );
});

const chain = ".optMap(x, x)".repeat(60);

test("the target of optMap is checked once, however long the chain", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const self = { schema, isResource: false };
  const compiled = (expr: string) => bounded(() => compileCel(expr, { variables: { self } }));
  assert.equal(compiled(`self.?a${chain}.hasValue()`).type, "bool");
  assert.equal(bounded(() => estimateCelCost(`self.?a${chain}.hasValue()`, self, { variables: { self } })).maxCost > 2 ** 60, true);
  assert.throws(() => compiled(`optional.of(nope)${chain}.hasValue()`), CelTypeError);
  assert.throws(() => compiled(`optional.of(duration('x'))${chain}.hasValue()`), CelTypeError);
});

test("a budget can be set", () => {
  const program = compileCel("self.all(x, x >= 0)", { variables: { self: "dyn" } });
  assert.equal(program.evaluate({ self: hundred }), true);
  assert.throws(() => program.evaluate({ self: hundred }, { budget: 100 }), exceeded);
});

test("a pattern takes time in proportion to the text", () => {
  assert.equal(evaluated("self.matches('(a+)+$')", `${"a".repeat(5000)}b`), false);
});

test("values nested beyond the stack fail the evaluation", () => {
  let nested: unknown = [];
  for (let depth = 0; depth < 100_000; depth++) nested = [nested];
  assert.throws(() => evaluated("self", nested), CelEvaluationError);
});

test("JavaScript property names are ordinary keys", () => {
  const absent = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "__defineGetter__"];
  for (const name of absent) {
    assert.equal(evaluated(`has(self.${name})`, {}), false, name);
    assert.equal(evaluated(`'${name}' in self`, {}), false, name);
    assert.throws(() => evaluated(`self['${name}']`, {}), { message: `no such key: ${name}` });
    assert.throws(() => evaluated(`self.${name}()`, {}), CelTypeError);
    assert.throws(() => evaluated(`self.x.${name}`, { x: "text" }), { message: `no such key: ${name}` });
    assert.deepEqual(evaluated(`{'${name}': 1}['${name}']`), 1);
  }
  const made = evaluated("{'__proto__': {'polluted': true}}");
  assert.deepEqual(Object.getOwnPropertyNames(made), ["__proto__"]);
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal(evaluated("self['__proto__'].a", JSON.parse('{"__proto__": {"a": 5}}')), 5);
});

test("results are JSON", () => {
  assert.deepEqual(evaluated("{'a': [1, 2.5, 3u, null, true], 'b': {1: 'x'}}"), { a: [1, 2.5, 3, null, true], b: { 1: "x" } });
  assert.deepEqual(evaluated("[duration('90s'), timestamp('2020-01-02T03:04:05.5Z')]"), ["90s", "2020-01-02T03:04:05.5Z"]);
  assert.deepEqual(evaluated("[b'hello', quantity('1Gi'), ip('::1')]"), ["aGVsbG8=", "1Gi", "::1"]);
  assert.deepEqual(evaluated("[optional.of(1), optional.none(), int]"), [1, null, "int"]);
  assert.equal(evaluated("9007199254740993"), 9007199254740993n);
});

function isOwnFault(cause: unknown): boolean {
  return [CelSyntaxError, CelTypeError, CelProgramError, CelEvaluationError].some((kind) => cause instanceof kind);
}

/** Compiles and evaluates. Only errors of the expression may be thrown. */
function survives(expr: string, self: unknown): void {
  try {
    evaluated(expr, self);
  } catch (cause) {
    if (!isOwnFault(cause)) throw new Error(`${expr}: ${String(cause)}`, { cause });
  }
}

const atoms = fc.constantFrom(
  ..."self self.a self.b[0] 1 -1 2u 1.5 'text' b'x' true false null [] [1,2] {} {'a':1} x duration('1s') timestamp(0) optional.of(1) int".split(
    " ",
  ),
);
const expressions = fc.letrec<{ expr: string }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 5 },
    atoms,
    fc
      .tuple(tie("expr"), fc.constantFrom(..."+ - * / % < <= > >= == != && || in".split(" ")), tie("expr"))
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    fc
      .tuple(fc.constantFrom("!", "-", "dyn", "size", "string", "int", "double", "type", "quantity", "ip"), tie("expr"))
      .map(([name, a]) => `${name}(${a})`),
    fc
      .tuple(tie("expr"), fc.constantFrom("all", "exists", "exists_one", "map", "filter"), tie("expr"))
      .map(([a, macro, b]) => `dyn(${a}).${macro}(x, ${b})`),
    fc.tuple(tie("expr"), tie("expr"), tie("expr")).map(([a, b, c]) => `(${a} ? dyn(${b}) : dyn(${c}))`),
    fc.tuple(tie("expr"), tie("expr")).map(([a, b]) => `dyn(${a})[${b}]`),
    fc
      .tuple(tie("expr"), fc.constantFrom(".size()", ".sum()", ".sort()", ".?a", ".getHours()", ".join()", ".hasValue()", ".distinct()"))
      .map(([a, tail]) => `dyn(${a})${tail}`),
  ),
})).expr;

test("any expression evaluates or fails with a CEL error", () => {
  fc.assert(fc.property(expressions, fc.jsonValue(), survives), { numRuns: 2000 });
});

test("any text parses or fails with a GoError", () => {
  const pieces = fc.constantFrom(
    ..."a 1 . ( ) [ ] { } , : ? ! - + * / % < = & | ' \" ''' \\ ` r b in true has( @ # \n é 😀 0x 1e 9u //".split(" "),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => survives(parts.join(""), {})),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => survives(text, {})),
    { numRuns: 1000 },
  );
});

test("strings are read as they are written", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      assert.equal(evaluated(`strings.quote(self) == "" ? "" : self`, text), text);
      assert.equal(evaluated(JSON.stringify(text.replaceAll(/[^\x20-\x7E]/g, ""))), text.replaceAll(/[^\x20-\x7E]/g, ""));
    }),
  );
});

test("integers are integers up to the last, and fail beyond", () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(int64, int64, (a, b) => {
      const sum = a + b;
      const program = compileCel(`string(${a} + ${b})`);
      if (sum === BigInt.asIntN(64, sum)) assert.equal(program.evaluate({}), String(sum));
      else assert.throws(() => program.evaluate({}), { message: "integer overflow" });
    }),
  );
});

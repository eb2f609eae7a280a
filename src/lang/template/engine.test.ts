import assert from "node:assert/strict";
import test from "node:test";
import {
  Engine,
  ExecError,
  GoError,
  LimitError,
  ParseError,
  dict,
  fromPlain,
  goFunction,
  executionFunction,
  type Execution,
  type GoValue,
} from "./index.ts";

const engine = new Engine({
  include: executionFunction("func(string, any) (string, error)", (run: Execution, name: string, data: GoValue) => run.execute(name, data)),
  tpl: executionFunction("func(string, any) (string, error)", (run: Execution, text: string, data: GoValue) =>
    run.render("gotpl", text, data),
  ),
  host: executionFunction("func() string", (run: Execution) => String(run.host)),
  fail: goFunction("func(string) (string, error)", (message: string) => {
    throw new GoError(message);
  }),
  broken: goFunction("func() string", () => {
    throw new TypeError("a fault of ours");
  }),
});

function render(text: string, data: unknown = {}, options: Parameters<ReturnType<Engine["set"]>["execute"]>[2] = {}): string {
  const set = engine.set({ name: "gotpl" });
  set.parse("t", text);
  return set.execute("t", fromPlain(data), options);
}

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return assert.fail("nothing was thrown");
}

test("JavaScript property names are ordinary data", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "then"];
  for (const name of names) {
    assert.equal(render(`{{.${name}}}`), "<no value>", name);
    assert.equal(render(`{{index . "${name}"}}`), "<no value>", name);
    const own = engine.set();
    own.parse("t", `{{.${name}}}{{range $k, $v := .}} {{$k}}={{$v}}{{end}}{{define "${name}"}}defined{{end}}{{template "${name}"}}`);
    assert.equal(own.execute("t", dict().set(name, "here")), `here ${name}=heredefined`);
  }
  assert.match(
    messageOf(() => render("{{constructor}}")),
    /function "constructor" not defined/,
  );
  assert.match(
    messageOf(() => render("{{__proto__ 1}}")),
    /function "__proto__" not defined/,
  );
  assert.equal(render("{{(.).constructor.constructor}}"), "<no value>");
});

test("no text gets into the code as code", () => {
  const hostile = ["`${globalThis.hit=1}`", '"+(globalThis.hit=1)+"', "\u2028globalThis.hit=1//", "*/globalThis.hit=1/*", "\\", "\n"];
  for (const text of hostile) {
    assert.equal(render(text), text);
    assert.equal(render("{{.}}{{with $x := .}}{{$x}}{{end}}", text), text + text);
    const quoted = JSON.stringify(text);
    assert.equal(render(`{{define ${quoted}}}in{{end}}{{template ${quoted}}}`), "in");
    assert.equal(render(`{{index . ${quoted}}}{{printf "%s" ${quoted}}}`, { [text]: "v" }), `v${text}`);
  }
  assert.equal(Reflect.get(globalThis, "hit"), undefined);
});

test("a later text replaces templates of the same name unless it is empty", () => {
  const set = engine.set();
  set.parse("a", `{{define "x"}}first{{end}}`);
  set.parse("b", `{{define "x"}}second{{end}}`);
  set.parse("c", `{{define "x"}} \n{{/* nothing */}}{{end}}`);
  set.parse("t", `{{template "x"}}`);
  assert.equal(set.execute("t", null), "second");
  assert.deepEqual(set.names().toSorted(), ["a", "b", "c", "t", "x"]);
  assert.equal(
    messageOf(() => set.parse("d", `{{define "y"}}1{{end}}\n{{define "y"}}2{{end}}`)),
    'template: d:2: template: multiple definition of template "y"',
  );
  assert.equal(
    messageOf(() => set.parse("own", `{{define "own"}}1{{end}}\ntext`)),
    'template: own:2: template: multiple definition of template "own"',
  );
});

test("an extension inherits from its set and does not change it", () => {
  const set = engine.set({ name: "gotpl" });
  set.parse(
    "a",
    `{{define "x"}}outer{{end}}{{template "x"}} {{tpl "{{define \\"x\\"}}inner{{end}}{{include \\"x\\" .}}" .}} {{template "x"}}`,
  );
  assert.equal(set.execute("a", null), "outer inner outer");
  const extended = set.extend();
  extended.parse("b", `{{define "x"}}other{{end}}{{template "x"}}`);
  assert.equal(extended.execute("b", null), "other");
  assert.equal(extended.execute("a", null), "other inner other");
  assert.equal(set.lookup("b"), undefined);
});

test("an error inside an included template keeps the text of every level", () => {
  const set = engine.set({ name: "gotpl" });
  set.parse("lib", `{{define "x"}}\n  {{fail "no"}}{{end}}`);
  set.parse("t", `a\n{{include "x" . }}`);
  const error = assertThrown(() => set.execute("t", null));
  assert.equal(
    error.message,
    'template: t:2:2: executing "t" at <include "x" .>: error calling include: template: lib:2:4: executing "x" at <fail "no">: error calling fail: no',
  );
  assert.ok(error instanceof ExecError);
  assert.deepEqual(error.location, { source: "t", line: 2, column: 2 });
  const { cause } = error;
  assert.ok(cause instanceof ExecError && cause.template === "x" && cause.node === 'fail "no"');
  assert.ok(cause.cause instanceof GoError && cause.cause.message === "no");
});

function assertThrown(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return assert.fail("nothing was thrown");
}

test("a text that does not parse inside an execution is the function's error", () => {
  const error = assertThrown(() => render(`{{tpl "{{" .}}`));
  assert.ok(error instanceof ExecError && error.cause instanceof ParseError);
  assert.match(error.message, /error calling tpl: template: gotpl:1: unclosed action$/);
  assert.equal(messageOf(() => render(`{{include "zz" .}}`)).endsWith('template: no template "zz" associated with template "gotpl"'), true);
});

test("exceptions other than GoError pass through", () => {
  assert.ok(assertThrown(() => render("{{broken}}")) instanceof TypeError);
});

test("functions find the host's state", () => {
  assert.equal(render("{{host}}", {}, { host: "me" }), "me");
});

test("columns are bytes", () => {
  assert.match(
    messageOf(() => render("é\n日本 {{nil}}")),
    /^template: t:2:9: /,
  );
});

test("limits stop endless templates", () => {
  let asked = 0;
  const outOfTime = () => ++asked > 3;
  const endless = "{{range 1000000000}}{{end}}";
  assert.ok(assertThrown(() => render(endless, {}, { limits: { outOfTime } })) instanceof LimitError);
  assert.equal(asked, 4);
  const output = { limits: { output: 1000 } };
  assert.ok(assertThrown(() => render("{{range 200}}0123456789{{end}}", {}, output)) instanceof LimitError);
  assert.ok(assertThrown(() => render(`{{define "x"}}${"y".repeat(1001)}{{end}}{{template "x"}}`, {}, output)) instanceof LimitError);
  assert.equal(render("{{range 100}}0123456789{{end}}", {}, output).length, 1000);
  const doubling = `{{$x := "0123456789"}}{{range 60}}{{$x = print $x $x}}{{end}}{{$x}}`;
  assert.ok(assertThrown(() => render(doubling)) instanceof LimitError);
});

test("templates that call themselves without end are stopped", () => {
  const depth = { limits: { depth: 50 } };
  const text = `{{define "x"}}{{template "x"}}{{end}}{{template "x"}}`;
  assert.match(
    messageOf(() => render(text, {}, depth)),
    /at <\{\{template "x"\}\}>: exceeded maximum template depth/,
  );
  assert.match(
    messageOf(() => render(text)),
    /exceeded maximum template depth/,
  );
  assert.ok(assertThrown(() => render(`{{define "x"}}{{include "x" .}}{{end}}{{include "x" .}}`, {}, depth)) instanceof LimitError);
});

test("two sets of one text share its code and keep their names", () => {
  for (const name of ["one", "two"]) {
    const set = engine.set();
    set.parse(name, "{{.a.b}}");
    assert.equal(
      messageOf(() => set.execute(name, fromPlain({ a: 1 }))),
      `template: ${name}:1:4: executing "${name}" at <.a.b>: can't evaluate field b in type interface {}`,
    );
  }
});

test("a range iterates over a snapshot of a map", () => {
  const set = new Engine({
    set: goFunction("func(map[string]any, string, any) string", (map: ReturnType<typeof dict>, key: string, value: GoValue) => {
      map.set(key, value);
      return "";
    }),
  }).set();
  set.parse("t", `{{range $k, $v := .}}{{set $ "b" "new"}}{{set $ "z" 1}}{{$k}}={{$v}} {{end}}{{.b}}`);
  assert.equal(set.execute("t", fromPlain({ b: "2", a: "1" })), "a=1 b=2 new");
});

test("a map that contains itself is not printed", () => {
  const knot = dict();
  knot.set("self", knot);
  const set = engine.set();
  set.parse("t", "{{.}}");
  assert.match(
    messageOf(() => set.execute("t", knot)),
    /executing "t" at <{{.}}>: a value that contains itself cannot be printed/,
  );
});

test("a long template can include itself a thousand times", () => {
  const body = "{{if .a}}{{.b}}{{end}}{{with .c}}{{.d.e | printf `%v`}}{{end}}".repeat(100);
  let left = 1000;
  const countdown = new Engine({
    again: executionFunction("func(string, any) (string, error)", (run: Execution, name: string, data: GoValue) => {
      return left-- > 0 ? run.execute(name, data) : "end";
    }),
  });
  const set = countdown.set();
  set.parse("t", `${body}{{again "t" .}}`);
  assert.equal(set.execute("t", fromPlain({})), "end");
});

test("texts are cached up to a size that their trees and programs take, not their characters", () => {
  const cache = new Engine();
  const plain = "a plain text of a definition\n".repeat(40_000);
  const known = cache.compile("plain", plain);
  const dense = "{{.}}".repeat(20_000);
  for (let serial = 0; serial < 8; serial++) cache.compile("dense", `${dense}${serial}`);
  assert.equal(cache.compile("plain", plain), known);
  for (let serial = 8; serial < 20; serial++) cache.compile("dense", `${dense}${serial}`);
  assert.notEqual(cache.compile("plain", plain), known);
});

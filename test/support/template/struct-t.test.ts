import assert from "node:assert/strict";
import test from "node:test";
import { Engine } from "../../../src/lang/template/index.ts";
import { testFunctions } from "./test-functions.ts";
import { tVal } from "./struct-t.ts";

const engine = new Engine(testFunctions);

function render(text: string): string {
  try {
    const set = engine.set();
    set.parse("t", text);
    return set.execute("t", tVal);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function failure(at: string, node: string, complaint: string): string {
  return `template: t:${at}: executing "t" at <${node}>: ${complaint}`;
}

/** Structs, pointers and methods, with the output of Go 1.26. */
const rows: readonly (readonly [string, string])[] = [
  ["{{.Method0}} {{.Method1 7}} {{.Method2 8 `a`}} {{`b` | .Method2 .U16}}", "M0 7 Method2: 8 a Method2: 16 b"],
  ["{{.Method1}}", failure("1:2", ".Method1", "wrong number of args for Method1: want 1 got 0")],
  ["{{.Method1 1 2}}", failure("1:2", ".Method1", "wrong number of args for Method1: want 1 got 2")],
  ["{{.Method1 `a`}}", failure("1:11", "`a`", "expected integer; found `a`")],
  ["{{.Method1 .X}}", failure("1:11", ".X", "wrong type for value; expected int; got string")],
  ["{{.Method2 -1 `a`}}", failure("1:11", "-1", "expected unsigned integer; found -1")],
  ["{{.Method3 1.5}} {{.Method3 .Empty0}}", "Method3: 1.5 Method3: <nil>"],
  ["{{.MyError true}}", failure("1:2", ".MyError", "error calling MyError: my error")],
  ["{{(.).Nope}}", failure("1:3", ".", "can't evaluate field Nope in type *template.T")],
  ["{{.U.W}}", failure("1:4", ".U.W", "can't evaluate field W in type *template.U")],
  ["{{.X.Y}}", failure("1:4", ".X.Y", "can't evaluate field Y in type string")],
  ["{{.X 1}}", failure("1:2", ".X", "X has arguments but cannot be invoked as function")],
  ["{{.Empty0.X}}", failure("1:9", ".Empty0.X", "nil pointer evaluating interface {}.X")],
  ["{{.Empty4.V}} {{.NonEmptyInterface.X}}", "UinEmpty x"],
  ["{{.BinaryFunc}}", failure("1:2", "{{.BinaryFunc}}", "can't print {{.BinaryFunc}} of type func(string, string) string")],
  ["{{vfunc .V0 .V1}}", "vfunc"],
  ["{{vfunc .V2 .V1}}", failure("1:8", ".V2", "dereference of nil pointer of type template.V")],
  ["{{.V0}} {{printf `%v` .V1}} {{.W2}}", "<6666> <7777> nilW"],
  ["{{range $k, $v := .MI32S}}{{$k}}{{$v}} {{end}}", "1one 2two "],
  ["{{index .MI32S 2}} {{index .PSI 0}} {{index .PAI 2}}", "two 21 5"],
  ["{{index .SI 3}}", failure("1:2", "index .SI 3", "error calling index: reflect: slice index out of range")],
  [
    "{{call .TooFewReturnCountFunc}}",
    failure(
      "1:2",
      "call .TooFewReturnCountFunc",
      "error calling call: function .TooFewReturnCountFunc has 0 return values; should be 1 or 2",
    ),
  ],
  [
    "{{call .InvalidReturnTypeFunc}}",
    failure(
      "1:2",
      "call .InvalidReturnTypeFunc",
      "error calling call: invalid function signature for .InvalidReturnTypeFunc: second return value should be error; is bool",
    ),
  ],
  ["{{call .PanicFunc}}", failure("1:2", "call .PanicFunc", "error calling call: test panic")],
];

test("structs, pointers and methods work as in Go", () => {
  for (const [text, expected] of rows) assert.equal(render(text), expected, text);
});

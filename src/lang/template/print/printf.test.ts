import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import {
  Complex,
  GoError,
  GoStruct,
  Integer,
  Pointer,
  GoScalar,
  dict,
  fromBytes,
  goFunction,
  reflectType,
  int,
  anyList,
  namedType,
  structType,
  stringList,
  types,
  type GoValue,
} from "../value/index.ts";
import { formatFloat, floatText } from "./float.ts";
import { sprint, sprintln } from "./print.ts";
import { sprintf } from "./printf.ts";

const point = namedType("my.Point", structType({ X: types.int, y: types.string, Z: types.any }));
const shy = namedType("my.Shy", structType({ a: types.int }), {
  pointerMethods: { String: goFunction("func() string", (self: GoValue) => (self instanceof GoStruct ? "shy" : "nil shy")) },
});
const failing = namedType("my.Failing", structType({}), {
  methods: {
    String: goFunction("func() string", () => {
      throw new GoError("oh no");
    }),
  },
});
const duration = namedType("time.Duration", types.int64, { methods: { String: goFunction("func() string", () => "1s") } });
const aPoint = new GoStruct(point, { X: int(1), y: "two", Z: null });

/** Rows in the style of Go's fmt tests, with Go's output. */
const rows: readonly (readonly [string, readonly GoValue[], string])[] = [
  ["%d", [int(12345)], "12345"],
  ["%v", [1e6], "1e+06"],
  ["%d", [1e6], "%!d(float64=1e+06)"],
  ["%s", [int(1)], "%!s(int=1)"],
  ["%s", [null], "%!s(<nil>)"],
  ["%v %T", [null, null], "<nil> <nil>"],
  ["%s", [], "%!s(MISSING)"],
  ["x", ["b"], "x%!(EXTRA string=b)"],
  ["%z", [int(1)], "%!z(int=1)"],
  ["%", [], "%!(NOVERB)"],
  ["%!", [int(1)], "%!!(int=1)"],
  ["%%%d", [int(1)], "%1"],
  [
    "%-5d|%05d|%+d|% d|%x|%X|%#x|%o|%#o|%O|%b",
    [7, 7, 7, 7, 255, 255, 255, 8, 8, 8, 5].map((n) => int(n)),
    "7    |00007|+7| 7|ff|FF|0xff|10|010|0o10|101",
  ],
  ["%.3d|%8.3d|%-8.3d|%08d", [7, 7, 7, -7].map((n) => int(n)), "007|     007|007     |-0000007"],
  ["%c|%q|%U|%#U", [0x1f600, 0x1f600, 0x1f600, 0x1f600].map((n) => int(n)), "😀|'😀'|U+1F600|U+1F600 '😀'"],
  [
    "%e|%f|%g|%.2f|%8.3f|%-8.1f|%+.1e|%08.2f",
    [1.5, 1.5, 1.5, 2.675, 3.14159, 2.25, 12345.678, -3.14159],
    "1.500000e+00|1.500000|1.5|2.67|   3.142|2.2     |+1.2e+04|-0003.14",
  ],
  ["%.0f %.0f %.0f %.1f", [0.5, 1.5, 2.5, 0.25], "0 2 2 0.2"],
  ["%v %v %v", [Infinity, -Infinity, Number.NaN], "+Inf -Inf NaN"],
  ["%6.2f|%06d|%+v", [Infinity, int(-12), Number.NaN], "  +Inf|-00012|NaN"],
  ["%x %X %b", [1.5, -0.1, 1], "0x1.8p+00 -0X1.999999999999AP-04 4503599627370496p-52"],
  ["%#g %#.3g %#v", [1, 100, 1], "1.00000 100. 1"],
  ["%v %.2f", [new Complex(1, -2), new Complex(1.005, 2)], "(1-2i) (1.00+2.00i)"],
  ["%v", [new GoScalar(reflectType("float32"), 0.1)], "0.1"],
  [
    "%s|%10s|%-10s|%.2s|%q|%x|% x|%#q|%+q",
    ["go", "go", "go", "héllo", 'a"b', "hi", "hi", "back`", "é"],
    'go|        go|go        |hé|"a\\"b"|6869|68 69|"back`"|"\\u00e9"',
  ],
  ["%q", [fromBytes(Uint8Array.of(0x68, 0xc3))], '"h\\xc3"'],
  ["%t|%5t|%d", [true, false, true], "true|false|%!d(bool=true)"],
  ["%v|%d|%s", [anyList([int(1), "a", null]), anyList([int(1), "a"]), stringList(["x", "y"])], "[1 a <nil>]|[1 %!d(string=a)]|[x y]"],
  [
    "%v|%+v|%#v",
    [dict({ b: 1, a: null }), dict({ a: "x" }), dict({ a: "x" })],
    'map[a:<nil> b:1]|map[a:x]|map[string]interface {}{"a":"x"}',
  ],
  [
    "%#v|%#v|%#v",
    [anyList([int(1), null]), stringList(["a"]), new Integer(reflectType("uint8"), 10)],
    '[]interface {}{1, interface {}(nil)}|[]string{"a"}|0xa',
  ],
  ["%v|%s|%x|%q", [Uint8Array.of(104, 105), Uint8Array.of(104, 105), Uint8Array.of(104, 105), Uint8Array.of(104)], '[104 105]|hi|6869|"h"'],
  ["%v|%+v|%#v", [aPoint, aPoint, aPoint], '{1 two <nil>}|{X:1 y:two Z:<nil>}|my.Point{X:1, y:"two", Z:interface {}(nil)}'],
  ["%v|%v", [new Pointer(point.pointerTo, aPoint), new Pointer(point.pointerTo)], "&{1 two <nil>}|<nil>"],
  [
    "%v|%s|%d|%v",
    [
      new Pointer(shy.pointerTo, new GoStruct(shy)),
      new Pointer(shy.pointerTo),
      new GoStruct(shy, { a: int(1) }),
      new GoStruct(shy, { a: int(1) }),
    ],
    "shy|nil shy|{1}|{1}",
  ],
  ["%v|%s", [new GoStruct(failing), anyList([new GoStruct(failing)])], "%!v(PANIC=String method: oh no)|[%!s(PANIC=String method: oh no)]"],
  ["%v|%d|%T", [new Integer(duration, 5), new Integer(duration, 5), new Integer(duration, 5)], "1s|5|time.Duration"],
  ["%[2]d %[1]d|%[3]d|%[1]*d|%[x]d", [int(1), int(2)], "2 1|%!d(BADINDEX)|2|%!d(BADINDEX)"],
  ["%*d|%-*d|%.*f", [int(4), int(7), int(4), int(7), int(1), 2.25], "   7|7   |2.2"],
  ["%*d|%.*d", ["x", int(7), int(-1), int(7)], "%!(BADWIDTH)7|%!(BADPREC)7"],
];

test("formats print as Go prints them", () => {
  for (const [format, values, expected] of rows) assert.equal(sprintf(format, values), expected, format);
});

test("print and println put spaces where Go does", () => {
  assert.equal(sprint([int(1), int(2), "a", "b", int(3)]), "1 2ab3");
  assert.equal(sprint([null, true, 1.5]), "<nil> true 1.5");
  assert.equal(sprintln(["a", int(1), "b"]), "a 1 b\n");
});

test("floats switch to exponents where Go does", () => {
  const expected = [
    [999999, "999999"],
    [1000000, "1e+06"],
    [1234567.5, "1.2345675e+06"],
    [123456.75, "123456.75"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [1e21, "1e+21"],
    [5e-324, "5e-324"],
    [-0, "-0"],
    [9007199254740992, "9.007199254740992e+15"],
  ] as const;
  for (const [value, text] of expected) assert.equal(floatText(value), text);
});

test("the shortest digits read back as the same float", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.ok(Object.is(Number(floatText(value)), value));
      assert.ok(Object.is(Number(formatFloat(value, "e", 17)), value));
      assert.ok(Object.is(Number(formatFloat(value, "f", -1)), value));
    }),
  );
});

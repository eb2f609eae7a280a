/** The data of the tests of Go's own text/template: its struct T and related types. */
import {
  Complex,
  GoError,
  GoList,
  GoMap,
  GoStruct,
  Integer,
  Pointer,
  GoSequence,
  arrayOf,
  goFunction,
  goMethod,
  reflectType,
  int,
  interfaceType,
  namedType,
  sprint,
  structType,
  types,
  sprintValue,
  zeroOf,
  type ReflectType,
  type GoValue,
} from "../../../src/lang/template/index.ts";

function pointerText(field: string, open: string, close: string, nil: string) {
  return (receiver: GoValue): string => (receiver instanceof GoStruct ? open + sprintValue(receiver.field(field)) + close : nil);
}

const U = namedType("template.U", structType({ V: types.string }), {
  pointerMethods: { TrueFalse: goMethod("func(bool) string", (_: GoValue, truth: boolean) => (truth ? "true" : "")) },
});
export const V = namedType("template.V", structType({ j: types.int }), {
  pointerMethods: { String: goMethod("func() string", pointerText("j", "<", ">", "nilV")) },
});
const W = namedType("template.W", structType({ k: types.int }), {
  pointerMethods: { Error: goMethod("func() string", pointerText("k", "[", "]", "nilW")) },
});
const method0 = goMethod("func() string", () => "M0");
const S = namedType("template.S", types.stringList, { methods: { Method0: method0 } });
const I = interfaceType("template.I", { Method0: method0 });
const errorString = namedType("errors.errorString", structType({ s: types.string }), {
  pointerMethods: { Error: goMethod("func() string", (self: GoStruct) => sprintValue(self.field("s"))) },
});
const buffer = namedType("bytes.Buffer", structType({ text: types.string }), {
  pointerMethods: { String: goMethod("func() string", (self: GoStruct) => sprintValue(self.field("text"))) },
});
const template = namedType("template.Template", structType({}));
const unsafePointer = reflectType("unsafe.Pointer");

function integers(...numbers: number[]): Integer[] {
  return numbers.map((number) => int(number));
}

function mapOf(type: string, entries: readonly (readonly [GoValue, GoValue])[]): GoMap {
  const map = new GoMap(reflectType(type));
  for (const [key, element] of entries) map.put(key, element);
  return map;
}

function keyed(type: string, kind: string, entries: Readonly<Record<number, string>>): GoMap {
  return mapOf(
    type,
    Object.entries(entries).map(([key, element]) => [new Integer(reflectType(kind), Number(key)), element]),
  );
}

function sum(by: Integer, list: GoList): GoList {
  return new GoList(
    types.intList,
    integers(...list.items.map((item) => Number(item instanceof Integer ? item.value : 0) + Number(by.value))),
  );
}

function myError(_: GoValue, fails: boolean): GoValue {
  if (fails) throw new GoError("my error");
  return false;
}

function panic(): never {
  throw new GoError("test panic");
}

const fieldTypes: Readonly<Record<string, ReflectType>> = {
  True: types.bool,
  I: types.int,
  U16: reflectType("uint16"),
  X: types.string,
  S: types.string,
  FloatZero: types.float64,
  ComplexZero: types.complex128,
  U: U.pointerTo,
  V0: V,
  V1: V.pointerTo,
  V2: V.pointerTo,
  W0: W,
  W1: W.pointerTo,
  W2: W.pointerTo,
  SI: types.intList,
  SICap: types.intList,
  SIEmpty: types.intList,
  SB: reflectType("[]bool"),
  AI: reflectType("[3]int"),
  PAI: reflectType("*[3]int"),
  MSI: reflectType("map[string]int"),
  MSIone: reflectType("map[string]int"),
  MSIEmpty: reflectType("map[string]int"),
  MXI: reflectType("map[any]int"),
  MII: reflectType("map[int]int"),
  MI32S: reflectType("map[int32]string"),
  MI64S: reflectType("map[int64]string"),
  MUI32S: reflectType("map[uint32]string"),
  MUI64S: reflectType("map[uint64]string"),
  MI8S: reflectType("map[int8]string"),
  MUI8S: reflectType("map[uint8]string"),
  SMSI: reflectType("[]map[string]int"),
  Empty0: types.any,
  Empty1: types.any,
  Empty2: types.any,
  Empty3: types.any,
  Empty4: types.any,
  NonEmptyInterface: I,
  NonEmptyInterfacePtS: I.pointerTo,
  NonEmptyInterfaceNil: I,
  NonEmptyInterfaceTypedNil: I,
  Str: reflectType("fmt.Stringer"),
  Err: types.error,
  PI: reflectType("*int"),
  PS: reflectType("*string"),
  PSI: reflectType("*[]int"),
  NIL: reflectType("*int"),
  UPI: unsafePointer,
  EmptyUPI: unsafePointer,
  BinaryFunc: reflectType("func(string, string) string"),
  VariadicFunc: reflectType("func(...string) string"),
  VariadicFuncInt: reflectType("func(int, ...string) string"),
  NilOKFunc: reflectType("func(*int) bool"),
  ErrFunc: reflectType("func() (string, error)"),
  PanicFunc: reflectType("func() string"),
  TooFewReturnCountFunc: reflectType("func()"),
  TooManyReturnCountFunc: reflectType("func() (string, error, int)"),
  InvalidReturnTypeFunc: reflectType("func() (string, bool)"),
  Tmpl: template.pointerTo,
  unexported: types.int,
};

const T = namedType("template.T", structType(fieldTypes), {
  pointerMethods: {
    Method0: method0,
    Method1: goMethod("func(int) int", (_: GoValue, number: Integer) => number),
    Method2: goMethod("func(uint16, string) string", (_: GoValue, number: Integer, text: string) => `Method2: ${number.value} ${text}`),
    Method3: goMethod("func(any) string", (_: GoValue, value: GoValue) => `Method3: ${sprintValue(value)}`),
    Copy: goMethod("func() int", (self: GoStruct) => new Pointer(self.type.pointerTo, self)),
    MAdd: goMethod("func(int, []int) []int", (_: GoValue, by: Integer, list: GoList) => sum(by, list)),
    MyError: goMethod("func(bool) (bool, error)", myError),
    GetU: goMethod("func() int", (self: GoStruct) => self.field("U")),
  },
});

function tWith(fields: Readonly<Record<string, GoValue>>): GoStruct {
  const zero = zeroOf(T);
  return new GoStruct(T, { ...(zero instanceof GoStruct ? zero.fields : {}), ...fields }, { addressable: true });
}

function pointerTo(value: GoStruct): Pointer {
  return new Pointer(value.type.pointerTo, value);
}

function struct(type: ReflectType, fields: Readonly<Record<string, GoValue>>): GoStruct {
  return new GoStruct(type, fields, { addressable: true });
}

export const foozle = pointerTo(struct(buffer, { text: "foozle" }));
const oneTwo: readonly (readonly [GoValue, GoValue])[] = [
  ["one", int(1)],
  ["two", int(2)],
];
const sliceOfStrings = new GoList(S, ["a", "b"]);

/** The value that most tests use. */
export const tVal = pointerTo(
  tWith({
    True: true,
    I: int(17),
    U16: new Integer(reflectType("uint16"), 16),
    X: "x",
    S: "xyz",
    U: pointerTo(struct(U, { V: "v" })),
    V0: struct(V, { j: int(6666) }),
    V1: pointerTo(struct(V, { j: int(7777) })),
    W0: struct(W, { k: int(888) }),
    W1: pointerTo(struct(W, { k: int(999) })),
    SI: new GoList(types.intList, integers(3, 4, 5)),
    SICap: new GoList(types.intList, integers(0, 0, 0, 0, 0), { spare: integers(0, 0, 0, 0, 0) }),
    AI: new GoList(arrayOf(types.int, 3), integers(3, 4, 5)),
    PAI: new Pointer(reflectType("*[3]int"), new GoList(arrayOf(types.int, 3), integers(3, 4, 5))),
    SB: new GoList(reflectType("[]bool"), [true, false]),
    MSI: mapOf("map[string]int", [...oneTwo, ["three", int(3)]]),
    MSIone: mapOf("map[string]int", [["one", int(1)]]),
    MXI: mapOf("map[any]int", [["one", int(1)]]),
    MII: mapOf("map[int]int", [[int(1), int(1)]]),
    MI32S: keyed("map[int32]string", "int32", { 1: "one", 2: "two" }),
    MI64S: keyed("map[int64]string", "int64", { 2: "i642", 3: "i643" }),
    MUI32S: keyed("map[uint32]string", "uint32", { 2: "u322", 3: "u323" }),
    MUI64S: keyed("map[uint64]string", "uint64", { 2: "ui642", 3: "ui643" }),
    MI8S: keyed("map[int8]string", "int8", { 2: "i82", 3: "i83" }),
    MUI8S: keyed("map[uint8]string", "uint8", { 2: "u82", 3: "u83" }),
    SMSI: new GoList(reflectType("[]map[string]int"), [
      mapOf("map[string]int", oneTwo),
      mapOf("map[string]int", [
        ["eleven", int(11)],
        ["twelve", int(12)],
      ]),
    ]),
    Empty1: int(3),
    Empty2: "empty2",
    Empty3: new GoList(types.intList, integers(7, 8)),
    Empty4: pointerTo(struct(U, { V: "UinEmpty" })),
    NonEmptyInterface: pointerTo(tWith({ X: "x" })),
    NonEmptyInterfacePtS: new Pointer(I.pointerTo, sliceOfStrings),
    NonEmptyInterfaceTypedNil: new Pointer(T.pointerTo),
    Str: foozle,
    Err: pointerTo(struct(errorString, { s: "erroozle" })),
    PI: new Pointer(reflectType("*int"), int(23)),
    PS: new Pointer(reflectType("*string"), "a string"),
    PSI: new Pointer(reflectType("*[]int"), new GoList(types.intList, integers(21, 22, 23))),
    UPI: new Pointer(unsafePointer, int(23)),
    BinaryFunc: goFunction("func(string, string) string", (one: string, other: string) => `[${one}=${other}]`),
    VariadicFunc: goFunction("func(...string) string", (...texts: string[]) => `<${texts.join("+")}>`),
    VariadicFuncInt: goFunction("func(int, ...string) string", (number: Integer, ...texts: string[]) => {
      return sprint([number, "=<", texts.join("+"), ">"]);
    }),
    NilOKFunc: goFunction("func(*int) bool", (pointer: Pointer) => pointer.isNil),
    ErrFunc: goFunction("func() (string, error)", () => "bla"),
    PanicFunc: goFunction("func() string", panic),
    TooFewReturnCountFunc: goFunction("func()", () => null),
    TooManyReturnCountFunc: goFunction("func() (string, error, int)", () => ""),
    InvalidReturnTypeFunc: goFunction("func() (string, bool)", () => ""),
    Tmpl: new Pointer(template.pointerTo, new GoStruct(template)),
  }),
);

/** `&T{}` by value, and an interface that holds a T. */
export const zeroT = new GoStruct(T, tWith({}).fields);
export const iVal = new Pointer(I.pointerTo, tVal);
export const tSliceOfNil = new GoList(reflectType("[]*T", { T }), [new Pointer(T.pointerTo)]);
export const complexDot = new Complex(16.2, -17);

export const anonymousStruct = new GoStruct(structType({ a: types.int, b: types.string }), { a: int(7), b: "seven" });

const sequenceType = namedType("iter.Seq[int]", reflectType("func(func(int) bool)"));
const sequence2Type = namedType("iter.Seq2[int,int]", reflectType("func(func(int, int) bool)"));

export function sequence(count: number): GoSequence {
  return new GoSequence(
    sequenceType,
    Array.from({ length: count }, (_, index) => [int(index)] as const),
  );
}

export function sequence2(count: number): GoSequence {
  return new GoSequence(
    sequence2Type,
    Array.from({ length: count }, (_, index) => [int(index), int(index + 1)] as const),
    2,
  );
}

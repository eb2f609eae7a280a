import type { SeededRandom } from "./seeded-random.ts";

const words = [
  "",
  "a",
  "abc",
  "Hello World",
  "key = value",
  "  x  ",
  "10",
  "-3.5",
  "0x1F",
  "a,b,,c",
  "ünï",
  "f(a(b)c)d",
  "%d+",
  "aaa",
  "2024-01-02T03:04:05Z",
];
const escapes = ["\\n", "\\t", "\\200", "\\\\", '\\"', "\\65"];

/** A string as it is written in a script. */
export function randomStringLiteral(chance: SeededRandom): string {
  if (chance.is(15)) return `"${chance.times(1, 4, () => chance.pick(escapes)).join(chance.pick(["", "b"]))}"`;
  const word = chance.pick(words);
  return chance.is(10) ? `[[${word}]]` : JSON.stringify(word);
}

export function randomNumberLiteral(chance: SeededRandom): string {
  return chance.pick([
    "0",
    "1",
    "2",
    "3",
    "7",
    "10",
    "100",
    "0.5",
    "2.5",
    "1e3",
    "1e100",
    "0x10",
    "3.14159",
    "123456789012",
    "1e15",
    "(1/0)",
    "(-2)",
    "(-1)",
    "1e-5",
    "(1/3)",
    "0.1",
  ]);
}

const classes = [
  "%a",
  "%d",
  "%s",
  "%w",
  "%p",
  "%u",
  "%l",
  "%x",
  "%A",
  "%D",
  "%S",
  ".",
  "[abc]",
  "[^,]",
  "[%w_]",
  "[a-c]",
  "[^%s]",
  "a",
  "b",
  "l",
  "o",
  "=",
  "%.",
  "%%",
  "%(",
  "-",
  "[]]",
  "[^]]",
  "[%]]",
  "[a%-z]",
  "%z",
  "%c",
];
const odd = ["%f[%w]", "%f[%W]", "%b()", "%1", "()", "%", "[a", "%b", "(", ")", "%f", "[%", "%2", "$", "^"];

/** A pattern, which may be a wrong one. */
export function randomPattern(chance: SeededRandom): string {
  const body = chance.times(1, 4, () => {
    if (chance.is(12)) return chance.pick(odd);
    const item = chance.pick(classes) + chance.pick(["", "", "", "*", "+", "-", "?"]);
    return chance.is(25) ? `(${item})` : item;
  });
  return (chance.is(15) ? "^" : "") + body.join("") + (chance.is(15) ? "$" : "");
}

function subject(chance: SeededRandom): string {
  if (chance.is(5)) return '"a\\0b\\0"';
  return JSON.stringify(chance.pick(words));
}

const flags = ["", "", "", "-", "0", "+", " ", "#", "5", "05", "-5", "+.3", ".2", "10.4", ".0", "#5.1", "-10.3", "020"];

function formatCall(chance: SeededRandom): string {
  const parts = chance.times(1, 3, () => {
    const letter = chance.pick(["d", "i", "u", "c", "x", "X", "o", "e", "E", "f", "g", "G", "q", "s", "s", "d"]);
    const value =
      letter === "s" || letter === "q"
        ? chance.pick([randomStringLiteral(chance), randomNumberLiteral(chance)])
        : letter === "c"
          ? chance.pick(["65", "97", "10"])
          : formatNumber(chance, letter);
    return [
      `%${letter === "q" ? "" : letter === "c" || letter === "s" ? chance.pick(["", "5", "-5", ".2", "10"]) : fitting(chance, letter)}${letter}`,
      value,
    ] as const;
  });
  return `string.format(${JSON.stringify(parts.map(([directive]) => directive).join("|"))}, ${parts.map(([, value]) => value).join(", ")})`;
}

/** Flags whose meaning C leaves open for a letter are not tried. */
function fitting(chance: SeededRandom, letter: string): string {
  const flag = chance.pick(flags);
  if ("diu".includes(letter)) return flag.replace("#", "");
  return "oxX".includes(letter) ? flag.replace(/[+ ]/, "") : flag;
}

function formatNumber(chance: SeededRandom, letter: string): string {
  if ("uoxX".includes(letter)) return chance.pick(["0", "1", "42", "255", "65536", "'16'", "1.9", "123456789012"]);
  if ("di".includes(letter)) return chance.pick(["0", "1", "-1", "42", "-255", "3.99", "-3.99", "'17'", "123456789012"]);
  return chance.pick([
    "0",
    "1",
    "-1",
    "0.5",
    "1.5",
    "2.5",
    "-2.5",
    "0.125",
    "1e10",
    "1e21",
    "1e300",
    "123456.789",
    "-0.001",
    "1e-10",
    "100",
    "99999.5",
    "0.1",
    "1/3",
    "2/3",
    "5e-324",
    "'2.5'",
  ]);
}

const index = (chance: SeededRandom) => chance.pick(["0", "1", "2", "3", "-1", "-2", "5", "100", "-100", "1.5", "'2'"]);

/** A call of the library that has one answer, or fails with one message. */
export function randomLibraryCall(chance: SeededRandom): string {
  const calls: readonly (() => string)[] = [
    () => `string.find(${subject(chance)}, ${JSON.stringify(randomPattern(chance))}${chance.is(30) ? `, ${index(chance)}` : ""})`,
    () => `string.match(${subject(chance)}, ${JSON.stringify(randomPattern(chance))}${chance.is(30) ? `, ${index(chance)}` : ""})`,
    () =>
      `string.gsub(${subject(chance)}, ${JSON.stringify(randomPattern(chance))}, ${replacement(chance)}${chance.is(25) ? `, ${index(chance)}` : ""})`,
    () => `string.find(${subject(chance)}, ${subject(chance)}, ${index(chance)}, true)`,
    () => formatCall(chance),
    () => `string.sub(${randomStringLiteral(chance)}, ${index(chance)}${chance.is(60) ? `, ${index(chance)}` : ""})`,
    () => `(${randomStringLiteral(chance)}):sub(${index(chance)}, ${index(chance)})`,
    () => `string.byte(${randomStringLiteral(chance)}, ${index(chance)}${chance.is(50) ? `, ${index(chance)}` : ""})`,
    () => `string.char(${chance.times(0, 3, () => chance.pick(["65", "0", "255", "97.9", "'66'", "256", "-1"])).join(", ")})`,
    () => `string.rep(${randomStringLiteral(chance)}, ${index(chance)})`,
    () => `string.${chance.pick(["upper", "lower", "len", "reverse"])}(${randomStringLiteral(chance)})`,
    () =>
      `tonumber(${chance.pick([randomStringLiteral(chance), randomNumberLiteral(chance), "'1e2'", "'0x'", "' 12 '", "'1 2'", "'.5'", "'5.'", "'inf'", "'1e'", "nil", "true", "{}"])})`,
    () =>
      `tonumber(${chance.pick(["'ff'", "'10'", "'zz'", "'8'", "' 7 '", "'-11'", "'1.5'", "17", "''"])}, ${chance.pick(["2", "8", "10", "16", "36", "1", "37"])})`,
    () => `tostring(${chance.pick([randomNumberLiteral(chance), "nil", "true", randomStringLiteral(chance)])})`,
    () => `math.${chance.pick(["floor", "ceil", "abs", "sqrt", "modf", "frexp"])}(${randomNumberLiteral(chance)})`,
    () => `math.${chance.pick(["max", "min"])}(${chance.times(0, 3, () => randomNumberLiteral(chance)).join(", ")})`,
    () =>
      `math.${chance.pick(["fmod", "pow", "mod"])}(${chance.pick(["5", "-5", "5.5", "0", "-7"])}, ${chance.pick(["3", "-3", "2", "0.5"])})`,
    () => `math.ldexp(${chance.pick(["1", "0.5", "3"])}, ${chance.pick(["3", "-2", "0"])})`,
    () =>
      `select(${chance.pick(["1", "2", "-1", "'#'", "0", "5", "-5"])}, ${chance.times(1, 3, () => randomNumberLiteral(chance)).join(", ")})`,
    () =>
      `unpack({${chance.times(0, 4, () => randomNumberLiteral(chance)).join(", ")}}${chance.is(30) ? `, ${chance.pick(["1", "2", "0"])}, ${chance.pick(["2", "3"])}` : ""})`,
    () =>
      `table.concat({${chance.times(0, 4, () => chance.pick([randomNumberLiteral(chance), randomStringLiteral(chance)])).join(", ")}}${chance.is(60) ? `, ${randomStringLiteral(chance)}` : ""})`,
    () => `type(${chance.pick(["nil", "1", "'x'", "{}", "print", "true", ""])})`,
    () =>
      `os.date("!${chance.pick(["%Y-%m-%d", "%H:%M:%S", "%c", "%x %X", "%j", "%a %A %b %B", "%d/%m/%y %I %p"])}", ${chance.pick(["0", "86400", "1700000000", "951782400", "1e9"])})`,
    () => `rawget({1, 2, a = 3}, ${chance.pick(["1", "'a'", "nil", "3"])})`,
    () =>
      `${chance.pick(["string.rep", "string.sub", "table.concat", "table.insert", "ipairs", "pairs", "setmetatable", "math.floor", "string.format", "tostring", "unpack", "next", "select", "rawset", "string.gsub", "table.sort", "string.char", "error", "assert", "string.find"])}(${chance.times(0, 2, () => chance.pick(["nil", "{}", "'x'", "true", "-1"])).join(", ")})`,
  ];
  return chance.pick(calls)();
}

function replacement(chance: SeededRandom): string {
  return chance.pick([
    "'X'",
    "'<%0>'",
    "'%1'",
    "'%%'",
    "'%2'",
    "function(a, b) return b or a end",
    "function() return nil end",
    "function() return 5 end",
    "{a = 'A', b = 1, l = false}",
    "''",
    "7",
    "function() return {} end",
    "nil",
  ]);
}

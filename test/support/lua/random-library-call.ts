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

/** A random string literal. */
export function randomStringLiteral(random: SeededRandom): string {
  if (random.is(15)) return `"${random.times(1, 4, () => random.pick(escapes)).join(random.pick(["", "b"]))}"`;
  const word = random.pick(words);
  return random.is(10) ? `[[${word}]]` : JSON.stringify(word);
}

export function randomNumberLiteral(random: SeededRandom): string {
  return random.pick([
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

/** A random pattern, possibly an invalid one. */
function randomPattern(random: SeededRandom): string {
  const body = random.times(1, 4, () => {
    if (random.is(12)) return random.pick(odd);
    const item = random.pick(classes) + random.pick(["", "", "", "*", "+", "-", "?"]);
    return random.is(25) ? `(${item})` : item;
  });
  return (random.is(15) ? "^" : "") + body.join("") + (random.is(15) ? "$" : "");
}

function subject(random: SeededRandom): string {
  if (random.is(5)) return '"a\\0b\\0"';
  return JSON.stringify(random.pick(words));
}

const flags = ["", "", "", "-", "0", "+", " ", "#", "5", "05", "-5", "+.3", ".2", "10.4", ".0", "#5.1", "-10.3", "020"];

function formatCall(random: SeededRandom): string {
  const parts = random.times(1, 3, () => {
    const letter = random.pick(["d", "i", "u", "c", "x", "X", "o", "e", "E", "f", "g", "G", "q", "s", "s", "d"]);
    const value =
      letter === "s" || letter === "q"
        ? random.pick([randomStringLiteral(random), randomNumberLiteral(random)])
        : letter === "c"
          ? random.pick(["65", "97", "10"])
          : formatNumber(random, letter);
    return [
      `%${letter === "q" ? "" : letter === "c" || letter === "s" ? random.pick(["", "5", "-5", ".2", "10"]) : fitting(random, letter)}${letter}`,
      value,
    ] as const;
  });
  return `string.format(${JSON.stringify(parts.map(([directive]) => directive).join("|"))}, ${parts.map(([, value]) => value).join(", ")})`;
}

/** Leaves out flags that C does not define for a conversion. */
function fitting(random: SeededRandom, letter: string): string {
  const flag = random.pick(flags);
  if ("diu".includes(letter)) return flag.replace("#", "");
  return "oxX".includes(letter) ? flag.replace(/[+ ]/, "") : flag;
}

function formatNumber(random: SeededRandom, letter: string): string {
  if ("uoxX".includes(letter)) return random.pick(["0", "1", "42", "255", "65536", "'16'", "1.9", "123456789012"]);
  if ("di".includes(letter)) return random.pick(["0", "1", "-1", "42", "-255", "3.99", "-3.99", "'17'", "123456789012"]);
  return random.pick([
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

const index = (random: SeededRandom) => random.pick(["0", "1", "2", "3", "-1", "-2", "5", "100", "-100", "1.5", "'2'"]);

/** A random library call with a deterministic result or error. */
export function randomLibraryCall(random: SeededRandom): string {
  const calls: readonly (() => string)[] = [
    () => `string.find(${subject(random)}, ${JSON.stringify(randomPattern(random))}${random.is(30) ? `, ${index(random)}` : ""})`,
    () => `string.match(${subject(random)}, ${JSON.stringify(randomPattern(random))}${random.is(30) ? `, ${index(random)}` : ""})`,
    () =>
      `string.gsub(${subject(random)}, ${JSON.stringify(randomPattern(random))}, ${replacement(random)}${random.is(25) ? `, ${index(random)}` : ""})`,
    () => `string.find(${subject(random)}, ${subject(random)}, ${index(random)}, true)`,
    () => formatCall(random),
    () => `string.sub(${randomStringLiteral(random)}, ${index(random)}${random.is(60) ? `, ${index(random)}` : ""})`,
    () => `(${randomStringLiteral(random)}):sub(${index(random)}, ${index(random)})`,
    () => `string.byte(${randomStringLiteral(random)}, ${index(random)}${random.is(50) ? `, ${index(random)}` : ""})`,
    () => `string.char(${random.times(0, 3, () => random.pick(["65", "0", "255", "97.9", "'66'", "256", "-1"])).join(", ")})`,
    () => `string.rep(${randomStringLiteral(random)}, ${index(random)})`,
    () => `string.${random.pick(["upper", "lower", "len", "reverse"])}(${randomStringLiteral(random)})`,
    () =>
      `tonumber(${random.pick([randomStringLiteral(random), randomNumberLiteral(random), "'1e2'", "'0x'", "' 12 '", "'1 2'", "'.5'", "'5.'", "'inf'", "'1e'", "nil", "true", "{}"])})`,
    () =>
      `tonumber(${random.pick(["'ff'", "'10'", "'zz'", "'8'", "' 7 '", "'-11'", "'1.5'", "17", "''"])}, ${random.pick(["2", "8", "10", "16", "36", "1", "37"])})`,
    () => `tostring(${random.pick([randomNumberLiteral(random), "nil", "true", randomStringLiteral(random)])})`,
    () => `math.${random.pick(["floor", "ceil", "abs", "sqrt", "modf", "frexp"])}(${randomNumberLiteral(random)})`,
    () => `math.${random.pick(["max", "min"])}(${random.times(0, 3, () => randomNumberLiteral(random)).join(", ")})`,
    () =>
      `math.${random.pick(["fmod", "pow", "mod"])}(${random.pick(["5", "-5", "5.5", "0", "-7"])}, ${random.pick(["3", "-3", "2", "0.5"])})`,
    () => `math.ldexp(${random.pick(["1", "0.5", "3"])}, ${random.pick(["3", "-2", "0"])})`,
    () =>
      `select(${random.pick(["1", "2", "-1", "'#'", "0", "5", "-5"])}, ${random.times(1, 3, () => randomNumberLiteral(random)).join(", ")})`,
    () =>
      `unpack({${random.times(0, 4, () => randomNumberLiteral(random)).join(", ")}}${random.is(30) ? `, ${random.pick(["1", "2", "0"])}, ${random.pick(["2", "3"])}` : ""})`,
    () =>
      `table.concat({${random.times(0, 4, () => random.pick([randomNumberLiteral(random), randomStringLiteral(random)])).join(", ")}}${random.is(60) ? `, ${randomStringLiteral(random)}` : ""})`,
    () => `type(${random.pick(["nil", "1", "'x'", "{}", "print", "true", ""])})`,
    () =>
      `os.date("!${random.pick(["%Y-%m-%d", "%H:%M:%S", "%c", "%x %X", "%j", "%a %A %b %B", "%d/%m/%y %I %p"])}", ${random.pick(["0", "86400", "1700000000", "951782400", "1e9"])})`,
    () => `rawget({1, 2, a = 3}, ${random.pick(["1", "'a'", "nil", "3"])})`,
    () =>
      `${random.pick(["string.rep", "string.sub", "table.concat", "table.insert", "ipairs", "pairs", "setmetatable", "math.floor", "string.format", "tostring", "unpack", "next", "select", "rawset", "string.gsub", "table.sort", "string.char", "error", "assert", "string.find"])}(${random.times(0, 2, () => random.pick(["nil", "{}", "'x'", "true", "-1"])).join(", ")})`,
  ];
  return random.pick(calls)();
}

function replacement(random: SeededRandom): string {
  return random.pick([
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

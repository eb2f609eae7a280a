import assert from "node:assert/strict";
import test from "node:test";
import { bounded } from "../../../test/support/bounded.ts";
import { compileLua, LuaFault, type LuaLimits } from "./index.ts";

/** Scripts that exceed a limit. None of them may reach the last line. */
const greedy: Readonly<Record<string, string>> = {
  "a loop without end": "while true do end",
  "a loop in a protected call": "pcall(function() while true do end end)",
  "a loop in protected calls without end": "while true do pcall(function() while true do end end) end",
  "a loop in a handler": "xpcall(function() error('x') end, function() while true do end end)",
  "a loop in a coroutine": "coroutine.resume(coroutine.create(function() while true do end end))",
  "a loop in a wrapped coroutine":
    "pcall(coroutine.wrap(function() while true do coroutine.yield() while true do end end end)) while true do end",
  "a loop in a metamethod": "local t = setmetatable({}, {__index = function() while true do end end}) pcall(function() return t.x end)",
  "a loop in an order": "table.sort({3, 2, 1}, function(a, b) while true do end end)",
  "a loop in a replacement": "('x'):gsub('x', function() while true do end end)",
  "a loop in loaded text": "loadstring('while true do end')()",
  "tail calls without end": "local function f() return f() end f()",
  "a jump back without end": "::top:: goto top",
  "a pattern that takes for ever": "string.find(('a'):rep(5000), ('a-'):rep(200) .. 'b')",
  "a string that doubles": "local s = 'x' while true do s = s .. s end",
  "a long string": "string.rep('x', 1e9)",
  "a long string in a protected call": "pcall(string.rep, 'x', 1e9)",
  "a string of strings": "local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(1000) .. i end",
  "many long strings compared": "local a = ('x'):rep(1e6) for i = 1, 1e6 do local b = a .. i if b == a .. (i + 1) then break end end",
  "a table without end": "local t = {} for i = 1, 1e9 do t[i] = i end",
  "keys without end": "local t = {} local i = 0 while true do i = i + 1 t['k' .. i] = true end",
  "tables without end": "local t = {} while true do t = {t} end",
  "functions without end": "local t = {} while true do local u = t t = function() return u end end",
  "coroutines without end": "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
  "a replacement that grows": "local s = 'x' while true do s = s:gsub('x', 'xx') end",
  "a list that is joined": "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1e5) end table.concat(t)",
  "a long pattern without magic": "('a'):rep(4e6):find('b' .. ('a'):rep(2e6), 1, true)",
  "a long line printed": "local s, t = ('x'):rep(1e6), {} for i = 1, 5000 do t[i] = s end print(unpack(t))",
  "a string of many arguments":
    "local s, t = ('x'):rep(1e6), {} for i = 1, 5000 do t[i] = s end string.format(('%s'):rep(5000), unpack(t))",
  "text loaded again and again": "for i = 1, 1e6 do loadstring('return ' .. i) end",
  "long keys": "local t, s = {}, ('x'):rep(1e5) for i = 1, 1e6 do t[s .. i] = true end",
  "a set of a million characters": "local set = '[' .. ('b'):rep(4e6) .. ']' string.gsub(('a'):rep(1e6), set, 'c')",
  "a set at a frontier": "local set = '%f[' .. ('b'):rep(4e6) .. ']' string.find(('a'):rep(1e6), set)",
  "a set that is repeated": "local set = '[' .. ('b'):rep(1e6) .. ']*c' string.find(('a'):rep(1e6), set)",
  "a capture that is put many times": "('x'):rep(4e6):gsub('(.*)', ('%1'):rep(1e6))",
  "a long template for every match": "('x'):rep(1e6):gsub('x', ('%%'):rep(1e6))",
  "thousands of values, again and again": "local t = {} for i = 1, 7000 do t[i] = i end while true do unpack(t) end",
  "thousands of bytes, again and again": "local s = ('x'):rep(7000) while true do s:byte(1, -1) end",
  "a long text in lower case, again and again": "local s = ('x'):rep(1e6) while true do s:lower() end",
  "a long text measured, again and again": "local s = ('x'):rep(4e6) while true do s:find('y', 1, true) end",
  "a date of many parts": "os.date(('%c'):rep(1e6))",
  "keys looked through, again and again": "local t = {} for i = 1, 1e5 do t['k' .. i] = i end while true do table.maxn(t) end",
  "a formatted string": "local s = ('x'):rep(1e6) while true do s = string.format('%s%s', s, s) end",
};

const limits: LuaLimits = { steps: 1_000_000, memory: 16 << 20 };

for (const [what, source] of Object.entries(greedy)) {
  test(`${what} is ended`, () => {
    const lines: string[] = [];
    const script = compileLua(`${source}\nprint("got away")`);
    assert.throws(
      () => bounded(() => script.run({ limits, host: { print: (line) => lines.push(line) } })),
      (error) => error instanceof LuaFault && error.reason === "limit",
    );
    assert.deepEqual(lines, []);
  });
}

test("an exceeded limit names the line", () => {
  assert.throws(() => compileLua("local x = 1\nwhile true do\n x = x + 1\nend").run({ limits }), {
    message: "script:2: the script takes more steps than it may",
  });
  assert.throws(() => compileLua("local x = 1\nx = string.rep('x', 1e9)").run({ limits }), {
    message: "script:2: the script uses more memory than it may",
  });
});

test("a script that calls itself without end fails as in Lua, and may catch that", () => {
  const source = "local function f() return 1 + f() end\nlocal ok, message = pcall(f)\nreturn ok, message";
  assert.deepEqual(compileLua(source).run({ limits }), [false, "script:1: stack overflow"]);
  assert.throws(() => compileLua("local function f() return 1 + f() end f()").run(), {
    reason: "runtime",
    message: "script:1: stack overflow",
  });
});

test("deep calls through the library fail as in Lua, whatever JavaScript's own stack holds", () => {
  const source =
    "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k + 1] end return pcall(function() return t[1] end)";
  assert.deepEqual(compileLua(source).run({ limits: { ...limits, depth: 1_000_000 } })[0], false);
});

test("a run after an exceeded limit starts from a clean state", () => {
  const script = compileLua("function evaluate(n) local x = 0 for i = 1, n do x = x + i end return x end");
  assert.throws(() => script.call("evaluate", [1e9], { limits }), { reason: "limit" });
  assert.deepEqual(script.call("evaluate", [10], { limits }), [55]);
});

test("a result that would be huge as JSON is refused", () => {
  const source = "local t = {1} for i = 1, 40 do t = {t, t} end return t";
  assert.throws(() => compileLua(source).run({ limits }), { reason: "limit" });
});

/** Names that a script must not reach. */
for (const name of [
  "io",
  "package",
  "dofile",
  "loadfile",
  "module",
  "os.execute",
  "os.exit",
  "os.getenv",
  "os.remove",
  "os.rename",
  "os.tmpname",
  "debug.getinfo",
  "debug.sethook",
  "string.dump",
  "newproxy",
  "channel",
]) {
  test(`there is no ${name}`, () => assert.deepEqual(compileLua(`return ${name} == nil`).run(), [true]));
}

/** JavaScript property names are ordinary keys in a script. */
for (const name of [
  "constructor",
  "__proto__",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "process",
  "globalThis",
  "this",
  "arguments",
  "eval",
  "require",
]) {
  test(`${name} is a name like any other`, () => {
    const source = `local ${name} = 1 local t = {} t.${name} = ${name} + 1 return t.${name}, ("").${name}, ({}).${name}, obj.${name}`;
    assert.deepEqual(compileLua(source).run({ globals: { obj: {} } }), [2, undefined, undefined, undefined]);
    if (name !== "require") assert.deepEqual(compileLua(`return ${name}`).run(), [undefined]);
  });
}

test("no text of a script becomes JavaScript", () => {
  const hostile = "`${globalThis.process.exit()}` */ '); //\\u0027 ";
  const source = `local a = [==[${hostile}]==] local t = {} t[a] = a return t[a], #a, select(2, pcall(error, a, 0))`;
  assert.deepEqual(compileLua(source).run(), [hostile, hostile.length, hostile]);
});

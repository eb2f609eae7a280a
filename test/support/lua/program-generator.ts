import { SeededRandom } from "./seeded-random.ts";
import { randomLibraryCall, randomNumberLiteral, randomStringLiteral } from "./random-library-call.ts";

/** Prints values without addresses, and tables with sorted keys. */
export const prelude = `local function show(v, d)
  d = d or 0
  if type(v) == "string" then return "'" .. v .. "'" end
  if type(v) ~= "table" then return type(v) == "function" and "function" or type(v) == "thread" and "thread" or tostring(v) end
  if d > 3 then return "{...}" end
  local keys = {}
  for k in pairs(v) do keys[#keys + 1] = k end
  table.sort(keys, function(a, b) if type(a) == "number" and type(b) == "number" then return a < b end return type(a) .. tostring(a) < type(b) .. tostring(b) end)
  local parts = {}
  for _, k in ipairs(keys) do parts[#parts + 1] = "[" .. show(k, d + 1) .. "]=" .. show(rawget(v, k), d + 1) end
  return "{" .. table.concat(parts, " ") .. "}"
end
local function out(...)
  local parts = {}
  for i = 1, select("#", ...) do parts[i] = show((select(i, ...))) end
  print(table.concat(parts, " | "))
end
local function try(f, ...) out(pcall(f, ...)) end
`;

const globalNames = ["g1", "g2", "missing"];

/** Generates programs that print every result, and print the same in every Lua 5.1. */
export class ProgramGenerator {
  readonly random: SeededRandom;
  #locals: string[] = [];
  #count = 0;
  #depth = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  program(): string {
    const statements = this.random.times(4, 12, () => this.#statement());
    return `${prelude}g1, g2 = 5, "text"\n${statements.join("\n")}\n`;
  }

  #fresh(): string {
    this.#count += 1;
    return `x${this.#count}`;
  }

  #expression(): string {
    const { random } = this;
    this.#depth += 1;
    const isLeaf = this.#depth > 4 || random.is(35);
    const text = isLeaf ? this.#leaf() : this.#compound();
    this.#depth -= 1;
    return text;
  }

  #leaf(): string {
    const { random } = this;
    const kinds = [
      () => randomNumberLiteral(random),
      () => randomNumberLiteral(random),
      () => randomStringLiteral(random),
      () => this.#variable(),
      () => this.#variable(),
      () => random.pick(["nil", "true", "false"]),
      () => random.pick(globalNames),
    ];
    return random.pick(kinds)();
  }

  #variable(): string {
    return this.#locals.length === 0 ? "g1" : this.random.pick(this.#locals);
  }

  #compound(): string {
    const { random } = this;
    const kinds = [
      () => `(${this.#expression()} ${random.pick(["+", "-", "*", "/", "%", "^"])} ${this.#expression()})`,
      () => `(${randomNumberLiteral(random)} ${random.pick(["+", "-", "*", "/", "%"])} ${this.#expression()})`,
      () => `(${this.#expression()} ${random.pick(["==", "~=", "<", "<=", ">", ">="])} ${this.#expression()})`,
      // Passed as an argument, because lua5.1's name for the operand in messages is arbitrary.
      () => `(select(1, ${this.#expression()} ${random.pick(["and", "or"])} ${this.#expression()}))`,
      () => `(${this.#expression()} .. ${this.#expression()})`,
      () => random.pick(["-", "not ", "#"]) + this.#leaf(),
      () => this.#table(),
      () => `(${randomLibraryCall(random)})`,
      () => `${this.#variable()}.${random.pick(["a", "b", "n"])}`,
      () => `${this.#variable()}[${this.#expression()}]`,
      () => `(function(...) ${this.#body(["p", "q"], "local p, q = ...")} end)(${random.times(0, 3, () => this.#expression()).join(", ")})`,
    ];
    return random.pick(kinds)();
  }

  #table(): string {
    const items = this.random.times(0, 4, () =>
      this.random.pick([
        () => this.#expression(),
        () => `${this.random.pick(["a", "b", "n"])} = ${this.#expression()}`,
        () => `[${this.random.pick(["1", "2", "'k'", "10", "1.5", "true"])}] = ${this.#expression()}`,
      ])(),
    );
    // A list with a hole has no defined length.
    return `{${items.map((item) => (item === "nil" ? "0" : item)).join(", ")}}`;
  }

  /** The body of a function: statements and a return. */
  #body(parameters: readonly string[], first = ""): string {
    const outer = this.#locals;
    this.#locals = [...outer, ...parameters];
    this.#depth += 1;
    const statements = this.#depth > 3 ? [] : this.random.times(0, 2, () => this.#statement());
    const values = this.random.times(0, 2, () => this.#expression()).join(", ");
    this.#depth -= 1;
    this.#locals = outer;
    return `${first} ${statements.join(" ")} return ${values}`;
  }

  #block(names: readonly string[] = []): string {
    const outer = this.#locals;
    this.#locals = [...outer, ...names];
    this.#depth += 1;
    const statements = this.#depth > 3 ? [`out(${this.#expression()})`] : this.random.times(1, 3, () => this.#statement());
    this.#depth -= 1;
    this.#locals = outer;
    return statements.join("\n");
  }

  #tried(expression: string): string {
    return `try(function() return ${expression} end)`;
  }

  #statement(): string {
    const { random } = this;
    return random.pick([
      () => this.#tried(randomLibraryCall(random)),
      () => this.#tried(randomLibraryCall(random)),
      () => this.#tried(this.#expression()),
      () => this.#tried(this.#expression()),
      () => this.#local(),
      () => this.#local(),
      () => this.#assignment(),
      () => `try(function()\n${this.#block()}\nend)`,
      () => `if ${this.#safe()} then\n${this.#block()}\nelse\n${this.#block()}\nend`,
      () => this.#loop(),
      () => this.#loop(),
      () => this.#tables(),
      () => this.#metatable(),
      () => this.#closures(),
      () => this.#errors(),
      () => this.#coroutine(),
      () => this.#functions(),
    ])();
  }

  #safe(): string {
    return this.random.pick(["true", "false", "nil", this.#variable(), `${this.#variable()} == nil`, "1 < 2", "not g1"]);
  }

  #local(): string {
    const names = this.random.times(1, 2, () => this.#fresh());
    const values = this.random.times(0, 3, () => this.#literal());
    this.#locals = [...this.#locals, ...names];
    return `local ${names.join(", ")}${values.length === 0 ? "" : ` = ${values.join(", ")}`}`;
  }

  #literal(): string {
    const { random } = this;
    return random.pick([
      () => randomNumberLiteral(random),
      () => randomStringLiteral(random),
      () => "{1, 2, 3}",
      () => "{a = 1, b = 'x', n = {a = 2}}",
      () => "nil",
      () => "true",
      () => this.#variable(),
    ])();
  }

  #assignment(): string {
    const name = this.#variable();
    const other = this.#variable();
    return this.random.pick([
      () => `try(function() ${name} = ${this.#expression()} return ${name} end)`,
      () => `${name}, ${other} = ${other}, ${name}`,
      () => `try(function() ${name}.a = ${this.#expression()} return ${name}.a end)`,
      () => `try(function() ${name}[${this.#expression()}] = ${this.#literal()} return ${name} end)`,
      () => `try(function() ${name}.b, ${other} = ${this.#expression()}, ${this.#expression()} return ${name}, ${other} end)`,
    ])();
  }

  #loop(): string {
    const { random } = this;
    const [name, other] = [this.#fresh(), this.#fresh()];
    return random.pick([
      () =>
        `for ${name} = ${random.pick(["1", "0", "3", "-1", "0.1", "'2'"])}, ${random.pick(["3", "0", "5", "0.5", "'4'"])}${random.is(50) ? `, ${random.pick(["1", "2", "-1", "0.1", "0.5"])}` : ""} do\n${this.#block([name])}\nend`,
      () =>
        `for ${name}, ${other} in ipairs({${random.times(0, 3, () => this.#literal()).join(", ")}}) do\n${this.#block([name, other])}\nend`,
      () => `do local c = 0 while c < 3 do c = c + 1\n${this.#block()}\nif ${this.#safe()} then break end end end`,
      () => `do local c = 0 repeat local last = c c = c + 1\n${this.#block()}\nuntil last >= 2 end`,
      () => `try(function() for ${name} = ${this.#expression()}, ${this.#expression()} do out(${name}) break end end)`,
      () =>
        `for ${name} in string.gmatch(${randomStringLiteral(random)}, ${JSON.stringify(random.pick(["%w+", "[^,]*", "(%w)(%w)", ".", "()", "%d"]))}) do\n${this.#block([name])}\nend`,
    ])();
  }

  #tables(): string {
    const { random } = this;
    const name = this.#fresh();
    const operations = random.times(1, 5, () =>
      random.pick([
        () => `table.insert(t, ${this.#leafNotNil()})`,
        () => `table.insert(t, ${random.pick(["1", "math.min(2, #t + 1)", "#t + 1"])}, ${this.#leafNotNil()})`,
        () => `out(table.remove(t${random.is(50) ? `, ${random.pick(["1", "#t", "0", "10"])}` : ""}))`,
        () => "t[#t] = nil",
        () => `t[#t + 1] = ${this.#leafNotNil()}`,
        () => "out(#t, table.maxn(t), table.getn(t))",
        () => `out(pcall(table.concat, t, ${randomStringLiteral(random)}))`,
        () =>
          `out(pcall(table.sort, t${random.is(50) ? ", function(a, b) return type(a) .. tostring(a) > type(b) .. tostring(b) end" : ""}))`,
        () => `t.${random.pick(["a", "b"])} = ${this.#literal()}`,
        () => "for k, v in pairs(t) do t[k] = v end",
        () => "out(next({}), next({5}), unpack(t))",
      ])(),
    );
    return `do local t = {${random.times(0, 4, () => this.#leafNotNil()).join(", ")}} ${operations.join(" ")} out(t) end local ${name} = {4, 5}`;
  }

  #leafNotNil(): string {
    return this.random.pick([() => randomNumberLiteral(this.random), () => randomStringLiteral(this.random)])();
  }

  #metatable(): string {
    const { random } = this;
    const name = this.#fresh();
    const events = random.times(1, 4, () =>
      random.pick([
        "__index = function(t, k) return k end",
        "__index = {a = 'from index', c = 3}",
        "__newindex = function(t, k, v) rawset(t, k, {v}) end",
        "__call = function(self, ...) return 'called', ... end",
        "__add = function(a, b) return 'add' end",
        "__sub = function(a, b) return type(a) .. type(b) end",
        "__concat = function(a, b) return 'concat' .. type(a) end",
        "__unm = function(a) return 'unm' end",
        "__len = function(a) return 42 end",
        "__eq = function(a, b) return true end",
        "__lt = function(a, b) return true end",
        "__le = function(a, b) return false end",
        "__tostring = function() return 'T!' end",
        "__metatable = 'locked'",
        "__mod = function() error('in mod') end",
        "__index = function(t, k) error('no ' .. tostring(k), 2) end",
      ]),
    );
    const uses = random.times(2, 5, () =>
      random.pick([
        `${name}.a`,
        `${name}.zzz`,
        `${name}[1]`,
        `${name}(1, 2)`,
        `${name} + 1`,
        `1 - ${name}`,
        `${name} .. "x"`,
        `"x" .. ${name}`,
        `-${name}`,
        `#${name}`,
        `${name} == {}`,
        `${name} < ${name}`,
        `${name} <= ${name}`,
        `${name} < 1`,
        `tostring(${name})`,
        `getmetatable(${name}) == 'locked'`,
        `${name} % 2`,
        `setmetatable(${name}, nil) == nil`,
        `rawget(${name}, 'a')`,
        `${name}:foo(1)`,
        `pcall(function() ${name}.new = 1 end)`,
      ]),
    );
    const checks = uses.map((use) => `try(function() return ${use} end)`);
    const twin = `local other${name} = setmetatable({}, getmetatable(${name})) try(function() return ${name} == other${name}, ${name} < other${name} end)`;
    return `local ${name} = setmetatable({b = 1}, {${events.join(", ")}})\n${checks.join("\n")}${events.some((event) => event.includes("__metatable")) ? "" : `\n${twin}`}`;
  }

  #closures(): string {
    const { random } = this;
    return random.pick([
      "do local fs = {} for i = 1, 3 do fs[i] = function() i = i + 1 return i end end out(fs[1](), fs[1](), fs[2](), fs[3]()) end",
      "do local function counter() local n = 0 return function() n = n + 1 return n end, function() return n end end local a, b = counter() a() a() out(b()) end",
      "do local fs = {} local i = 0 while i < 3 do i = i + 1 local j = i fs[i] = function() j = j + 1 return j end end out(fs[1](), fs[2](), fs[3](), fs[1]()) end",
      "do local function f(n) if n == 0 then return 'end' end return f(n - 1) end out(f(1000)) end",
      `do local function f(...) return select('#', ...), ... end out(f()) out(f(nil)) out(f(nil, nil)) out((f(1, 2))) out(f(1, f(2, 3))) out({f(1)}, {f(), 2}) end`,
      `do local function f(a, ...) local b, c = ... return a, b, c end out(f(${random.times(0, 4, () => this.#literal()).join(", ")})) end`,
      "do local function f(...) return arg.n, arg[1] end out(f(4, 5)) end",
      "do local a = {} function a.b(x) return x end function a:c(x) return self == a, x end out(a.b(1), a:c(2), a.c(a, 3)) end",
      "do local x = 1 do local x = x + 1 out(x) end out(x) end",
      "do local a, b, c = (function() return 1, 2, 3 end)() out(a, b, c) local d, e = ((function() return 1, 2 end)()) out(d, e) end",
      "do local t = {} t.x, t.y = 1, 2, 3 local i = 1 i, t[i] = i + 1, 20 out(t, i) end",
    ]);
  }

  #errors(): string {
    const { random } = this;
    const value = random.pick(["'msg'", "42", "{code = 1}", "nil", "true", "'msg', 0", "'msg', 1", "'msg', 2", "'msg', 3"]);
    return random.pick([
      `try(function()\n error(${value})\nend)`,
      `try(function()\n local function f()\n  error(${value})\n end\n f()\nend)`,
      `do local function f()\n return error(${value}) end\ntry(function() return f() end) end`,
      `do local function f() error(${value}) end\nlocal function g()\n return f() end\ntry(function()\n g() end) end`,
      "out(xpcall(function() error('x') end, function(m) return 'handled: ' .. m end))",
      "out(xpcall(function() return 1, 2 end, print))",
      "out(pcall(pcall, error, 'e'))",
      `try(assert, ${random.pick(["false", "nil, 'why'", "1, 2", "false, 'm'", ""])})`,
      `try(function() local a = {} ; a.b.c = ${random.below(9)} end)`,
      "try(function() local s = 'x' ; return s.y.z end)",
      `try(function()\n\n return ${this.#variable()}.q.r end)`,
      `try(function() return ${this.#variable()}(1) end)`,
      `try(function() return ${this.#variable()}:m(1) end)`,
      "try(function() undefinedFunction() end)",
      "try(function() return #nil end)".replace("#nil", "#missing"),
      "try(function() local a = {} a[nil] = 1 end)",
      "try(function() local a = {} a[0/0] = 1 end)",
      "try(function() for i = 1, 'x' do end end)",
      "try(function() for i = 'x', 1 do end end)",
      "try(function() for i = 1, 2, {} do end end)",
      "try(function() for i in 5 do end end)",
      `try(loadstring, ${randomStringLiteral(random)})`,
      `out(loadstring("return 1 + 1")())`,
      "try(function() local f = loadstring('y = (y or 0) + 1 return y, x') setfenv(f, {x = 'own'}) out(f()) out(f()) out(y) end)",
      "try(function() local function f() return z end out(getfenv(f) == getfenv(1)) setfenv(f, {z = 5}) out(f(), z) end)",
      "try(function() setfenv(1, setmetatable({}, {__index = getfenv(1)})) fresh = 1 out(fresh, rawget(_G, 'fresh')) end)",
      "try(setfenv, string.rep, {})",
      "try(function() setfenv(100, {}) end)",
      "try(string.rep)",
      "try(function() string.rep() end)",
      "try(function() ('x'):rep({}) end)",
      "try(function() ('x'):bad() end)",
      "try(function() local t = {} t:insert(1) end)",
    ]);
  }

  #coroutine(): string {
    return this.random.pick([
      "do local co = coroutine.create(function(a, b) out(a, b) local c = coroutine.yield(a + b) out(c) local d, e = coroutine.yield(c * 2) return d, e end) out(coroutine.resume(co, 1, 2)) out(coroutine.status(co)) out(coroutine.resume(co, 10)) out(coroutine.resume(co, 'x', 'y')) out(coroutine.status(co)) out(coroutine.resume(co)) end",
      "do local function gen(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end for i in gen(3) do out(i) end end",
      "do local co = coroutine.create(function() error('oops') end) out(coroutine.resume(co)) out(coroutine.status(co)) end",
      "do local co = coroutine.create(function() error({}) end) out(coroutine.resume(co)) end",
      "do local co co = coroutine.create(function() out(coroutine.status(co)) out(coroutine.resume(co)) out(coroutine.running() == co) end) out(coroutine.resume(co)) end",
      "do local function inner() coroutine.yield('deep') return 'back' end local co = coroutine.wrap(function() local r = inner() coroutine.yield(r) return inner() end) out(co(), co(), co(), co()) end",
      "try(function() local co = coroutine.wrap(function() error('in wrap') end) co() end)",
      "do local co = coroutine.wrap(function() return pcall(coroutine.yield, 1) end) out(co()) end",
      "do local co = coroutine.wrap(function() local t = setmetatable({}, {__index = function(t, k) return coroutine.yield(k) end}) return t.x end) try(co) end",
      "do local co = coroutine.wrap(function(...) local n = select('#', ...) while true do n = n + select('#', coroutine.yield(n)) end end) out(co(1, 2), co(), co(nil, nil)) end",
      "try(coroutine.resume, 5)",
    ]);
  }

  #functions(): string {
    const name = this.#fresh();
    const text = `local function ${name}(a, b)\n${this.#body(["a", "b"])}\nend\ntry(${name}, ${this.#literal()}, ${this.#literal()})`;
    this.#locals = [...this.#locals, name];
    return text;
  }
}

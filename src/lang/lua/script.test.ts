import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { compileLua, LuaFault, type Extensions, type LuaJson } from "./index.ts";

function evaluate(source: string, value: LuaJson): LuaJson | undefined {
  return compileLua(`function evaluate(o) ${source} end`).call("evaluate", [value], { globals: { obj: value } })[0];
}

const deployment = {
  metadata: { name: "web", labels: { app: "web", tier: "front" }, annotations: {}, finalizers: [] },
  spec: { replicas: 3, ports: [80, 443], paused: false, note: null, containers: [{ name: "a" }, { name: "b" }] },
};

/** A script over the deployment above, and what it returns. */
const cases: Readonly<Record<string, LuaJson | undefined>> = {
  "return obj.metadata.name": "web",
  "return obj == o": true,
  "return obj.metadata == o.metadata": true,
  "return obj.spec.replicas + 1": 4,
  "return 'replicas: ' .. obj.spec.replicas": "replicas: 3",
  "return obj.spec.note": undefined,
  "return obj.spec.note == nil and obj.spec.paused == false": true,
  "return #obj.spec.containers": 2,
  "return obj.spec.containers[2].name": "b",
  "return obj.spec.containers[0]": undefined,
  "return #obj.spec.ports, obj.spec.ports[2]": 2,
  "return obj.missing": undefined,
  "local n = 0 for k, v in pairs(obj.metadata.labels) do n = n + #k + #v end return n": 15,
  "local names = {} for i, c in ipairs(obj.spec.containers) do names[i] = c.name end return names": ["a", "b"],
  "obj.metadata.labels.app = nil return obj.metadata.labels": { tier: "front" },
  "obj.metadata.labels.app = 'x' return o.metadata.labels.app": "x",
  "obj.metadata.labels.new = 1 local n = 0 for _ in pairs(obj.metadata.labels) do n = n + 1 end return n": 3,
  "table.insert(obj.spec.containers, {name = 'c'}) return obj.spec.containers": [{ name: "a" }, { name: "b" }, { name: "c" }],
  "obj.metadata.labels.x = 'y' return obj.metadata": {
    name: "web",
    labels: { app: "web", tier: "front", x: "y" },
    annotations: {},
    finalizers: [],
  },
  "return {}": {},
  "return {1, 2, nil, 4}": [1, 2, null, 4],
  "return {1, 2, x = 3}": [1, 2],
  "return {x = {y = {1}}, b = true, s = 'é', f = 0.5}": { x: { y: [1] }, b: true, s: "é", f: 0.5 },
  "return next(obj.metadata.annotations)": undefined,
  "return type(obj), type(obj.spec.ports)": "table",
  "return obj.toString == nil and obj.constructor == nil and obj.__proto__ == nil and toString == nil": true,
  "return obj.hasOwnProperty == nil and obj.spec['valueOf'] == nil and string.__proto__ == nil": true,
  "return _G._G == _G and _G.string == string and _G.require == require and _G.obj == obj": true,
  "return getmetatable('').__index == string and require('string') == string": true,
  "string = nil return ('x'):upper()": "X",
  "string = {upper = 1} return ('x'):upper()": "X",
  "string.upper = function() return 'mine' end return ('x'):upper()": "mine",
  "_G = nil require = nil return _G == nil and require == nil and getfenv().string == string": true,
};

for (const [source, expected] of Object.entries(cases)) {
  test(source, () => assert.deepEqual(evaluate(source, deployment), expected));
}

test("an unchanged table returns as the same object", () => {
  assert.equal(evaluate("for k, v in pairs(obj.spec) do end return obj", deployment), deployment);
  const [result] = compileLua("function evaluate() return {resources = resources} end").call("evaluate", [], {
    globals: { resources: [deployment] },
  });
  assert.equal((result as { resources: LuaJson[] }).resources[0], deployment);
});

test("writing to a table does not change its source object", () => {
  const given = structuredClone(deployment);
  const frozen = freeze(given);
  evaluate("obj.spec.replicas = 9 obj.metadata.labels.app = nil table.remove(obj.spec.containers) obj.extra = {} return obj", frozen);
  assert.deepEqual(frozen, deployment);
});

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}

test("any JSON without null comes through a script that copies it", () => {
  const copy = `local function copy(v) if type(v) ~= "table" then return v end local r = {} for k, x in pairs(v) do r[k] = copy(x) end return r end return copy(o)`;
  const leaf = fc.oneof(
    fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
    fc.integer(),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  // An empty table that was written to is an object.
  const { json } = fc.letrec<{ json: LuaJson; array: LuaJson[]; object: Record<string, LuaJson> }>((tie) => ({
    json: fc.oneof({ maxDepth: 4 }, leaf, tie("array"), tie("object")),
    array: fc.array(tie("json"), { minLength: 1, maxLength: 4 }),
    object: fc.dictionary(fc.string(), tie("json"), { maxKeys: 4, noNullPrototype: true }),
  }));
  fc.assert(
    fc.property(json, (value) => assert.deepEqual(evaluate(copy, value), value)),
    { numRuns: 300 },
  );
});

test("the script is read first, then the globals are there, then the function is called", () => {
  const source = "local before = obj function evaluate() return before == nil, obj ~= nil end";
  assert.deepEqual(compileLua(source).call("evaluate", [], { globals: { obj: {} } }), [true, true]);
});

test("every call starts with new globals", () => {
  const script = compileLua(
    "count = (count or 0) + 1 string.seen = (string.seen or 0) + 1 function evaluate() count = count + 1 return count, string.seen end",
  );
  assert.deepEqual(
    [script.call("evaluate", []), script.call("evaluate", [])],
    [
      [2, 1],
      [2, 1],
    ],
  );
});

test("a script cannot change its inputs", () => {
  const given = { spec: { ports: [{ port: 80 }], paused: false }, labels: { app: "web" } };
  const text = JSON.stringify(given);
  const source = `function evaluate(o)
    local was = #o.spec.ports .. o.spec.ports[1].port .. tostring(o.spec.paused) .. tostring(o.labels.app) .. tostring(leaked)
    o.spec.ports[1].port = 81 table.insert(obj.spec.ports, 1) obj.spec.paused = true obj.labels.app = nil o.more = {} leaked = o
    for key in pairs(string) do string[key] = nil end
    return was
  end`;
  for (let run = 0; run < 3; run++)
    assert.deepEqual(compileLua(source).call("evaluate", [given], { globals: { obj: given } }), ["180falsewebnil"]);
  assert.equal(JSON.stringify(given), text);
});

test("the key __proto__ becomes a property of the result", () => {
  const [json] = compileLua("return {['__proto__'] = {a = 1}, constructor = 'x'}").run();
  assert.equal(JSON.stringify(json), '{"__proto__":{"a":1},"constructor":"x"}');
  assert.equal(Object.getPrototypeOf(json), Object.prototype);
});

test("a script is compiled once", () => {
  assert.equal(compileLua("return 1", "a"), compileLua("return 1", "a"));
  assert.notEqual(compileLua("return 1", "a"), compileLua("return 1", "b"));
});

/** Failing scripts and their messages. */
const faults: Readonly<Record<string, string>> = {
  "x = 1": "test: there is no function 'evaluate' (it is nil)",
  "evaluate = 5": "test: there is no function 'evaluate' (it is a number)",
  "function evaluate() return obj.spec.replicas end": "test:1: attempt to index global 'obj' (a nil value)",
  "function evaluate()\n  local hs = {}\n  hs.message = 'x' .. hs.nothing\nend":
    "test:3: attempt to concatenate field 'nothing' (a nil value)",
  "function evaluate() error({}) end": "test: the error is a table value",
  "function evaluate() error('naïve', 0) end": "naïve",
  "function evaluate() return print end": "cannot convert a function to JSON",
  "function evaluate() return 0/0 end": "cannot convert nan to JSON",
  "function evaluate() local t = {} t.t = t return t end": "cannot convert a table that holds itself to JSON",
  "function evaluate() return require('nothing') end": "test:1: module 'nothing' not found",
  "function evaluate(": "test:1: <name> or '...' expected near '<eof>'",
};

for (const [source, message] of Object.entries(faults)) {
  test(message, () => {
    assert.throws(
      () => compileLua(source, "test").call("evaluate", []),
      (error) => error instanceof LuaFault && error.message === message,
    );
  });
}

test("modules and functions of the host are there for scripts", () => {
  const extensions: Extensions = {
    modules: { greeting: { hello: (name: unknown) => `hello ${String(name)}`, polite: true } },
    globals: { twice: (n: unknown) => Number(n) * 2 },
  };
  const source =
    "local greeting = require('greeting') return greeting.hello('you'), greeting.polite, twice(4), require('greeting') == greeting, require('string') == string";
  assert.deepEqual(compileLua(source).run({ extensions }), ["hello you", true, 8, true, true]);
});

test("clock, randomness and output come from the host", () => {
  const lines: string[] = [];
  const host = { now: () => 1_700_000_000.5, random: () => 0.5, print: (line: string) => void lines.push(line) };
  const source = "print('a', 1, nil) return os.time(), os.date('%Y-%m-%d'), math.random(), math.random(10), os.date('*t').hour";
  assert.deepEqual(compileLua(source).run({ host }), [1_700_000_000, "2023-11-14", 0.5, 6, 22]);
  assert.deepEqual(lines, ["a\t1\tnil"]);
});

test("a host function may run another script", () => {
  const inner = compileLua("local t = {} for i = 1, 3 do t[i] = i end return #t");
  const extensions: Extensions = { globals: { count: () => Number(inner.run()[0]) } };
  assert.deepEqual(compileLua("local a = count() return a + count(), ('x'):rep(2)").run({ extensions }), [6, "xx"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { luaEventSource, serviceFrom, eventSourceOf, resultText } from "../../../test/support/evaluate/event-sources.ts";
import { evaluateObjects, EventSourceEvaluator } from "./index.ts";

const labelled = eventSourceOf(
  'resourceSelectors:\n- {group: "", version: v1, kind: Service, labelFilters: [{key: sveltos, operation: Equal, value: fv}]}\n',
);

/** The script of the recording 02-lua-event: it fails on bad-service. */
const fussy = luaEventSource(`function evaluate()
  hs = {}
  hs.matching = false
  hs.message = ""
  if obj.metadata.name == "bad-service" then
    hs.message = obj.spec.nothing.here
  end
  if obj.metadata.labels ~= nil then
    for key, value in pairs(obj.metadata.labels) do
      if key == "sveltos" then
        if value == "fv" then
          hs.matching = true
          hs.message = "service " .. obj.metadata.name .. " matches"
        end
      end
    end
  end
  return hs
end`);

test("matches are ordered by namespace and name", () => {
  const objects = ["b/a sveltos=fv", "a/z sveltos=fv", "a/b sveltos=fv", "a/c"].map((text) => serviceFrom(text));
  assert.equal(resultText(evaluateObjects(labelled, objects)), "a/b a/z b/a");
});

test("objects are added, changed and removed", () => {
  const evaluator = new EventSourceEvaluator(labelled);
  assert.equal(resultText(evaluator.evaluate()), "");
  evaluator.put(serviceFrom("a/x sveltos=fv"));
  evaluator.put(serviceFrom("a/y"));
  assert.equal(resultText(evaluator.evaluate()), "a/x");
  evaluator.put(serviceFrom("a/y sveltos=fv"));
  assert.equal(resultText(evaluator.evaluate()), "a/x a/y");
  evaluator.put(serviceFrom("a/x sveltos=no"));
  assert.equal(resultText(evaluator.evaluate()), "a/y");
  evaluator.remove(refOf(serviceFrom("a/y")));
  assert.equal(resultText(evaluator.evaluate()), "");
});

test("when one of 10,000 objects changes, one is evaluated", () => {
  const evaluator = new EventSourceEvaluator(labelled);
  for (let index = 0; index < 10_000; index++) evaluator.put(serviceFrom(`a/s${index} sveltos=fv`));
  assert.equal(evaluator.evaluate().matches.length, 10_000);
  assert.equal(evaluator.evaluated, 10_000);
  evaluator.put(serviceFrom("a/s77 sveltos=no"));
  assert.equal(evaluator.evaluate().matches.length, 9999);
  assert.equal(evaluator.evaluated, 10_001);
});

test("an object that changes several times between two evaluations is evaluated once", () => {
  const evaluator = new EventSourceEvaluator(labelled);
  for (let index = 0; index < 5; index++) evaluator.put(serviceFrom("a/x sveltos=fv", [index]));
  assert.deepEqual(evaluator.evaluate().matches[0]?.object, serviceFrom("a/x sveltos=fv", [4]));
  assert.equal(evaluator.evaluated, 1);
});

test("an object that two selectors match is listed once", () => {
  const twice = eventSourceOf(
    'resourceSelectors:\n- {group: "", version: v1, kind: Service}\n- {group: "", version: v1, kind: Service, namespace: a}\n',
  );
  assert.equal(resultText(evaluateObjects(twice, [serviceFrom("a/x"), serviceFrom("b/y")])), "a/x b/y");
});

test("a script that fails on one object does not affect other objects", () => {
  const objects = ["default/my-service sveltos=fv", "default/bad-service sveltos=fv", "default/another-service sveltos=fv"];
  const result = evaluateObjects(
    fussy,
    objects.map((text) => serviceFrom(text)),
  );
  assert.deepEqual(
    result.matches.map(({ ref, message }) => `${ref.name}: ${message}`),
    ["another-service: service another-service matches", "my-service: service my-service matches"],
  );
  assert.equal(resultText({ ...result, matches: [] }), "; kept default/bad-service: es:6: attempt to index field 'nothing' (a nil value)");
});

test("an object whose script fails keeps its last result, with the content of that time", () => {
  const picky = luaEventSource(`function evaluate()
  if obj.spec.ports[1].port == 0 then error("port 0") end
  return {matching = obj.spec.ports[1].port == 443}
end`);
  const evaluator = new EventSourceEvaluator(picky);
  evaluator.put(serviceFrom("a/x", [443]));
  evaluator.put(serviceFrom("a/y", [80]));
  assert.equal(resultText(evaluator.evaluate()), "a/x");
  for (const name of ["a/x", "a/y", "a/z"]) evaluator.put(serviceFrom(name, [0]));
  const result = evaluator.evaluate();
  assert.equal(resultText(result), ["a/x", "kept a/x: es:2: port 0", "kept a/y: es:2: port 0", "kept a/z: es:2: port 0"].join("; "));
  assert.deepEqual(result.matches[0]?.object, serviceFrom("a/x", [443]));
  evaluator.remove(refOf(serviceFrom("a/x")));
  evaluator.put(serviceFrom("a/y", [443]));
  assert.equal(resultText(evaluator.evaluate()), "a/y; kept a/z: es:2: port 0");
});

const broken: readonly [what: string, script: string, reason: RegExp][] = [
  ["is no Lua", "function evaluate(", /^es:\d+: /],
  ["has no function evaluate", "function judge() return {} end", /evaluate/],
  ["returns true", "function evaluate() return true end", /^evaluate returned true; expected a table$/],
  [
    "returns a string for a boolean",
    'function evaluate() return {matching = "true"} end',
    /^evaluate returned matching = the string "true"/,
  ],
  ["never ends", "function evaluate() while true do pcall(evaluate) end end", /steps|limit|memory|deep/],
  ["eats memory", 'function evaluate() local s = "x" while true do s = s .. s end end', /./],
];

for (const [what, script, reason] of broken)
  test(`a script that ${what} removes no match`, () => {
    const last = evaluateObjects(labelled, [serviceFrom("a/x sveltos=fv"), serviceFrom("a/y")]).matches;
    const evaluator = new EventSourceEvaluator(luaEventSource(script), { last });
    for (const name of ["a/x sveltos=fv", "a/y", "a/z sveltos=fv"]) evaluator.put(serviceFrom(name));
    const { matches, failures } = evaluator.evaluate();
    assert.deepEqual(
      matches.map(({ ref }) => ref.name),
      ["x"],
    );
    assert.match(failures[0]?.reason ?? "", reason);
    evaluator.remove(refOf(serviceFrom("a/x")));
    assert.deepEqual(evaluator.evaluate().matches, []);
  });

test("after several scripts that exceed their limits other objects wait, and no match is removed", () => {
  const slow = luaEventSource(`function evaluate()
  while obj.spec.ports[1].port == 0 do end
  return {matching = true}
end`);
  const objects = Array.from({ length: 10 }, (_, index) => serviceFrom(`a/s${index}`, [0]));
  const last = evaluateObjects(labelled, [serviceFrom("a/s0 sveltos=fv"), serviceFrom("a/s9 sveltos=fv")]).matches;
  const evaluator = new EventSourceEvaluator(slow, { last });
  for (const object of [...objects, serviceFrom("b/fine")]) evaluator.put(object);
  const names = () => resultText({ ...evaluator.evaluate(), failures: [] });
  assert.equal(names(), "a/s0 a/s9");
  assert.equal(evaluator.pendingCount, 8);
  assert.equal(names(), "a/s0 a/s9");
  assert.equal(names(), "a/s0 a/s9");
  assert.equal(names(), "a/s0 a/s9 b/fine");
  assert.equal(evaluator.pendingCount, 0);
});

test("an invalid script is one failure, not one for every object", () => {
  const objects = Array.from({ length: 30 }, (_, index) => serviceFrom(`a/s${index}`));
  assert.equal(evaluateObjects(luaEventSource("function evaluate("), objects).failures.length, 1);
});

test("an empty table matches nothing", () => {
  assert.equal(resultText(evaluateObjects(luaEventSource("function evaluate() return {} end"), [serviceFrom("a/x")])), "");
});

test("while a kind cannot be read, last matches stay; once it can be read, deleted objects are removed", () => {
  const last = evaluateObjects(labelled, [serviceFrom("a/x sveltos=fv"), serviceFrom("a/y sveltos=fv")]).matches;
  const evaluator = new EventSourceEvaluator(labelled, { last });
  const kind = { group: "", version: "v1", kind: "Service" };
  evaluator.markUnreadable(kind, "services is forbidden");
  assert.equal(resultText(evaluator.evaluate()), "a/x a/y; kept v1 Service: services is forbidden");
  evaluator.put(serviceFrom("a/y"));
  evaluator.markReadable(kind);
  assert.equal(resultText(evaluator.evaluate()), "");
});

test("the result does not depend on the history of the objects", () => {
  const names = fc.constantFrom("a/x", "a/y", "b/x");
  const labels = fc.constantFrom("", " sveltos=fv", " sveltos=no");
  const moves = fc.array(fc.record({ name: names, label: fc.option(labels), isAsked: fc.boolean() }), { maxLength: 30 });
  fc.assert(
    fc.property(moves, (history) => {
      const evaluator = new EventSourceEvaluator(labelled);
      const current = new Map<string, KubeObject>();
      for (const { name, label, isAsked } of history) {
        const object = serviceFrom(name + (label ?? ""));
        if (label === null) evaluator.remove(refOf(object));
        else evaluator.put(object);
        if (label === null) current.delete(name);
        else current.set(name, object);
        if (isAsked) evaluator.evaluate();
      }
      assert.deepEqual(evaluator.evaluate(), evaluateObjects(labelled, current.values()));
    }),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { luaSource, service, sourceOf, told } from "../../../test/support/evaluate/fixture.ts";
import { evaluate, Evaluation } from "./index.ts";

const labelled = sourceOf(
  'resourceSelectors:\n- {group: "", version: v1, kind: Service, labelFilters: [{key: sveltos, operation: Equal, value: fv}]}\n',
);

/** The script of the record 02-lua-event: it fails on bad-service. */
const fussy = luaSource(`function evaluate()
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

test("matches are listed by namespace and name, whatever order they come in", () => {
  const objects = ["b/a sveltos=fv", "a/z sveltos=fv", "a/b sveltos=fv", "a/c"].map((text) => service(text));
  assert.equal(told(evaluate(labelled, objects)), "a/b a/z b/a");
});

test("objects come, change and go", () => {
  const evaluation = new Evaluation(labelled);
  assert.equal(told(evaluation.findings()), "");
  evaluation.put(service("a/x sveltos=fv"));
  evaluation.put(service("a/y"));
  assert.equal(told(evaluation.findings()), "a/x");
  evaluation.put(service("a/y sveltos=fv"));
  assert.equal(told(evaluation.findings()), "a/x a/y");
  evaluation.put(service("a/x sveltos=no"));
  assert.equal(told(evaluation.findings()), "a/y");
  evaluation.remove(refOf(service("a/y")));
  assert.equal(told(evaluation.findings()), "");
});

test("of 10,000 objects one changes, and one is judged", () => {
  const evaluation = new Evaluation(labelled);
  for (let index = 0; index < 10_000; index++) evaluation.put(service(`a/s${index} sveltos=fv`));
  assert.equal(evaluation.findings().matches.length, 10_000);
  assert.equal(evaluation.judged, 10_000);
  evaluation.put(service("a/s77 sveltos=no"));
  assert.equal(evaluation.findings().matches.length, 9999);
  assert.equal(evaluation.judged, 10_001);
});

test("an object that changes often before anybody asks is judged once", () => {
  const evaluation = new Evaluation(labelled);
  for (let index = 0; index < 5; index++) evaluation.put(service("a/x sveltos=fv", [index]));
  assert.deepEqual(evaluation.findings().matches[0]?.object, service("a/x sveltos=fv", [4]));
  assert.equal(evaluation.judged, 1);
});

test("an object that two selectors find is there once", () => {
  const twice = sourceOf(
    'resourceSelectors:\n- {group: "", version: v1, kind: Service}\n- {group: "", version: v1, kind: Service, namespace: a}\n',
  );
  assert.equal(told(evaluate(twice, [service("a/x"), service("b/y")])), "a/x b/y");
});

test("a script that fails on one object leaves the others alone", () => {
  const objects = ["default/my-service sveltos=fv", "default/bad-service sveltos=fv", "default/another-service sveltos=fv"];
  const findings = evaluate(
    fussy,
    objects.map((text) => service(text)),
  );
  assert.deepEqual(
    findings.matches.map(({ ref, message }) => `${ref.name}: ${message}`),
    ["another-service: service another-service matches", "my-service: service my-service matches"],
  );
  assert.equal(told({ ...findings, matches: [] }), "; kept default/bad-service: es:6: attempt to index field 'nothing' (a nil value)");
});

test("an object that its script fails on now keeps its verdict, with the content it had", () => {
  const picky = luaSource(`function evaluate()
  if obj.spec.ports[1].port == 0 then error("port 0") end
  return {matching = obj.spec.ports[1].port == 443}
end`);
  const evaluation = new Evaluation(picky);
  evaluation.put(service("a/x", [443]));
  evaluation.put(service("a/y", [80]));
  assert.equal(told(evaluation.findings()), "a/x");
  for (const name of ["a/x", "a/y", "a/z"]) evaluation.put(service(name, [0]));
  const findings = evaluation.findings();
  assert.equal(told(findings), ["a/x", "kept a/x: es:2: port 0", "kept a/y: es:2: port 0", "kept a/z: es:2: port 0"].join("; "));
  assert.deepEqual(findings.matches[0]?.object, service("a/x", [443]));
  evaluation.remove(refOf(service("a/x")));
  evaluation.put(service("a/y", [443]));
  assert.equal(told(evaluation.findings()), "a/y; kept a/z: es:2: port 0");
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
  test(`a script that ${what} takes nothing away`, () => {
    const last = evaluate(labelled, [service("a/x sveltos=fv"), service("a/y")]).matches;
    const evaluation = new Evaluation(luaSource(script), { last });
    for (const name of ["a/x sveltos=fv", "a/y", "a/z sveltos=fv"]) evaluation.put(service(name));
    const { matches, failures } = evaluation.findings();
    assert.deepEqual(
      matches.map(({ ref }) => ref.name),
      ["x"],
    );
    assert.match(failures[0]?.reason ?? "", reason);
    evaluation.remove(refOf(service("a/x")));
    assert.deepEqual(evaluation.findings().matches, []);
  });

test("a script that has to be stopped again and again lets others wait, and takes nothing away", () => {
  const slow = luaSource(`function evaluate()
  while obj.spec.ports[1].port == 0 do end
  return {matching = true}
end`);
  const objects = Array.from({ length: 10 }, (_, index) => service(`a/s${index}`, [0]));
  const last = evaluate(labelled, [service("a/s0 sveltos=fv"), service("a/s9 sveltos=fv")]).matches;
  const evaluation = new Evaluation(slow, { last });
  for (const object of [...objects, service("b/fine")]) evaluation.put(object);
  const names = () => told({ ...evaluation.findings(), failures: [] });
  assert.equal(names(), "a/s0 a/s9");
  assert.equal(evaluation.waiting, 8);
  assert.equal(names(), "a/s0 a/s9");
  assert.equal(names(), "a/s0 a/s9");
  assert.equal(names(), "a/s0 a/s9 b/fine");
  assert.equal(evaluation.waiting, 0);
});

test("a definition that is broken is told once, not once an object", () => {
  const objects = Array.from({ length: 30 }, (_, index) => service(`a/s${index}`));
  assert.equal(evaluate(luaSource("function evaluate("), objects).failures.length, 1);
});

test("an empty table matches nothing", () => {
  assert.equal(told(evaluate(luaSource("function evaluate() return {} end"), [service("a/x")])), "");
});

test("while a kind cannot be read, what matched last stays; what is gone then goes", () => {
  const last = evaluate(labelled, [service("a/x sveltos=fv"), service("a/y sveltos=fv")]).matches;
  const evaluation = new Evaluation(labelled, { last });
  const kind = { group: "", version: "v1", kind: "Service" };
  evaluation.unreadable(kind, "services is forbidden");
  assert.equal(told(evaluation.findings()), "a/x a/y; kept v1 Service: services is forbidden");
  evaluation.put(service("a/y"));
  evaluation.readable(kind);
  assert.equal(told(evaluation.findings()), "");
});

test("findings do not depend on how the objects came to be what they are", () => {
  const names = fc.constantFrom("a/x", "a/y", "b/x");
  const labels = fc.constantFrom("", " sveltos=fv", " sveltos=no");
  const moves = fc.array(fc.record({ name: names, label: fc.option(labels), isAsked: fc.boolean() }), { maxLength: 30 });
  fc.assert(
    fc.property(moves, (story) => {
      const evaluation = new Evaluation(labelled);
      const there = new Map<string, KubeObject>();
      for (const { name, label, isAsked } of story) {
        const object = service(name + (label ?? ""));
        if (label === null) evaluation.remove(refOf(object));
        else evaluation.put(object);
        if (label === null) there.delete(name);
        else there.set(name, object);
        if (isAsked) evaluation.findings();
      }
      assert.deepEqual(evaluation.findings(), evaluate(labelled, there.values()));
    }),
  );
});

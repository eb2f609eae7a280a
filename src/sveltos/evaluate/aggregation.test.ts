import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { serviceFrom, eventSourceOf, resultText } from "../../../test/support/evaluate/event-sources.ts";
import { evaluateObjects, EventSourceEvaluator } from "./index.ts";

/** Of all Services and ConfigMaps, what the script says. */
function choosing(script: string) {
  return eventSourceOf(`resourceSelectors:
- {group: "", version: v1, kind: Service}
- {group: "", version: v1, kind: ConfigMap}
aggregatedSelection: |
${script.replaceAll(/^/gm, "  ")}
`);
}

function config(text: string): KubeObject {
  return { ...serviceFrom(text), kind: "ConfigMap", spec: undefined, data: { a: "b" } };
}

/** Services that a ConfigMap of the same name stands beside. */
const paired = choosing(`function evaluate()
  local hs = {}
  local names = {}
  local found = {}
  for _, resource in ipairs(resources) do
    if resource.kind == "ConfigMap" then names[resource.metadata.namespace .. "/" .. resource.metadata.name] = true end
  end
  for _, resource in ipairs(resources) do
    if resource.kind == "Service" and names[resource.metadata.namespace .. "/" .. resource.metadata.name] then
      table.insert(found, resource)
    end
  end
  if #found > 0 then hs.resources = found end
  hs.message = #found .. " found"
  return hs
end`);

test("the script chooses among all that was selected", () => {
  const result = evaluateObjects(paired, [serviceFrom("b/x"), config("b/x"), serviceFrom("a/y"), serviceFrom("a/x"), config("a/x")]);
  assert.equal(resultText(result), "a/x b/x");
  assert.equal(result.message, "2 found");
  assert.deepEqual(result.matches[0]?.object, serviceFrom("a/x"));
});

test("it is asked again when what was selected changes, and only then", () => {
  const evaluation = new EventSourceEvaluator(paired);
  evaluation.put(serviceFrom("a/x"));
  assert.equal(resultText(evaluation.evaluate()), "");
  evaluation.put(config("a/x"));
  const first = evaluation.evaluate();
  assert.equal(resultText(first), "a/x");
  assert.equal(evaluation.evaluate().matches, first.matches);
  evaluation.remove(refOf(config("a/x")));
  assert.equal(resultText(evaluation.evaluate()), "");
});

test("what it returns is what matches, changed or made up as it may be", () => {
  const derived = choosing(`function evaluate(all)
  local service = all[1]
  service.metadata.labels = {added = "yes"}
  service.spec.ports[1].port = service.spec.ports[1].port + 1
  return {resources = {service, {apiVersion = "example.com/v1", kind = "Made", metadata = {name = "up"}, spec = {list = {1, 2, 3}}}}}
end`);
  const original = serviceFrom("a/x", [80, 443]);
  const { matches, failures } = evaluateObjects(derived, [original]);
  assert.deepEqual(failures, []);
  assert.deepEqual(
    matches.map(({ object }) => object),
    [
      { apiVersion: "example.com/v1", kind: "Made", metadata: { name: "up" }, spec: { list: [1, 2, 3] } },
      { ...serviceFrom("a/x added=yes", [81, 443]) },
    ],
  );
  assert.deepEqual(original, serviceFrom("a/x", [80, 443]));
});

for (const [what, result, expected] of [
  ["nothing at all", "{}", ""],
  ["an empty list", "{resources = {}}", ""],
  ["one object twice", "{resources = {resources[1], resources[1]}}", "a/x"],
  ["no table", "5", "; kept evaluate returned the number 5; expected a table"],
  ["no list", "{resources = {a = 1}}", "; kept evaluate returned resources = a table; expected a list of objects"],
  [
    "no objects",
    "{resources = {{a = 1}}}",
    "; kept evaluate returned resources[1] without apiVersion, kind or metadata.name; expected an object",
  ],
  ["a message that is none", "{message = 5}", "; kept evaluate returned message = the number 5; expected a string"],
] as const)
  test(`a script that returns ${what}`, () => {
    assert.equal(resultText(evaluateObjects(choosing(`function evaluate() return ${result} end`), [serviceFrom("a/x")])), expected);
  });

test("a choice that fails leaves the last one as it was", () => {
  const moody = choosing(`function evaluate()
  if #resources > 1 then error("too many") end
  return {resources = resources}
end`);
  const evaluation = new EventSourceEvaluator(moody);
  evaluation.put(serviceFrom("a/x"));
  assert.equal(resultText(evaluation.evaluate()), "a/x");
  evaluation.put(serviceFrom("a/y"));
  assert.equal(resultText(evaluation.evaluate()), "a/x; kept es.aggregatedSelection:2: too many");
  assert.equal(resultText(evaluation.evaluate()), "a/x; kept es.aggregatedSelection:2: too many");
  evaluation.remove(refOf(serviceFrom("a/x")));
  assert.equal(resultText(evaluation.evaluate()), "a/y");
});

test("where nothing is selected the script is not asked, and nothing matches", () => {
  const evaluation = new EventSourceEvaluator(choosing("function evaluate() return {resources = {resources[1].metadata.name}} end"));
  assert.equal(resultText(evaluation.evaluate()), "");
});

test("while a kind cannot be read, the last choice stands", () => {
  const last = evaluateObjects(paired, [serviceFrom("a/x"), config("a/x")]).matches;
  const evaluation = new EventSourceEvaluator(paired, { last });
  const kind = { group: "", version: "v1", kind: "ConfigMap" };
  evaluation.markUnreadable(kind, "forbidden");
  evaluation.put(serviceFrom("a/x"));
  assert.equal(resultText(evaluation.evaluate()), "a/x; kept v1 ConfigMap: forbidden");
  evaluation.markReadable(kind);
  assert.equal(resultText(evaluation.evaluate()), "");
});

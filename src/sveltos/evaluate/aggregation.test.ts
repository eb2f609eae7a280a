import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { serviceFrom, eventSourceOf, resultText } from "../../../test/support/evaluate/event-sources.ts";
import { evaluateObjects, EventSourceEvaluator } from "./index.ts";

/** An EventSource of all Services and ConfigMaps with this aggregating script. */
function aggregatedBy(script: string) {
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

/** Selects Services for which there is a ConfigMap of the same name. */
const paired = aggregatedBy(`function evaluate()
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

test("the script selects among all matching objects", () => {
  const result = evaluateObjects(paired, [serviceFrom("b/x"), config("b/x"), serviceFrom("a/y"), serviceFrom("a/x"), config("a/x")]);
  assert.equal(resultText(result), "a/x b/x");
  assert.equal(result.message, "2 found");
  assert.deepEqual(result.matches[0]?.object, serviceFrom("a/x"));
});

test("the script runs again only when its input changes", () => {
  const evaluator = new EventSourceEvaluator(paired);
  evaluator.put(serviceFrom("a/x"));
  assert.equal(resultText(evaluator.evaluate()), "");
  evaluator.put(config("a/x"));
  const first = evaluator.evaluate();
  assert.equal(resultText(first), "a/x");
  assert.equal(evaluator.evaluate().matches, first.matches);
  evaluator.remove(refOf(config("a/x")));
  assert.equal(resultText(evaluator.evaluate()), "");
});

test("the objects that the script returns match, even changed or invented ones", () => {
  const derived = aggregatedBy(`function evaluate(all)
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
    assert.equal(resultText(evaluateObjects(aggregatedBy(`function evaluate() return ${result} end`), [serviceFrom("a/x")])), expected);
  });

test("a failed run leaves the last selection in place", () => {
  const moody = aggregatedBy(`function evaluate()
  if #resources > 1 then error("too many") end
  return {resources = resources}
end`);
  const evaluator = new EventSourceEvaluator(moody);
  evaluator.put(serviceFrom("a/x"));
  assert.equal(resultText(evaluator.evaluate()), "a/x");
  evaluator.put(serviceFrom("a/y"));
  assert.equal(resultText(evaluator.evaluate()), "a/x; kept es.aggregatedSelection:2: too many");
  assert.equal(resultText(evaluator.evaluate()), "a/x; kept es.aggregatedSelection:2: too many");
  evaluator.remove(refOf(serviceFrom("a/x")));
  assert.equal(resultText(evaluator.evaluate()), "a/y");
});

test("without matching objects the script does not run, and nothing matches", () => {
  const evaluator = new EventSourceEvaluator(aggregatedBy("function evaluate() return {resources = {resources[1].metadata.name}} end"));
  assert.equal(resultText(evaluator.evaluate()), "");
});

test("while a kind cannot be read, the last selection holds", () => {
  const last = evaluateObjects(paired, [serviceFrom("a/x"), config("a/x")]).matches;
  const evaluator = new EventSourceEvaluator(paired, { last });
  const kind = { group: "", version: "v1", kind: "ConfigMap" };
  evaluator.markUnreadable(kind, "forbidden");
  evaluator.put(serviceFrom("a/x"));
  assert.equal(resultText(evaluator.evaluate()), "a/x; kept v1 ConfigMap: forbidden");
  evaluator.markReadable(kind);
  assert.equal(resultText(evaluator.evaluate()), "");
});

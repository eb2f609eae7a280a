import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { service, sourceOf, told } from "../../../test/support/evaluate/fixture.ts";
import { evaluate, Evaluation } from "./index.ts";

/** Of all Services and ConfigMaps, what the script says. */
function choosing(script: string) {
  return sourceOf(`resourceSelectors:
- {group: "", version: v1, kind: Service}
- {group: "", version: v1, kind: ConfigMap}
aggregatedSelection: |
${script.replaceAll(/^/gm, "  ")}
`);
}

function config(text: string): KubeObject {
  return { ...service(text), kind: "ConfigMap", spec: undefined, data: { a: "b" } };
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
  const findings = evaluate(paired, [service("b/x"), config("b/x"), service("a/y"), service("a/x"), config("a/x")]);
  assert.equal(told(findings), "a/x b/x");
  assert.equal(findings.message, "2 found");
  assert.deepEqual(findings.matches[0]?.object, service("a/x"));
});

test("it is asked again when what was selected changes, and only then", () => {
  const evaluation = new Evaluation(paired);
  evaluation.put(service("a/x"));
  assert.equal(told(evaluation.findings()), "");
  evaluation.put(config("a/x"));
  const first = evaluation.findings();
  assert.equal(told(first), "a/x");
  assert.equal(evaluation.findings().matches, first.matches);
  evaluation.remove(refOf(config("a/x")));
  assert.equal(told(evaluation.findings()), "");
});

test("what it returns is what matches, changed or made up as it may be", () => {
  const derived = choosing(`function evaluate(all)
  local service = all[1]
  service.metadata.labels = {added = "yes"}
  service.spec.ports[1].port = service.spec.ports[1].port + 1
  return {resources = {service, {apiVersion = "example.com/v1", kind = "Made", metadata = {name = "up"}, spec = {list = {1, 2, 3}}}}}
end`);
  const original = service("a/x", [80, 443]);
  const { matches, failures } = evaluate(derived, [original]);
  assert.deepEqual(failures, []);
  assert.deepEqual(
    matches.map(({ object }) => object),
    [
      { apiVersion: "example.com/v1", kind: "Made", metadata: { name: "up" }, spec: { list: [1, 2, 3] } },
      { ...service("a/x added=yes", [81, 443]) },
    ],
  );
  assert.deepEqual(original, service("a/x", [80, 443]));
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
    assert.equal(told(evaluate(choosing(`function evaluate() return ${result} end`), [service("a/x")])), expected);
  });

test("a choice that fails leaves the last one as it was", () => {
  const moody = choosing(`function evaluate()
  if #resources > 1 then error("too many") end
  return {resources = resources}
end`);
  const evaluation = new Evaluation(moody);
  evaluation.put(service("a/x"));
  assert.equal(told(evaluation.findings()), "a/x");
  evaluation.put(service("a/y"));
  assert.equal(told(evaluation.findings()), "a/x; kept es.aggregatedSelection:2: too many");
  assert.equal(told(evaluation.findings()), "a/x; kept es.aggregatedSelection:2: too many");
  evaluation.remove(refOf(service("a/x")));
  assert.equal(told(evaluation.findings()), "a/y");
});

test("where nothing is selected the script is not asked, and nothing matches", () => {
  const evaluation = new Evaluation(choosing("function evaluate() return {resources = {resources[1].metadata.name}} end"));
  assert.equal(told(evaluation.findings()), "");
});

test("while a kind cannot be read, the last choice stands", () => {
  const last = evaluate(paired, [service("a/x"), config("a/x")]).matches;
  const evaluation = new Evaluation(paired, { last });
  const kind = { group: "", version: "v1", kind: "ConfigMap" };
  evaluation.unreadable(kind, "forbidden");
  evaluation.put(service("a/x"));
  assert.equal(told(evaluation.findings()), "a/x; kept v1 ConfigMap: forbidden");
  evaluation.readable(kind);
  assert.equal(told(evaluation.findings()), "");
});

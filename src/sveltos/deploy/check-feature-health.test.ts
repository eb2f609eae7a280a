import assert from "node:assert/strict";
import { test } from "node:test";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture } from "../../../test/support/deploy/deploy-fixture.ts";

const check = (more: string, kind = "ConfigMap") =>
  `${policyRefsYaml("s")}\nvalidateHealths: [{name: fit, featureID: Resources, group: "", version: v1, kind: ${kind}, namespace: default, ${more}}]`;
const lua = (value: string) =>
  `script: 'function evaluate() return {healthy = obj.metadata.name ~= "a" or obj.data.v == "${value}", message = "v is " .. tostring(obj.metadata.name)} end'`;

const cases: readonly (readonly [string, string, string | undefined])[] = [
  ["Lua says yes", check(lua("1")), undefined],
  ["Lua says no", check(lua("2")), "validateHealth fit: ConfigMap default/a: v is a"],
  ["a script that fails", check(`script: 'function evaluate() return nothing.at.all end'`), "nothing"],
  ["CEL says yes", check(`evaluateCEL: [{name: r, rule: 'resource.metadata.name != ""'}]`), undefined],
  ["CEL says no", check(`evaluateCEL: [{name: r, rule: 'resource.metadata.name == "z"'}]`), "no CEL rule is true: r"],
  ["nothing to ask", check("labelFilters: [{key: x, operation: Has}]"), "did not fetch any resource of kind ConfigMap"],
  ["a kind that is not served", check("script: ''", "Foo"), undefined],
];

for (const [title, spec, expected] of cases) {
  test(`health: ${title}`, async () => {
    const fixture = await DeployFixture.open();
    await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
    const { failure, outcome } = await fixture.deploy(spec);
    assert.equal(await fixture.configMaps(), "a=1", "it is deployed either way");
    if (expected === undefined) assert.equal(failure, undefined);
    else assert.ok((failure ?? "").includes(expected), failure ?? "Provisioned");
    assert.equal(outcome.settled, expected === undefined);
  });
}

test("a feature is Provisioned as soon as it is healthy, without another apply", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  const spec = check(lua("2"));
  await fixture.deploy(spec);
  await fixture.apply(configMapsYaml("a=2"), fixture.managed);
  assert.equal((await fixture.deploy(spec)).outcome.status.featureSummaries?.[0]?.status, "Provisioned");
});

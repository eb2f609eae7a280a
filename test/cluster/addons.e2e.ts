/** Every documented example and every scenario on real control planes, and the program as its users run it. */
import { after, test } from "node:test";
import { addonExamples } from "../sveltos/addon-examples.ts";
import { scenariosByTheme } from "../sveltos/scenario/index.ts";
import { assertExpiredTokenReported, assertForbiddenReported } from "./kubeconfig-permissions.ts";
import { RealFleet } from "./real-fleet.ts";
import { environmentVariables } from "./run-end-to-end.ts";

const limits = { timeout: 120_000 };
const fixture = await RealFleet.open(process.env[environmentVariables.kubectl] ?? "");
after(() => fixture.close());

for (const type of ["Sveltos", "Capi"] as const) {
  test(`clusters join as ${type}`, limits, () => fixture.registerClusters(type));
  for (const { name, run: play } of addonExamples) test(`${name} (${type})`, limits, () => play(fixture.fixtureFor(type)));
  // The types differ only in how clusters are registered, so the scenarios run once.
  if (type === "Sveltos") {
    for (const [theme, scenarios] of Object.entries(scenariosByTheme)) {
      for (const { name, run: play } of scenarios) test(`${theme}: ${name}`, limits, () => play(fixture.fixtureFor(type)));
    }
    test("errors: what a kubeconfig may not do is told, and done as soon as it may", limits, () => assertForbiddenReported(fixture));
    test("errors: a token that is no longer good is told of", limits, () => assertExpiredTokenReported(fixture));
  }
  test(`clusters leave as ${type}`, limits, () => fixture.deregisterClusters(type));
}

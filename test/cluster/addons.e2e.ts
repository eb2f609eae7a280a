/** Every documented example and every scenario on real control planes, and the program as its users run it. */
import { after, test } from "node:test";
import { addonExamples } from "../sveltos/addon-examples.ts";
import { scenariosByTheme } from "../sveltos/scenario/index.ts";
import { assertExpiredTokenReported, assertForbiddenReported } from "./kubeconfig-permissions.ts";
import { RealFleet } from "./real-fleet.ts";
import { environmentVariables } from "./run-end-to-end.ts";

const limits = { timeout: 120_000 };
const fleet = await RealFleet.open(process.env[environmentVariables.kubectl] ?? "");
after(() => fleet.close());

for (const type of ["Sveltos", "Capi"] as const) {
  test(`clusters join as ${type}`, limits, () => fleet.registerClusters(type));
  for (const { name, run } of addonExamples) test(`${name} (${type})`, limits, () => run(fleet.fixtureFor(type)));
  // The types differ only in how clusters are registered, so the scenarios run once.
  if (type === "Sveltos") {
    for (const [theme, scenarios] of Object.entries(scenariosByTheme)) {
      for (const { name, run } of scenarios) test(`${theme}: ${name}`, limits, () => run(fleet.fixtureFor(type)));
    }
    test("errors: forbidden requests are reported, and repeated as soon as they are allowed", limits, () => assertForbiddenReported(fleet));
    test("errors: an expired token is reported", limits, () => assertExpiredTokenReported(fleet));
  }
  test(`clusters leave as ${type}`, limits, () => fleet.deregisterClusters(type));
}

/** What tenants may do, on real control planes and on embedded clusters: the same table with the same results. */
import { after, test } from "node:test";
import { openEmbeddedFixture } from "../sveltos/embedded-fixture.ts";
import { longScenarios, scenariosByTheme } from "../sveltos/scenario/index.ts";
import { RealFleet } from "./real-fleet.ts";
import { environmentVariables } from "./run-end-to-end.ts";

const limits = { timeout: 300_000 };
const fleet = await RealFleet.open(process.env[environmentVariables.kubectl] ?? "");
after(() => fleet.close());

const scenarios = [...(scenariosByTheme["tenants"] ?? []), ...longScenarios];

test("clusters join", limits, () => fleet.registerClusters("Sveltos"));
for (const { name, run } of scenarios) test(name, limits, () => run(fleet.fixtureFor("Sveltos")));
test("clusters leave", limits, () => fleet.deregisterClusters("Sveltos"));

for (const { name, run } of scenarios) {
  test(`${name}, on embedded clusters`, limits, async () => {
    const { fixture, close } = await openEmbeddedFixture();
    await run(fixture);
    await close();
  });
}

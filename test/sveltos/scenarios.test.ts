/** Every scenario on embedded clusters; those of one theme share a fleet. */
import { describe, test } from "node:test";
import { openEmbeddedFixture } from "./embedded-fixture.ts";
import { scenariosByTheme } from "./scenario/index.ts";

for (const [theme, scenarios] of Object.entries(scenariosByTheme)) {
  describe(theme, async () => {
    const { fixture, close } = await openEmbeddedFixture();
    for (const { name, run } of scenarios) test(name, () => run(fixture));
    test("controllers end when their signal aborts", close);
  });
}

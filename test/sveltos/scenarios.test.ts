/** Every scenario on embedded clusters; those of one theme on the same ones. */
import { describe, test } from "node:test";
import { embeddedStage } from "./embedded-stage.ts";
import { themes } from "./scenario/index.ts";

for (const [theme, scenarios] of Object.entries(themes)) {
  describe(theme, async () => {
    const { stage, close } = await embeddedStage();
    for (const { name, play } of scenarios) test(name, () => play(stage));
    test("controllers end when they are told to", close);
  });
}

/** Every documented example and every scenario on real control planes, and the program as its users run it. */
import { after, test } from "node:test";
import { examples } from "../sveltos/examples.ts";
import { themes } from "../sveltos/scenario/index.ts";
import { expired, forbidden } from "./addon-rights.ts";
import { AddonStage } from "./addon-stage.ts";
import { environment } from "./end-to-end.ts";

const limits = { timeout: 120_000 };
const stage = await AddonStage.open(process.env[environment.kubectl] ?? "");
after(() => stage.close());

for (const type of ["Sveltos", "Capi"] as const) {
  test(`clusters join as ${type}`, limits, () => stage.enter(type));
  for (const { name, play } of examples) test(`${name} (${type})`, limits, () => play(stage.as(type)));
  // What differs between the types is how clusters join: the rest is played once.
  if (type === "Sveltos") {
    for (const [theme, scenarios] of Object.entries(themes)) {
      for (const { name, play } of scenarios) test(`${theme}: ${name}`, limits, () => play(stage.as(type)));
    }
    test("errors: what a kubeconfig may not do is told, and done as soon as it may", limits, () => forbidden(stage));
    test("errors: a token that is no longer good is told of", limits, () => expired(stage));
  }
  test(`clusters leave as ${type}`, limits, () => stage.exit(type));
}

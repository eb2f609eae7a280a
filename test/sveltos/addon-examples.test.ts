/** Every documented example on embedded clusters, registered either way. */
import { test } from "node:test";
import {
  runEventSourceController,
  runProfileController,
  runSummaryController,
  runTriggerController,
} from "../../src/sveltos/controllers/index.ts";
import { runClusterSetController } from "../../src/sveltos/fleet/index.ts";
import { refOf } from "../../src/core/object/index.ts";
import { EmbeddedFleet } from "../support/embedded-fleet.ts";
import { addonExamples } from "./addon-examples.ts";
import type { TestFleet } from "./test-fleet.ts";
import { kyvernoChart } from "../support/kyverno-chart.ts";

/** There is no provider of load balancers: the example writes the addresses. */
const behaviour = [{ match: { kind: "Service" }, address: "never" }];

for (const type of ["Sveltos", "Capi"] as const) {
  for (const { name, run } of addonExamples) {
    test(`${name} (${type})`, async (t) => {
      const fleet = await EmbeddedFleet.open({
        type,
        behaviour,
        clusters: { one: { env: "fv" }, two: { dep: "eng" } },
        context: { charts: () => Promise.resolve({ chart: kyvernoChart }) },
      });
      t.after(() => fleet.close());
      await fleet.run(
        runEventSourceController,
        runTriggerController,
        runProfileController,
        runSummaryController,
        ({ hub, fleet }, signal) => runClusterSetController(hub, fleet, signal),
      );
      await run(testFleetOn(fleet));
    });
  }
}

function testFleetOn(fleet: EmbeddedFleet): TestFleet {
  return {
    hub: fleet.hub,
    managed: [fleet.managed("one"), fleet.managed("two")],
    async relabel(labels) {
      const { object } = fleet.context.fleet.clusters().find(({ managed }) => managed.name === "one")!.managed;
      await fleet.until(fleet.hub.patch(refOf(object), { type: "merge", patch: { metadata: { labels } } }));
    },
    repository: "https://charts.example.com",
    until: (work) => fleet.until(work),
    settle: () => fleet.advance(60_000),
    signal: fleet.signal,
  };
}

/** Every documented example on embedded clusters, registered either way. */
import { test } from "node:test";
import { keepEvents, keepProfiles, keepSummaries, keepTriggers } from "../../src/sveltos/controllers/index.ts";
import { keepSets } from "../../src/sveltos/fleet/index.ts";
import { refOf } from "../../src/core/object/index.ts";
import { EmbeddedFleet } from "../support/embedded-fleet.ts";
import { examples } from "./examples.ts";
import type { Ground } from "./ground.ts";
import { kyverno } from "./kyverno.ts";

/** No cloud gives addresses here: the example writes them. */
const behaviour = [{ match: { kind: "Service" }, address: "never" }];

for (const type of ["Sveltos", "Capi"] as const) {
  for (const { name, play } of examples) {
    test(`${name} (${type})`, async (t) => {
      const lab = await EmbeddedFleet.open({
        type,
        behaviour,
        clusters: { one: { env: "fv" }, two: { dep: "eng" } },
        desk: { charts: () => Promise.resolve(kyverno) },
      });
      t.after(() => lab.close());
      await lab.run(keepEvents, keepTriggers, keepProfiles, keepSummaries, ({ hub, fleet }, signal) => keepSets(hub, fleet, signal));
      await play(groundOn(lab));
    });
  }
}

function groundOn(lab: EmbeddedFleet): Ground {
  return {
    hub: lab.hub,
    managed: [lab.managed("one"), lab.managed("two")],
    async relabel(labels) {
      const { object } = lab.desk.fleet.clusters().find(({ managed }) => managed.name === "one")!.managed;
      await lab.until(lab.hub.patch(refOf(object), { type: "merge", patch: { metadata: { labels } } }));
    },
    repository: "https://charts.example.com",
    until: (work) => lab.until(work),
    settle: () => lab.advance(60_000),
    signal: lab.signal,
  };
}

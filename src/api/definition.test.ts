import { before, describe, test } from "node:test";
import { VirtualClock } from "../clock/index.ts";
import { connect } from "../kube/index.ts";
import { simulate } from "../sim/index.ts";
import * as definitions from "../../test/sveltos/definitions.ts";

describe("our definitions on the embedded cluster", () => {
  // Definitions are served a little after they are applied.
  const clock = new VirtualClock({ jump: true });
  const { exchange } = simulate({ clock });
  const cluster = connect(exchange, { clock });
  before(() => definitions.installDefinitions(cluster));

  for (const seed of ["000", "001", "004"] as const)
    test(`the manifests of seed ${seed} are kept`, async () => {
      for (const manifest of definitions.seedManifests(seed)) await definitions.isKept(cluster, manifest);
    });
  for (const [what, manifest] of Object.entries(definitions.accepted)) test(`${what} is kept`, () => definitions.isKept(cluster, manifest));
  for (const [what, refusal] of Object.entries(definitions.refusals))
    test(`${what} is refused`, () => definitions.isRefused(cluster, refusal));
  test("defaults are Sveltos'", () => definitions.hasDefaults(cluster));
  test("oneForEvent is immutable once set", () => definitions.keepsOneForEvent(cluster));
  test("statuses are kept", () => definitions.keepsStatus(cluster));
});

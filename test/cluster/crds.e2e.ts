import { after, before, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import * as definitions from "../sveltos/crd-assertions.ts";
import { environmentVariables } from "./run-end-to-end.ts";

describe("our definitions on a real control plane", async () => {
  const { cluster, close } = await openCluster({ kubeconfig: process.env[environmentVariables.kubeconfig] ?? "" });
  before(() => definitions.installCrds(cluster));
  after(async () => {
    await definitions.removeCrds(cluster);
    close();
  });

  for (const seed of ["000", "001", "004"] as const)
    test(`the manifests of seed ${seed} are kept`, async () => {
      for (const manifest of definitions.seedManifests(seed)) await definitions.assertKept(cluster, manifest);
    });
  for (const [what, manifest] of Object.entries(definitions.validManifests))
    test(`${what} is kept`, () => definitions.assertKept(cluster, manifest));
  for (const [what, refusal] of Object.entries(definitions.invalidManifests))
    test(`${what} is refused`, () => definitions.assertRefused(cluster, refusal));
  test("a selector changes its form", () => definitions.assertSelectorChanges(cluster));
  test("defaults are Sveltos'", () => definitions.assertDefaults(cluster));
  test("oneForEvent is immutable once set", () => definitions.assertOneForEventImmutable(cluster));
  test("statuses are kept", () => definitions.assertStatusKept(cluster));
});

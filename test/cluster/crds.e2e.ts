import { after, before, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import * as assertions from "../sveltos/crd-assertions.ts";
import { assertSizesRefused } from "../sveltos/size-assertions.ts";
import { environmentVariables } from "./run-end-to-end.ts";

describe("our CRDs on a real control plane", async () => {
  const { cluster, close } = await openCluster({ kubeconfig: process.env[environmentVariables.kubeconfig] ?? "" });
  before(() => assertions.installCrds(cluster));
  after(async () => {
    await assertions.removeCrds(cluster);
    close();
  });

  for (const seed of ["000", "001", "004"] as const)
    test(`the manifests of seed ${seed} are kept`, async () => {
      for (const manifest of assertions.seedManifests(seed)) await assertions.assertKept(cluster, manifest);
    });
  for (const [what, manifest] of Object.entries(assertions.validManifests))
    test(`${what} is kept`, () => assertions.assertKept(cluster, manifest));
  for (const [what, refusal] of Object.entries(assertions.invalidManifests))
    test(`${what} is refused`, () => assertions.assertRefused(cluster, refusal));
  test("a selector changes its form", () => assertions.assertSelectorChanges(cluster));
  test("defaults are Sveltos'", () => assertions.assertDefaults(cluster));
  test("oneForEvent is immutable once set", () => assertions.assertOneForEventImmutable(cluster));
  test("statuses are kept", () => assertions.assertStatusKept(cluster));
  test("what is too large is refused", () => assertSizesRefused(cluster));
});

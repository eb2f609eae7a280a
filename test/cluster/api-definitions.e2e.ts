import { after, before, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import * as definitions from "../sveltos/definitions.ts";
import { environment } from "./end-to-end.ts";

describe("our definitions on a real control plane", async () => {
  const { cluster, close } = await openCluster({ kubeconfig: process.env[environment.kubeconfig] ?? "" });
  before(() => definitions.installDefinitions(cluster));
  after(async () => {
    await definitions.removeDefinitions(cluster);
    close();
  });

  for (const seed of ["000", "001", "004"] as const)
    test(`the manifests of seed ${seed} are kept`, async () => {
      for (const manifest of definitions.seedManifests(seed)) await definitions.isKept(cluster, manifest);
    });
  for (const [what, manifest] of Object.entries(definitions.accepted)) test(`${what} is kept`, () => definitions.isKept(cluster, manifest));
  for (const [what, refusal] of Object.entries(definitions.refusals))
    test(`${what} is refused`, () => definitions.isRefused(cluster, refusal));
  test("a selector changes its form", () => definitions.changesSelector(cluster));
  test("defaults are Sveltos'", () => definitions.hasDefaults(cluster));
  test("oneForEvent is immutable once set", () => definitions.keepsOneForEvent(cluster));
  test("statuses are kept", () => definitions.keepsStatus(cluster));
});

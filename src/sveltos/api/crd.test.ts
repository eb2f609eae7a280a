import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect } from "../../kube/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import {
  readCluster,
  readClusterSet,
  readClusterSummary,
  readEventSource,
  readEventTrigger,
  readProfile,
  type ReadResult,
} from "./index.ts";
import * as crds from "../../../test/sveltos/crd-assertions.ts";
import { assertSizesRefused } from "../../../test/sveltos/size-assertions.ts";

const readers: Readonly<Record<string, (object: KubeObject) => ReadResult<unknown>>> = {
  EventSource: readEventSource,
  EventTrigger: readEventTrigger,
  EventBasedAddOn: readEventTrigger,
  ClusterProfile: readProfile,
  Profile: readProfile,
  ClusterSet: readClusterSet,
  Set: readClusterSet,
  SveltosCluster: readCluster,
  ClusterSummary: readClusterSummary,
};

describe("CRDs on the embedded cluster", () => {
  // A CRD is served a little after it is applied.
  const clock = new VirtualClock({ jump: true });
  const { exchange } = startEmbeddedCluster({ clock });
  const cluster = connect(exchange, { clock });
  before(() => crds.installCrds(cluster));

  for (const seed of ["000", "001", "004"] as const)
    test(`the manifests of seed ${seed} are accepted and not pruned`, async () => {
      for (const manifest of crds.seedManifests(seed)) await crds.assertKept(cluster, manifest);
    });
  for (const [what, manifest] of Object.entries(crds.validManifests)) test(`${what} is kept`, () => crds.assertKept(cluster, manifest));
  for (const [what, refusal] of Object.entries(crds.invalidManifests))
    test(`${what} is refused`, () => crds.assertRefused(cluster, refusal));
  test("a selector changes its form", () => crds.assertSelectorChanges(cluster));
  test("defaults are Sveltos'", () => crds.assertDefaults(cluster));
  test("oneForEvent is immutable once set", () => crds.assertOneForEventImmutable(cluster));
  test("statuses are kept", () => crds.assertStatusKept(cluster));
  test("what is too large is refused", () => assertSizesRefused(cluster));
});

describe("the reader of a kind agrees with its schema", () => {
  for (const [what, manifest] of Object.entries(crds.validManifests)) {
    const read = readers[manifest.kind];
    if (read !== undefined) test(`${what} is read`, () => assert.equal(read(manifest).state, "read"));
  }
  for (const [what, [manifest]] of Object.entries(crds.invalidManifests)) {
    const read = readers[manifest.kind];
    // That identifiers differ only the API server sees, which keeps lists by them.
    if (read !== undefined && !what.includes("identifier")) test(`${what} is invalid`, () => assert.equal(read(manifest).state, "invalid"));
  }
});

/** What only clusters with authorization can show: kubeconfigs that are not accepted, or have few rights. */
import assert from "node:assert/strict";
import { clusterSummaryName } from "../../src/sveltos/api/index.ts";
import { ScenarioContext } from "../sveltos/scenario-context.ts";
import {
  contentConfigMap,
  eventSource,
  valueConfigMapText,
  sveltosRef,
  profile,
  matchingNamesContent,
  serviceObject,
  trigger,
} from "../support/sveltos-objects.ts";
import type { RealFleet } from "./real-fleet.ts";

const namespace = "mgmt";

/** Forbidden requests are reported where users look, and repeated as soon as they are allowed. */
export async function assertForbiddenReported(realFleet: RealFleet): Promise<void> {
  const fixture = realFleet.fixtureFor("Sveltos");
  const context = new ScenarioContext(fixture);
  const { hub, two } = context;
  const who = { matchLabels: { who: "powerless" } };
  const grant = await realFleet.registerWithoutRights("powerless");
  await context.apply(two, serviceObject("seen", { event: "guarded" }));
  await context.apply(hub, contentConfigMap("refused", [valueConfigMapText("refused", "1")]), profile("refused", { clusterSelector: who }));
  await context.apply(hub, eventSource("guarded", { selector: { matchLabels: { event: "guarded" } } }), matchingNamesContent("guarded"));
  await context.apply(hub, trigger("guarded", { sourceClusterSelector: who }));
  const summary = clusterSummaryName("ClusterProfile", "refused", { type: "Sveltos", namespace, name: "powerless" });
  await context.eventuallyStatus(sveltosRef("ClusterSummary", summary, namespace), /forbidden/);
  await context.eventuallyStatus(sveltosRef("ClusterProfile", "refused"), /forbidden/);
  await context.eventuallyStatus(sveltosRef("EventSource", "guarded"), /forbidden/);
  await context.eventuallyEvent("ClusterProfile", "refused", /forbidden/);
  await context.eventuallyEvent("EventSource", "guarded", /forbidden/);
  assert.match(await fixture.showEvents(), /forbidden/);
  assert.match(await fixture.metrics(), /^sluice_deploys_total\{outcome="failed"\} [1-9]/m);
  await grant();
  await context.eventuallyData({ refused: "1", guarded: "seen" }, two);
  await context.cleanUp();
  await realFleet.deregister("powerless");
}

/** An expired token is reported in the status of the cluster's object. */
export async function assertExpiredTokenReported(realFleet: RealFleet): Promise<void> {
  const fixture = realFleet.fixtureFor("Sveltos");
  const context = new ScenarioContext(fixture);
  await realFleet.registerWithExpiredToken("expired");
  await context.eventuallyStatus(sveltosRef("SveltosCluster", "expired", namespace), /credentials are not accepted/);
  await context.eventuallyEvent("SveltosCluster", "expired", /credentials are not accepted/);
  assert.match(await fixture.showEvents(), /credentials are not accepted/);
  await realFleet.deregister("expired");
}

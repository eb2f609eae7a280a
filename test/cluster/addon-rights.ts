/** What only clusters with authorization can show: kubeconfigs that are not accepted, or may do little. */
import assert from "node:assert/strict";
import { clusterSummaryName } from "../../src/sveltos/api/index.ts";
import { Scene } from "../sveltos/scene.ts";
import { content, eventSource, note, ownRef, profile, roll, service, trigger } from "../sveltos/words.ts";
import type { AddonStage } from "./addon-stage.ts";

const namespace = "mgmt";

/** What a kubeconfig may not do is told where the user looks, and done as soon as it may. */
export async function forbidden(stages: AddonStage): Promise<void> {
  const stage = stages.as("Sveltos");
  const scene = new Scene(stage);
  const { hub, two } = scene;
  const who = { matchLabels: { who: "powerless" } };
  const grant = await stages.enlist("powerless");
  await scene.put(two, service("seen", { event: "guarded" }));
  await scene.put(hub, content("refused", [note("refused", "1")]), profile("refused", { clusterSelector: who }));
  await scene.put(hub, eventSource("guarded", { selector: { matchLabels: { event: "guarded" } } }), roll("guarded"));
  await scene.put(hub, trigger("guarded", { sourceClusterSelector: who }));
  const summary = clusterSummaryName("ClusterProfile", "refused", { type: "Sveltos", namespace, name: "powerless" });
  await scene.admits(ownRef("ClusterSummary", summary, namespace), /forbidden/);
  await scene.admits(ownRef("ClusterProfile", "refused"), /forbidden/);
  await scene.admits(ownRef("EventSource", "guarded"), /forbidden/);
  await scene.tells("ClusterProfile", "refused", /forbidden/);
  await scene.tells("EventSource", "guarded", /forbidden/);
  assert.match(await stage.shown(), /forbidden/);
  assert.match(await stage.metrics(), /^sluice_deploys_total\{outcome="failed"\} [1-9]/m);
  await grant();
  await scene.says({ refused: "1", guarded: "seen" }, two);
  await scene.clear();
  await stages.dismiss("powerless");
}

/** A token that is no longer good is told of in the cluster's object. */
export async function expired(stages: AddonStage): Promise<void> {
  const stage = stages.as("Sveltos");
  const scene = new Scene(stage);
  await stages.enlistExpired("expired");
  await scene.admits(ownRef("SveltosCluster", "expired", namespace), /credentials are not accepted/);
  await scene.tells("SveltosCluster", "expired", /credentials are not accepted/);
  assert.match(await stage.shown(), /credentials are not accepted/);
  await stages.dismiss("expired");
}

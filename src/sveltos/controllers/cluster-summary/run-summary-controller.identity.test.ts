import assert from "node:assert/strict";
import { test } from "node:test";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../../test/support/addon-content.ts";
import { SummaryFixture } from "../../../../test/support/summary-fixture.ts";
import { fleetNamespace } from "../../../../test/support/embedded-fleet.ts";
import { embeddedKubeconfig, register } from "../../fleet/index.ts";
import { noTelemetry } from "../../telemetry/index.ts";
import { listAt } from "../../../core/object/index.ts";
import { runSummaryController } from "./index.ts";

/** Longer than the interval between two probes. */
const probedMs = 60_000;
const hookYaml = `{apiVersion: v1, kind: ConfigMap, metadata: {name: h, namespace: default, annotations: {helm.sh/hook: post-install}}, data: {v: "1"}}`;

test("a cluster that is made anew at the same address is filled as at first, and nothing fails on the way", async (t) => {
  const events: string[] = [];
  const telemetry = { ...noTelemetry, recordEvent: (_: unknown, { reason }: { readonly reason: string }) => void events.push(reason) };
  const fixture = await SummaryFixture.open({ context: { telemetry } });
  t.after(() => fixture.close());
  const { fleet } = fixture;
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1"), h: hookYaml }));
  await fixture.apply(sourceYaml("t", { a: configMapsYaml("b=1") }));
  await fixture.apply(sourceYaml("u", { a: configMapsYaml("c=1") }));
  await fixture.deploy("demo", policyRefsYaml("s"));
  await fixture.deploy("once", `syncMode: OneTime\ndependsOn: [demo]\n${policyRefsYaml("t")}`);
  await fixture.deploy("gone", policyRefsYaml("u"));
  assert.equal(await fixture.configMaps(), "a=1 b=1 c=1 h=1");
  const { clusterUID: first } = await fixture.status("demo");
  assert.ok(first, "which cluster it is is recorded");
  await fleet.advance(probedMs);

  fleet.unreachable.add("c1");
  await fleet.advance(probedMs);
  await fixture.withdraw("gone");
  fleet.rebuild("c1", 2);
  fleet.unreachable.delete("c1");
  await fleet.advance(probedMs);
  assert.equal(await fixture.configMaps(), "a=1 b=1 h=1", "all modes are deployed, and hooks of an install run");
  assert.equal(await fixture.summary("gone"), undefined, "nothing of it is there to withdraw");
  assert.deepEqual(await Promise.all(["demo", "once"].map((name) => fixture.state(name))), ["Provisioned", "Provisioned"]);
  const { clusterUID: second } = await fixture.status("demo");
  assert.notEqual(second, first);
  assert.deepEqual([...new Set(events)], ["ClusterReplaced"]);

  fleet.rebuild("c1", 3);
  await fleet.advance(probedMs);
  assert.equal(await fixture.configMaps(), "a=1 b=1 h=1", "also when no probe has failed and the kubeconfig is the same");

  fleet.written.length = 0;
  await fleet.advance(2 * probedMs);
  assert.deepEqual(fleet.written, [], "the same cluster is left as it is");
  fleet.rebuild("c1", 4);
  await fixture.apply(`{apiVersion: v1, kind: ConfigMap, metadata: {name: s, namespace: default}, data: {a: "{{"}}`);
  await fleet.advance(probedMs);
  const [entry] = listAt(await fixture.configuration(), "status.clusterProfileResources");
  assert.equal(JSON.stringify(entry), JSON.stringify({ clusterProfileName: "demo" }), "what cannot be deployed again is not listed");
});

test("a cluster that does not say which one it is counts as the same; what says so later is recorded, and nothing is deployed again", async (t) => {
  const fixture = await SummaryFixture.open({ runs: false });
  t.after(() => fixture.close());
  const { fleet } = fixture;
  let asked = 0;
  fleet.forbids = (_, path) => path === "/api/v1/namespaces/kube-system" && ++asked > 0;
  await fleet.run(runSummaryController);
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.deploy("demo", policyRefsYaml("s"));
  await fleet.advance(2 * probedMs);
  assert.equal(await fixture.state("demo"), "Provisioned");
  assert.equal((await fixture.status("demo")).clusterUID, undefined);
  assert.equal(asked, 1, "a connection that is refused it does not ask again");

  fleet.forbids = () => false;
  fleet.written.length = 0;
  const kubeconfig = `${embeddedKubeconfig("c1")} `;
  await fleet.until(register(fleet.hub, { namespace: fleetNamespace, name: "c1", kubeconfig, labels: { env: "fv" } }, fleet.signal));
  await fleet.advance(probedMs);
  assert.ok((await fixture.status("demo")).clusterUID, "it is recorded");
  assert.deepEqual(
    fleet.written.filter((line) => line.includes(" c1 ")),
    [],
  );
  fleet.rebuild("c1", 2);
  await fleet.advance(probedMs);
  assert.equal(await fixture.configMaps(), "a=1");
});

test("what is wanted under another name of the same cluster stays when it is withdrawn from one", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  const { fleet } = fixture;
  const again = { namespace: fleetNamespace, name: "again", kubeconfig: embeddedKubeconfig("c1"), labels: { env: "fv" } };
  await fleet.until(register(fleet.hub, again, fleet.signal));
  await fleet.advance(probedMs);
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.apply(sourceYaml("t", { a: configMapsYaml("a=2") }));
  for (const cluster of ["c1", "again"]) await fixture.deploy("demo", policyRefsYaml("s"), { cluster });
  await fixture.deploy("rival", policyRefsYaml("t"), { cluster: "again" });
  assert.equal(await fixture.configMaps(), "a=1");
  assert.match(await fixture.state("rival", "again"), /currently deployed because of ConfigMap default\/s/);

  fleet.written.length = 0;
  await fleet.advance(probedMs);
  const writesTo = (cluster: string) => fleet.written.filter((line) => line.includes(` ${cluster} `));
  assert.deepEqual(writesTo("c1"), [], "the two names do not undo each other's work");

  await fixture.withdraw("demo", "again");
  assert.equal(await fixture.summary("demo", "again"), undefined);
  assert.equal(await fixture.configMaps(), "a=1", "it is still wanted under the first name");
  assert.equal(await fixture.state("demo"), "Provisioned");
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=3") }));
  assert.equal(await fixture.configMaps(), "a=3");

  await fixture.withdraw("demo");
  await fleet.advance(probedMs);
  assert.equal(await fixture.configMaps(), "a=2", "who wants it under the second name gets it then");
  await fixture.withdraw("rival", "again");
  assert.equal(await fixture.configMaps(), "");
});

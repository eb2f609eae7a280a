/** Replicas of the controller join, share the work, and are killed. */
import assert from "node:assert/strict";
import { fleetScenario } from "../scenario-context.ts";
import {
  contentConfigMap,
  eventSource,
  instantiateAnnotations,
  configMapRef,
  valueConfigMapText,
  serviceObject,
  trigger,
} from "../../support/sveltos-objects.ts";

const count = 24;

const killed = fleetScenario("when the leading controller is killed amid events, all of them are answered, once", async (context) => {
  const { hub, one, two, fixture } = context;
  await fixture.addReplica();
  await context.relabelSecond({ env: "fv" });
  const text = valueConfigMapText("{{ .Resource.metadata.name }}", "{{ .Cluster.metadata.name }}");
  await context.apply(
    hub,
    eventSource("flood", { selector: { matchLabels: { event: "flood" } } }),
    contentConfigMap("flood", [text], instantiateAnnotations),
  );
  await context.apply(hub, trigger("flood", { oneForEvent: true }));
  const names = Array.from({ length: count }, (_, index) => `event-${index}`);
  for (const [index, name] of names.entries()) {
    if (index === count / 2) await fixture.killLeader();
    for (const cluster of [one, two]) await context.apply(cluster, serviceObject(name, { event: "flood" }));
  }
  for (const name of names) {
    await context.eventuallyData({ [name]: "one" }, one);
    await context.eventuallyData({ [name]: "two" }, two);
  }
  const profiles = await context.list(hub, "ClusterProfile");
  const made = profiles.map(({ metadata: { labels = {} } }) => {
    const of = (key: string) => labels[`eventtrigger.lib.projectsveltos.io/${key}`];
    return `${of("clustername")} ${of("resourcename")}`;
  });
  assert.equal(made.length, 2 * count, "a profile for each event");
  assert.equal(new Set(made).size, made.length, "and no more than one");
  const uids = new Set(await Promise.all(names.map(async (name) => (await fixture.until(one.find(configMapRef(name))))?.metadata.uid)));
  assert.equal(uids.size, count);
  const metrics = await fixture.metrics();
  assert.match(metrics, /^sluice_leader 1$/m);
  assert.match(metrics, /^sluice_clusters_owned 2$/m);
  await context.relabelSecond({ env: null });
});

export const replicaScenarios = [killed];

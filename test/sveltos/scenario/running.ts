/** Controllers come, share the work, and die. */
import assert from "node:assert/strict";
import { scenario } from "../scene.ts";
import { content, eventSource, instantiated, map, note, service, trigger } from "../words.ts";

const count = 24;

const killed = scenario("when the leading controller is killed amid events, all of them are answered, once", async (scene) => {
  const { hub, one, two, stage } = scene;
  await stage.reinforce();
  await scene.relabelSecond({ env: "fv" });
  const text = note("{{ .Resource.metadata.name }}", "{{ .Cluster.metadata.name }}");
  await scene.put(hub, eventSource("flood", { selector: { matchLabels: { event: "flood" } } }), content("flood", [text], instantiated));
  await scene.put(hub, trigger("flood", { oneForEvent: true }));
  const names = Array.from({ length: count }, (_, index) => `event-${index}`);
  for (const [index, name] of names.entries()) {
    if (index === count / 2) await stage.kill();
    for (const cluster of [one, two]) await scene.put(cluster, service(name, { event: "flood" }));
  }
  for (const name of names) {
    await scene.says({ [name]: "one" }, one);
    await scene.says({ [name]: "two" }, two);
  }
  const profiles = await scene.list(hub, "ClusterProfile");
  const made = profiles.map(({ metadata: { labels = {} } }) => {
    const of = (key: string) => labels[`eventtrigger.lib.projectsveltos.io/${key}`];
    return `${of("clustername")} ${of("resourcename")}`;
  });
  assert.equal(made.length, 2 * count, "a profile for each event");
  assert.equal(new Set(made).size, made.length, "and no more than one");
  const uids = new Set(await Promise.all(names.map(async (name) => (await stage.until(one.find(map(name))))?.metadata.uid)));
  assert.equal(uids.size, count);
  const metrics = await stage.metrics();
  assert.match(metrics, /^sluice_leader 1$/m);
  assert.match(metrics, /^sluice_clusters_owned 2$/m);
  await scene.relabelSecond({ env: null });
});

export const running = [killed];

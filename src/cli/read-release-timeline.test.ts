import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import { startEmbeddedCluster } from "../embedded/index.ts";
import { connect, type Cluster } from "../kube/index.ts";
import { readManifests } from "../lang/yaml/index.ts";
import { deploy } from "../release/deploy/index.ts";
import { readReleaseTimeline } from "./read-release-timeline.ts";

const release = { name: "web", namespace: "default" };
const { signal } = new AbortController();

async function deployValue(cluster: Cluster, value: string, keep = true): Promise<void> {
  const { manifests } = readManifests(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: "${value}"}\n`, "c.yaml");
  const options = { signal, identity: value, recording: { onWarning: assert.fail, keep } };
  for await (const event of deploy({ release, manifests }, cluster, options))
    if (event.type === "done") assert.equal(event.status, "deployed");
}

/** Helm writes records without Sluice's annotation, and no recordings. */
async function madeByHelm(cluster: Cluster, revision: number): Promise<void> {
  const record = { group: "", version: "v1", kind: "Secret", namespace: "default", name: `sh.helm.release.v1.web.v${revision}` };
  await cluster.patch(record, { type: "merge", patch: { metadata: { annotations: { "sluice.dev/writer": null } } } }, { signal });
}

test("a timeline says which revisions have a recording, and why others have none", async () => {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  const read = (revision?: number) => clock.until(readReleaseTimeline(release, revision, cluster, signal));
  await clock.until(deployValue(cluster, "1", false));
  await assert.rejects(
    read(),
    /: it has no recording: Helm made it, which keeps none, or it was deployed with --no-recording; no revision is recorded$/,
  );
  await clock.until(deployValue(cluster, "2"));
  await clock.until(deployValue(cluster, "3", false));
  await clock.until(madeByHelm(cluster, 3));

  const { recording, remarks } = await read();
  assert.deepEqual(recording.subject, { type: "release", ...release, revision: 2 });
  assert.deepEqual(remarks, ["revision 3: it has no recording, as Helm made it and keeps none; this is revision 2"]);
  assert.deepEqual((await read(2)).remarks, []);
  await assert.rejects(
    read(3),
    /^Fault: read the timeline of revision 3 of release web in default: it has no recording, as Helm made it and keeps none; recorded revisions: 2$/,
  );
  await assert.rejects(read(1), /: it has no recording: Helm made it, .* or it was deployed with --no-recording; recorded revisions: 2$/);
  await assert.rejects(read(7), /: the release has no such revision: it has 1, 2, 3; recorded revisions: 2$/);
});

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { readReleaseTimeline } from "../../src/cli/read-release-timeline.ts";
import { openCluster } from "../../src/kube/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";
import { deploy, uninstallRelease } from "../../src/release/deploy/index.ts";
import type { Progress } from "../../src/release/index.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { runHelmProcess } from "./run-program.ts";
import { buildHelm } from "./toolchain.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
const folder = makeTemporaryFolder();
const namespace = `e2e-recordings-${process.pid}`;
const release = { name: "web", namespace };
const opened = await openCluster({ kubeconfig });
const { cluster } = opened;
const helmProgram = await buildHelm(() => {});
const secrets = { group: "", version: "v1", kind: "Secret" };
const labelSelector = "sluice.dev/recording=release";
const never = new AbortController().signal;
const warnings: string[] = [];

before(() => cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }));
after(async () => {
  await cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: namespace });
  opened.close();
  rmSync(folder, { recursive: true, force: true });
});

async function helm(...args: string[]): Promise<string> {
  const { code, out, err } = await runHelmProcess(helmProgram, folder, [...args, "--kubeconfig", kubeconfig, "-n", namespace], {});
  assert.equal(code, 0, `helm ${args.join(" ")}: ${err}`);
  return out;
}

const options = () => ({ signal: never, identity: "tester", recording: { onWarning: (text: string) => void warnings.push(text) } });

async function endOf(events: AsyncIterable<Progress>): Promise<string | undefined> {
  let end: string | undefined;
  for await (const event of events) if (event.type === "done") end = event.status;
  return end;
}

function deployValue(value: string, historyMax = 10): Promise<string | undefined> {
  const yaml = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {value: "${value}"}\n`;
  const { manifests } = readManifests(yaml, "web.yaml");
  return endOf(deploy({ release, manifests }, cluster, { ...options(), historyMax }));
}

/** Watches until these recordings are there and no others. */
async function waitForRecordings(...wanted: readonly string[]): Promise<void> {
  const signal = AbortSignal.timeout(120_000);
  const { items, resourceVersion } = await cluster.list(secrets, { namespace, labelSelector, signal });
  const names = new Set(items.map(({ metadata }) => metadata.name));
  const isSo = () => [...names].toSorted().join() === wanted.toSorted().join();
  if (isSo()) return;
  for await (const { type, object } of cluster.watch(secrets, { namespace, labelSelector, resourceVersion, signal })) {
    if (type === "DELETED") names.delete(object.metadata.name);
    else if (type !== "BOOKMARK") names.add(object.metadata.name);
    if (isSo()) return;
  }
  assert.fail(`there are ${[...names].join()}`);
}

test("Helm sees no recording, and a recording goes with the record, whoever deletes that", async () => {
  assert.equal(await deployValue("1"), "deployed");
  assert.equal(await deployValue("2"), "deployed");
  await waitForRecordings("sluice.recording.v1.web.v1", "sluice.recording.v1.web.v2");
  const timeline = (await readReleaseTimeline(release, 2, cluster, never)).timeline;
  assert.deepEqual([timeline.status, timeline.rows.length, timeline.operation], ["deployed", 1, "upgrade"]);

  assert.deepEqual((JSON.parse(await helm("list", "-o", "json")) as unknown[]).length, 1);
  assert.deepEqual((JSON.parse(await helm("history", "web", "-o", "json")) as unknown[]).length, 2);
  await helm("rollback", "web", "1");
  assert.deepEqual((JSON.parse(await helm("history", "web", "-o", "json")) as unknown[]).length, 3);
  await assert.rejects(readReleaseTimeline(release, 3, cluster, never), /as Helm made it and keeps none; recorded revisions: 1, 2$/);

  assert.equal(await deployValue("4", 2), "deployed");
  await waitForRecordings("sluice.recording.v1.web.v4");
  await helm("uninstall", "web");
  await waitForRecordings();

  assert.equal(await deployValue("5"), "deployed");
  await waitForRecordings("sluice.recording.v1.web.v1");
  assert.equal(await endOf(uninstallRelease({ release }, cluster, options())), "deleted");
  await waitForRecordings();
  assert.deepEqual(warnings, []);
});

import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { stringAt, type KubeObject } from "../../src/core/object/index.ts";
import {
  acquireReleaseLease,
  beginRevision,
  deployedOf,
  historyOf,
  hookRecordOf,
  joinManifests,
  latestOf,
  withReleaseOwner,
  releaseOwnerOf,
  readManifestTexts,
  splitManifests,
  storageName,
  withState,
  withHookRun,
  type RevisionContent,
} from "../../src/release/record/index.ts";
import { writeYaml } from "../../src/lang/yaml/index.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { runHelmProcess } from "./run-program.ts";
import { buildHelm } from "./toolchain.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
const folder = makeTemporaryFolder();
const namespace = `e2e-records-${process.pid}`;
const opened = await openCluster({ kubeconfig });
const { cluster } = opened;
const history = historyOf(cluster);
const helmProgram = await buildHelm(() => {});

before(() => cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }));
after(async () => {
  await cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: namespace });
  opened.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The output of Helm, which must succeed. Its folders are the test's own. */
async function helm(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, out, err } = await runHelmProcess(
    helmProgram,
    folder,
    [...command.split(" "), "--kubeconfig", kubeconfig, "-n", namespace],
    env,
  );
  assert.equal(code, 0, `helm ${command}: ${err}`);
  return out;
}

async function helmJson(command: string): Promise<unknown> {
  return JSON.parse(await helm(`${command} -o json`));
}

const chart = {
  "Chart.yaml": "apiVersion: v2\nname: tiny\nversion: 1.2.3\nappVersion: '4.5'\n",
  "values.yaml": "colour: red\n",
  "templates/settings.yaml":
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-settings\ndata:\n  colour: {{ .Values.colour }}\n  sign: "<&>"\n',
  "templates/hook.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-hook\n  annotations:\n    helm.sh/hook: pre-install,post-upgrade\n    helm.sh/hook-weight: '-3'\n    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded\n",
  "templates/NOTES.txt": "It is {{ .Values.colour }}.\n",
};

function writeChart(): void {
  mkdirSync(join(folder, "tiny", "templates"), { recursive: true });
  for (const [name, text] of Object.entries(chart)) writeFileSync(join(folder, "tiny", name), text);
}

const fixture = join(import.meta.dirname, "..", "..", "src", "release", "record", "recorded", "helm-4.json");

describe("what Helm wrote is read", () => {
  const release = { name: "theirs", namespace };

  before(async () => {
    writeChart();
    await helm("install theirs tiny --set colour=blue --labels team=red");
    await helm("upgrade theirs tiny --set colour=green");
    await helm("install elsewhere tiny", { HELM_DRIVER: "configmap" });
  });

  test("its history, from the Secrets", async () => {
    const revisions = await history.revisions(release);
    assert.deepEqual(
      revisions.map(({ revision, state, description }) => [revision, state, description]),
      [
        [1, "superseded", "Install complete"],
        [2, "deployed", "Upgrade complete"],
      ],
    );
    const deployed = deployedOf(revisions);
    assert.deepEqual(deployed?.config, { colour: "green" });
    assert.equal(deployed?.notes, "It is green.\n");
    assert.deepEqual(deployed?.labels, { team: "red" });
    assert.equal(deployed?.applyMethod, "ssa");
    const { manifests, problems } = readManifestTexts(splitManifests(deployed?.manifest ?? ""));
    assert.deepEqual(problems, []);
    assert.deepEqual(
      manifests.map(({ object, at }) => [object.metadata.name, object["data"], at.file]),
      [["theirs-settings", { colour: "green", sign: "<&>" }, "tiny/templates/settings.yaml"]],
    );
    const [hook] = deployed?.hooks ?? [];
    assert.deepEqual(hook?.events, ["pre-install", "post-upgrade"]);
    assert.equal(hook?.weight, -3);
    assert.deepEqual(hook?.deletePolicies, ["before-hook-creation", "hook-succeeded"]);
    assert.equal(hook?.lastRun.phase, "Succeeded");
  });

  test("its list, ConfigMaps included", async () => {
    const listed = (await history.list(namespace)).map(({ name, revision, storage }) => [name, revision, storage]);
    assert.deepEqual(listed, [
      ["elsewhere", 1, "ConfigMap"],
      ["theirs", 2, "Secret"],
    ]);
  });

  test("the marks on its objects are those that we set", async () => {
    const live = await cluster.get({ group: "", version: "v1", kind: "ConfigMap", namespace, name: "theirs-settings" });
    assert.deepEqual(releaseOwnerOf(live), release);
    const bare = { ...live, metadata: { name: "x" } };
    assert.deepEqual(withReleaseOwner(bare, release).metadata.annotations, live.metadata.annotations);
    assert.deepEqual(withReleaseOwner(bare, release).metadata.labels, live.metadata.labels);
  });

  test("a record of Helm's that we rewrite is still Helm's", async () => {
    const secret = { group: "", version: "v1", kind: "Secret", namespace, name: storageName("theirs", 1) };
    const before = await cluster.get(secret);
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(fixture, `${JSON.stringify(withoutCircumstances(before), undefined, 2)}\n`);
    const [first] = await history.revisions(release);
    const valuesBefore = await helm("get values theirs --revision 1 --all");
    await history.save(withState(first!, "failed", "Rewritten"));
    assert.equal(await helm("get values theirs --revision 1 --all"), valuesBefore);
    assert.match(await helm("history theirs"), /^1\b.*failed .*tiny-1\.2\.3\s+4\.5\s+Rewritten/m);
    await helm("rollback theirs 1");
    assert.equal(latestOf(await history.revisions(release))?.description, "Rollback to 1");
  });
});

/** A record without what differs from run to run. */
function withoutCircumstances({ metadata, ...object }: KubeObject): unknown {
  const { name, namespace: place, labels } = metadata;
  return { ...object, metadata: { name, namespace: place, labels } };
}

describe("what we write, Helm works with", () => {
  const release = { name: "ours", namespace };
  const settings = (colour: string): KubeObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ours-settings", namespace },
    data: { colour },
  });
  const hook: KubeObject = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "ours-hook", annotations: { "helm.sh/hook": "pre-rollback", "helm.sh/hook-delete-policy": "hook-succeeded" } },
  };
  const content = (colour: string): RevisionContent => ({
    manifest: joinManifests([{ source: "app/settings.yaml", text: writeYaml(settings(colour)) }]),
    hooks: [hookRecordOf(hook, { source: "app/hook.yaml", text: writeYaml(hook) })!],
    config: { colour },
    notes: `It is ${colour}.`,
    labels: { team: "red" },
  });

  before(async () => {
    for (const [at, colour] of ["red", "blue"].entries()) {
      const previous = await history.latest(release);
      const time = new Date(Date.UTC(2026, 0, 1 + at)).toISOString();
      const begun = beginRevision(release, at === 0 ? "install" : "upgrade", content(colour), { previous, at: time });
      const pending = await history.save(begun);
      assert.match(await helm("list --pending"), /^ours\b.*pending-/m);
      await cluster.apply(withReleaseOwner(settings(colour), release), { manager: "helm" });
      const run = { phase: "Succeeded", startedAt: time, completedAt: time, event: "pre-rollback" } as const;
      const deployed = await history.save(
        withState(withHookRun(pending, 0, run), "deployed", at === 0 ? "Install complete" : "Upgrade complete"),
      );
      await history.supersede(deployed);
    }
  });

  test("helm list", async () => {
    const [found] = ((await helmJson("list --filter ^ours$")) as Record<string, string>[]).map(({ updated, ...rest }) => {
      assert.match(updated ?? "", /^2026-01-02 00:00:00/);
      return rest;
    });
    assert.deepEqual(found, { name: "ours", namespace, revision: "2", status: "deployed", chart: "ours-0.0.0", app_version: "" });
    assert.match(await helm("list --selector team=red"), /^ours\b/m);
  });

  test("helm history", async () => {
    const rows = (await helmJson("history ours")) as Record<string, unknown>[];
    assert.deepEqual(
      rows.map(({ revision, status, description }) => [revision, status, description]),
      [
        [1, "superseded", "Install complete"],
        [2, "deployed", "Upgrade complete"],
      ],
    );
  });

  test("helm get", async () => {
    assert.equal((await helm("get manifest ours")).trim(), content("blue").manifest.trim());
    assert.deepEqual(await helmJson("get values ours"), { colour: "blue" });
    assert.equal((await helm("get notes ours")).trim(), "NOTES:\nIt is blue.");
    assert.match(await helm("get hooks ours"), /^---\n# Source: app\/hook\.yaml\n[^]*name: ours-hook/);
    assert.match(await helm("status ours"), /STATUS: deployed\nREVISION: 2/);
  });

  test("helm rollback", async () => {
    await helm("rollback ours 1");
    const live = await cluster.get({ group: "", version: "v1", kind: "ConfigMap", namespace, name: "ours-settings" });
    assert.deepEqual(live["data"], { colour: "red" });
    const latest = await history.latest(release);
    assert.equal(latest?.revision, 3);
    assert.equal(latest?.state, "deployed");
    assert.deepEqual(latest?.config, { colour: "red" });
    assert.equal(latest?.hooks[0]?.lastRun.phase, "Succeeded");
  });

  test("helm upgrade, to a chart", async () => {
    await helm("upgrade ours tiny --set colour=white");
    const revisions = await history.revisions(release);
    assert.deepEqual(
      revisions.map(({ state }) => state),
      ["superseded", "superseded", "superseded", "deployed"],
    );
    assert.equal(revisions[3]?.firstDeployed, revisions[0]?.firstDeployed?.replace(".000Z", "Z"));
    assert.equal(stringAt(revisions[3]?.chart, "metadata.name"), "tiny");
  });

  test("helm uninstall", async () => {
    await helm("uninstall ours");
    assert.deepEqual(await history.revisions(release), []);
    const gone = await cluster.find({ group: "", version: "v1", kind: "ConfigMap", namespace, name: "ours-settings" });
    assert.equal(gone, undefined);
  });
});

test("the lease of a release is held by one, and goes to the next in the moment it is free", async () => {
  const release = { name: "ours", namespace };
  const { signal } = new AbortController();
  const first = await acquireReleaseLease(cluster, release, { identity: "first", signal }).next();
  assert.ok(first.done);
  const applicant = acquireReleaseLease(cluster, release, { identity: "second", signal });
  const wait = await applicant.next();
  assert.ok(!wait.done);
  assert.match(wait.value.because, /^first is at work on release ours in e2e-records-\d+, since \d{4}-/);
  const next = applicant.next();
  const freedAt = performance.now();
  await first.value.release();
  const second = await next;
  assert.ok(second.done && second.value.isHeld());
  assert.ok(performance.now() - freedAt < 5_000, "it waited for the lease to expire");
  await second.value.release();
});

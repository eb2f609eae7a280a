import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { parseBehaviour, startEmbeddedCluster } from "../../embedded/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import type { Progress } from "../index.ts";
import { historyOf, type Revision, type RevisionState } from "../record/index.ts";
import { deploy, uninstallRelease, type DeployOptions, type DeployRequest, type ReleaseExpectation } from "./index.ts";

const release = { name: "web", namespace: "default" };
let identities = 0;

class Lab {
  readonly clock = new VirtualClock();
  readonly cluster: Cluster;

  constructor() {
    const { behaviour } = parseBehaviour([{ match: { image: "bad" }, fail: { exitCode: 3, at: "1s" } }]);
    this.cluster = connect(startEmbeddedCluster({ clock: this.clock, behaviour }).exchange, { clock: this.clock });
  }

  /** How a run ends: its status, or the message of its fault. */
  async endOf(progress: AsyncIterable<Progress>): Promise<string> {
    let end = "";
    const listen = async () => {
      for await (const event of progress) if (event.type === "done") end = event.status;
    };
    await this.clock.until(listen().catch((error: Error) => void (end = error.message)));
    return end;
  }

  deploy(value: string, more: Partial<DeployRequest> = {}, options: Partial<DeployOptions> = {}): Promise<string> {
    const { manifests } = readManifests(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: "${value}"}\n`, "web.yaml");
    return this.endOf(deploy({ release, manifests, ...more }, this.cluster, this.options(options)));
  }

  delete(more: { readonly purge?: boolean } = {}, options: Partial<DeployOptions> = {}): Promise<string> {
    return this.endOf(uninstallRelease({ release, ...more }, this.cluster, this.options(options)));
  }

  options(more: Partial<DeployOptions> = {}): DeployOptions {
    return { signal: new AbortController().signal, identity: `tester-${++identities}`, ...more };
  }

  revisions(): Promise<readonly Revision[]> {
    return this.clock.until(historyOf(this.cluster).revisions(release));
  }

  /** Leaves a first revision in this state. */
  async leave(state: RevisionState): Promise<void> {
    await this.deploy("0");
    const [first] = await this.revisions();
    await this.clock.until(historyOf(this.cluster).save({ ...first!, state }));
  }
}

const inUse = "install web: cannot reuse a name that is still in use: web in default is at revision 1, which is";
const missing = 'upgrade web: "web" has no deployed releases';

const outcomes: readonly (readonly [ReleaseExpectation, RevisionState | "none", expected: string])[] = [
  ["new", "none", "deployed"],
  ["new", "deployed", `${inUse} deployed: sluice upgrade web changes it; choose another name for another release`],
  ["new", "failed", `${inUse} failed: install --replace, or upgrade --install, goes on with it`],
  ["new", "uninstalled", `${inUse} uninstalled: install --replace, or upgrade --install, goes on with it`],
  // An interrupted installation is carried on.
  ["new", "pending-install", "deployed"],
  ["replaceable", "none", "deployed"],
  ["replaceable", "deployed", `${inUse} deployed: sluice upgrade web changes it; choose another name for another release`],
  ["replaceable", "failed", "deployed"],
  ["replaceable", "uninstalled", "deployed"],
  [
    "existing",
    "none",
    `${missing} (upgrade --install installs it): find release web in default: there is no such release: sluice list -A shows all there are`,
  ],
  ["existing", "deployed", "deployed"],
  ["existing", "failed", "deployed"],
  ["existing", "uninstalled", `${missing}: web in default was deleted, and its history is kept: upgrade --install installs it`],
];

for (const [expects, state, expected] of outcomes)
  test(`a release that is to be ${expects}, and is ${state}`, async () => {
    const lab = new Lab();
    if (state !== "none") await lab.leave(state);
    const before = await lab.revisions();
    assert.equal(await lab.deploy("1", { expects }), expected);
    if (expected !== "deployed") assert.deepEqual(await lab.revisions(), before);
  });

test("of two installations at once one is refused, also while the other runs", async () => {
  const lab = new Lab();
  const ends = await Promise.all([lab.deploy("1", { expects: "new" }), lab.deploy("2", { expects: "new" })]);
  assert.deepEqual(
    ends.toSorted().map((end) => end.split(":")[0]),
    ["deployed", "install web"],
  );
  assert.equal((await lab.revisions()).length, 1);
});

test("labels are merged with those before, null removes one, and a change of labels is a revision", async () => {
  const lab = new Lab();
  const labelsOf = async () => (await lab.revisions()).at(-1)?.labels;
  await lab.deploy("1", { labels: { team: "shop", tier: "1" } });
  assert.deepEqual(await labelsOf(), { team: "shop", tier: "1" });
  assert.equal(await lab.deploy("1"), "unchanged");
  assert.equal(await lab.deploy("1", { labels: { tier: "null", zone: "a" } }), "deployed");
  assert.deepEqual(await labelsOf(), { team: "shop", zone: "a" });
});

test("labels that a record cannot have are all refused before anything is written", async () => {
  const lab = new Lab();
  const end = await lab.deploy("1", { labels: { owner: "me", "a b": "c", fine: "yes", long: "x".repeat(64) } });
  assert.match(
    end,
    /^the label owner is one that records need themselves: choose another name\nthe label a b=c: .*\nthe label long=x+: must be no/,
  );
  assert.deepEqual(await lab.revisions(), []);
});

test("the record has the description that is given", async () => {
  const lab = new Lab();
  await lab.deploy("1", {}, { description: "first" });
  await lab.deploy("2");
  await lab.delete({}, { keepHistory: true, description: "bye" });
  assert.deepEqual(
    (await lab.revisions()).map(({ state, description }) => `${state} ${description}`),
    ["superseded first", "uninstalled bye"],
  );
});

test("a rollback after a failure keeps its own description", async () => {
  const lab = new Lab();
  await lab.deploy("1");
  const { manifests } = readManifests(
    "apiVersion: batch/v1\nkind: Job\nmetadata: {name: bad}\nspec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: bad}]}}}\n",
    "bad.yaml",
  );
  assert.equal(await lab.deploy("2", { manifests }, { autoRollback: true, description: "mine" }), "failed");
  const descriptions = (await lab.revisions()).map(({ description }) => description);
  assert.match(descriptions[1] ?? "", /^Upgrade "web" failed/);
  assert.equal(descriptions[2], "Rollback to 1");
});

test("what is kept of a deleted release can be purged, and is refused otherwise", async () => {
  const lab = new Lab();
  await lab.deploy("1");
  await lab.delete({}, { keepHistory: true });
  assert.match(await lab.delete(), /it has been deleted, and only its history is kept/);
  // A second release took the object over meanwhile: it stays.
  const { manifests } = readManifests("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n", "web.yaml");
  const other = { name: "other", namespace: "default" };
  assert.equal(await lab.endOf(deploy({ release: other, manifests }, lab.cluster, lab.options())), "deployed");
  assert.equal(await lab.delete({ purge: true }), "deleted");
  assert.deepEqual(await lab.revisions(), []);
  assert.ok(await lab.clock.until(lab.cluster.find({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "web" })));
});

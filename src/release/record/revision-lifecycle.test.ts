import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import {
  beginRevision,
  continuationOf,
  asDeleted,
  asDeleting,
  deployedOf,
  hasHookSucceeded,
  hookRecordOf,
  hasContent,
  joinManifests,
  latestOf,
  objectionToName,
  readManifestTexts,
  splitManifests,
  withState,
  withHookRun,
  type RevisionContent,
  type Hook,
  type HookEvent,
  type HookRun,
  type Revision,
  type RevisionState,
} from "./index.ts";

const release = { name: "web", namespace: "shop" };
const at = "2030-01-01T00:00:00.000Z";

function hook(annotations: Record<string, string>): Hook | undefined {
  const object: KubeObject = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "migrate", annotations } };
  return hookRecordOf(object, { source: "app/job.yaml", text: "kind: Job\n" });
}

const content = (manifest: string): RevisionContent => ({ manifest, hooks: [hook({ "helm.sh/hook": "pre-upgrade,post-upgrade" })!] });
const first = beginRevision(release, "install", content("a"), { previous: undefined, at });

test("revisions are numbered from one, and remember when the first was deployed", () => {
  assert.equal(first.revision, 1);
  assert.equal(first.state, "pending-install");
  assert.equal(first.storage, "Secret");
  const later = "2030-02-01T00:00:00.000Z";
  const second = beginRevision(release, "upgrade", content("b"), {
    previous: { ...first, storage: "ConfigMap", labels: { team: "red" } },
    at: later,
  });
  assert.equal(second.revision, 2);
  assert.equal(second.firstDeployed, at);
  assert.equal(second.lastDeployed, later);
  assert.equal(second.storage, "ConfigMap");
  assert.deepEqual(second.labels, { team: "red" });
  assert.ok(!("stored" in second));
});

test("a new revision's hooks have not run, whatever the previous record says", () => {
  const ran = withHookRun(first, 0, { phase: "Succeeded", startedAt: at, completedAt: at });
  assert.equal(ran.hooks[0]?.lastRun.phase, "Succeeded");
  const next = beginRevision(release, "rollback", ran, { previous: ran, at });
  assert.deepEqual(next.hooks[0]?.lastRun, { phase: "" });
});

test("a revision being deleted has Helm's state and description", () => {
  assert.deepEqual([asDeleting(first, at).state, asDeleted(first, at).state], ["uninstalling", "uninstalled"]);
  assert.equal(asDeleting(first, at).deleted, at);
});

test("a description never grows beyond the room that was kept for it", () => {
  assert.equal(withState(first, "failed", "x".repeat(5000)).description.length, 1000);
});

const continuations: readonly (readonly [RevisionState, "install" | "upgrade", string, string])[] = [
  ["pending-install", "install", "a", "carry-on"],
  ["pending-install", "install", "b", "abandon"],
  ["pending-install", "upgrade", "a", "abandon"],
  ["pending-upgrade", "upgrade", "a", "carry-on"],
  ["pending-rollback", "upgrade", "a", "abandon"],
  ["uninstalling", "install", "a", "abandon"],
  ["deployed", "upgrade", "a", "follow"],
  ["failed", "upgrade", "a", "follow"],
  ["superseded", "upgrade", "a", "follow"],
  ["uninstalled", "install", "a", "follow"],
  ["unknown", "upgrade", "a", "follow"],
];

for (const [state, operation, manifest, how] of continuations) {
  test(`after ${state}, ${operation} of ${manifest === "a" ? "the same" : "another"} manifest: ${how}`, () => {
    const latest = withHookRun({ ...first, state }, 0, { phase: "Succeeded" });
    const next = continuationOf(latest, operation, content(manifest));
    assert.equal(next.how, how);
    if (next.how === "carry-on") assert.equal(next.revision, latest);
    if (next.how === "abandon") {
      assert.equal(next.revision.state, "failed");
      assert.equal(next.revision.revision, 1);
      assert.match(next.revision.description, new RegExp(`^Interrupted while ${state}: `));
    }
  });
}

test("the first revision follows nothing", () => {
  assert.deepEqual(continuationOf(undefined, "install", content("a")), { how: "follow" });
});

test("what is the same, and what is not", () => {
  assert.ok(hasContent(first, content("a")));
  assert.ok(!hasContent(first, { ...content("a"), config: { x: 1 } }));
  assert.ok(!hasContent(first, { ...content("a"), notes: "new" }));
  assert.ok(!hasContent(first, { ...content("a"), hooks: [] }));
  assert.ok(!hasContent(first, { ...content("a"), labels: { a: "b" } }));
  assert.ok(!hasContent(first, { ...content("a"), chart: { metadata: { name: "web", version: "1.0.0" } } }));
});

const fromFile = (source: string, text: string): RevisionContent => ({
  manifest: joinManifests([{ source, text }]),
  hooks: content("").hooks.map((each) => ({ ...each, path: source })),
});

test("the paths of files do not count, and their texts do", () => {
  const revision = beginRevision(release, "install", fromFile("app/a.yaml", "kind: A\n"), { previous: undefined, at });
  assert.ok(hasContent(revision, fromFile("/work/app/a.yaml", "kind: A\n")));
  assert.ok(!hasContent(revision, fromFile("app/a.yaml", "kind: B\n")));
  assert.equal(continuationOf(revision, "install", fromFile("a.yaml", "kind: A\n")).how, "carry-on");
});

test("the latest and the deployed one", () => {
  const all = (["superseded", "deployed", "deployed", "failed"] as const).map((state, index): Revision => ({
    ...first,
    state,
    revision: index + 1,
  }));
  assert.equal(latestOf(all)?.revision, 4);
  assert.equal(deployedOf(all)?.revision, 3);
  assert.equal(latestOf([]), undefined);
});

const runs: readonly (readonly [string, HookRun, HookEvent, boolean])[] = [
  ["pre-upgrade", { phase: "Succeeded", event: "pre-upgrade" }, "pre-upgrade", true],
  ["pre-upgrade", { phase: "Running", event: "pre-upgrade" }, "pre-upgrade", false],
  ["pre-upgrade", { phase: "" }, "pre-upgrade", false],
  ["pre-upgrade,post-upgrade", { phase: "Succeeded", event: "pre-upgrade" }, "post-upgrade", false],
  ["pre-upgrade,post-upgrade", { phase: "Running", event: "post-upgrade" }, "pre-upgrade", true],
  ["pre-upgrade,post-upgrade", { phase: "Running", event: "post-upgrade" }, "post-upgrade", false],
  ["pre-upgrade,post-upgrade", { phase: "Succeeded" }, "pre-upgrade", false],
  ["pre-install,pre-upgrade", { phase: "Succeeded" }, "pre-upgrade", true],
];

for (const [events, lastRun, event, expected] of runs) {
  test(`a hook of ${events} with ${JSON.stringify(lastRun)} has ${expected ? "" : "not "}succeeded for ${event}`, () => {
    assert.equal(hasHookSucceeded({ ...hook({ "helm.sh/hook": events })!, lastRun }, event), expected);
  });
}

test("a hook is read as Helm reads it", () => {
  const found = hook({
    "helm.sh/hook": " Pre-Install, test-success",
    "helm.sh/hook-weight": "-5",
    "helm.sh/hook-delete-policy": "hook-succeeded, hook-failed",
    "helm.sh/hook-output-log-policy": "hook-failed",
  });
  assert.deepEqual(found, {
    name: "migrate",
    kind: "Job",
    path: "app/job.yaml",
    manifest: "kind: Job\n",
    events: ["pre-install", "test"],
    weight: -5,
    deletePolicies: ["hook-succeeded", "hook-failed"],
    outputLogPolicies: ["hook-failed"],
    lastRun: { phase: "" },
  });
  assert.equal(hook({}), undefined);
  assert.equal(hook({ "helm.sh/hook": "someday" }), undefined);
  assert.equal(hook({ "helm.sh/hook": "test", "helm.sh/hook-weight": "heavy" })?.weight, 0);
});

test("manifests are joined under their sources and parted again", () => {
  const parts = [
    { source: "a.yaml", text: "kind: A\n" },
    { source: "b.yaml", text: "# a remark\nkind: B\ntext: |\n  ---\n" },
  ];
  const joined = joinManifests(parts);
  assert.equal(joined, "---\n# Source: a.yaml\nkind: A\n---\n# Source: b.yaml\n# a remark\nkind: B\ntext: |\n  ---\n");
  assert.deepEqual(splitManifests(joined), parts);
});

test("a manifest without a source has none, whatever it quotes", () => {
  const text = "kind: A\ntext: |\n  # Source: not.yaml\n# Source: nor.yaml\n";
  assert.deepEqual(splitManifests(text), [{ source: "", text }]);
});

test("a manifest that cannot be read is a problem of its file", () => {
  const { manifests, problems } = readManifestTexts([
    { source: "a.yaml", text: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" },
    { source: "b.yaml", text: "kind: [\n" },
  ]);
  assert.deepEqual([manifests.length, problems.length], [1, 1]);
  assert.equal(problems[0]?.at, "b.yaml");
});

test("names that Helm refuses are refused", () => {
  assert.equal(objectionToName("web.v1-2"), undefined);
  for (const name of ["", "Web", "-web", "web-", "a..b", "a_b", "x".repeat(54)]) assert.notEqual(objectionToName(name), undefined, name);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { titleOf } from "../../core/object/index.ts";
import { profileLocation, readRecordingAt, timelineOf, type Recording } from "../../release/recording/index.ts";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture, never } from "../../../test/support/deploy/deploy-fixture.ts";
import { ProfileRecordings } from "./index.ts";

const password = "correct-horse-battery";
const ordered = (image: string) => `
apiVersion: v1
kind: Secret
metadata: {name: creds, namespace: default}
stringData: {password: ${password}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: default, annotations: {werf.io/weight: "-10"}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: "${image}"}]}}}
`;
const summary = "demo-sveltos-c1";

async function openRecorded(): Promise<{ readonly fixture: DeployFixture; readonly warnings: string[] }> {
  const fixture = await DeployFixture.open([{ match: { image: "slow" }, pull: "1s", run: "60s" }]);
  const warnings: string[] = [];
  fixture.recordings = new ProfileRecordings(fixture.hub, (warning) => void warnings.push(warning));
  return { fixture, warnings };
}

function recordingIn(fixture: DeployFixture): Promise<Recording | undefined> {
  return fixture.until(readRecordingAt(profileLocation("mgmt", summary, "Resources"), fixture.hub, { signal: never }));
}

test("the latest deployment of a profile is recorded beside its ClusterSummary, and goes with it", async () => {
  const { fixture, warnings } = await openRecorded();
  await fixture.apply(sourceYaml("s", { "a.yaml": configMapsYaml("a=1") }));
  await fixture.deploy(policyRefsYaml("s"));
  await fixture.clock.advance(2000);
  const first = await recordingIn(fixture);
  assert.ok(first !== undefined);
  assert.deepEqual(first.subject, { type: "profile", profile: "ClusterProfile/demo", cluster: "mgmt/c1", feature: "Resources" });
  assert.deepEqual(
    timelineOf(first).rows.map(({ ref, outcome }) => `${titleOf(ref)} ${outcome}`),
    ["configmap/a finished"],
  );
  assert.equal(timelineOf(first).status, "deployed");

  await fixture.apply(sourceYaml("s", { "a.yaml": configMapsYaml("a=2 b=1") }));
  await fixture.deploy(policyRefsYaml("s"));
  await fixture.clock.advance(2000);
  const second = await recordingIn(fixture);
  assert.equal(second!.runs.length, 1);
  assert.deepEqual(
    timelineOf(second!)
      .rows.map(({ ref }) => titleOf(ref))
      .toSorted(),
    ["configmap/a", "configmap/b"],
  );

  const group = "config.projectsveltos.io";
  await fixture.until(fixture.hub.delete({ group, version: "v1beta1", kind: "ClusterSummary", namespace: "mgmt", name: summary }));
  await fixture.clock.advance(60_000);
  assert.equal(await recordingIn(fixture), undefined);
  assert.deepEqual(warnings, []);
});

test("a deployment that was stopped and carried on is one story", async () => {
  const { fixture } = await openRecorded();
  await fixture.apply(sourceYaml("s", { "a.yaml": ordered("slow") }));
  const stop = new AbortController();
  fixture.clock.after(20_000, () => stop.abort(new Error("stopped")));
  await assert.rejects(fixture.deploy(policyRefsYaml("s"), { signal: stop.signal }), /stopped/);
  await fixture.clock.advance(5000);
  assert.equal(timelineOf((await recordingIn(fixture))!).status, "stopped");
  await fixture.deploy(policyRefsYaml("s"));
  await fixture.clock.advance(5000);
  const recording = await recordingIn(fixture);
  const { runs, status, rows } = timelineOf(recording!);
  assert.deepEqual([runs.length, status], [2, "deployed"]);
  assert.deepEqual(
    rows.map(({ ref, outcome }) => `${titleOf(ref)} ${outcome}`),
    ["job/migrate finished", "secret/creds finished"],
  );
});

test("no value of a Secret is in the recording of a failure", async () => {
  const { fixture } = await openRecorded();
  await fixture.apply(sourceYaml("s", { "a.yaml": ordered(`registry.invalid/x:${password}`) }));
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).outcome.settled, false);
  await fixture.clock.advance(5000);
  const text = JSON.stringify(await recordingIn(fixture));
  assert.ok(!text.includes(password) && text.includes("x:(hidden)"), text);
});

test("of thousands of recordings at once some are left out, which two lines say", async () => {
  const { fixture, warnings } = await openRecorded();
  await fixture.apply(sourceYaml("s", { "a.yaml": configMapsYaml("a=1") }));
  await fixture.deploy(policyRefsYaml("s"));
  const location = { group: "config.projectsveltos.io", version: "v1beta1", kind: "ClusterSummary", namespace: "mgmt", name: summary };
  const live = await fixture.until(fixture.hub.get(location));
  const plan = { version: 1, operation: "install", steps: [], kept: [] } as const;
  for (let count = 0; count < 600; count++) fixture.recordings!.begin(live, { plan, carriesOn: false, sensitivities: new Map() })!.end();
  await fixture.clock.advance(300_000);
  assert.equal(warnings.length, 2, warnings.slice(0, 3).join("\n"));
  assert.match(warnings[0]!, /^more than 500 recordings wait to be written: others are left out$/);
  assert.match(warnings[1]!, /^\d+ recordings were left out; all others are written$/);
});

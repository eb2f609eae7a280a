/** The overview: an empty cluster, a failing and a running deploy, a fleet; keys alone; axe-core. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { assertAccessible } from "./support/assert-accessible.ts";
import { browserTest } from "./support/browser-test.ts";
import { eventManifests, serviceManifest } from "./support/event-manifests.ts";
import { serveDashboard } from "./support/served-dashboard.ts";
import { serveFleet } from "./support/served-fleet.ts";
import { waitForObject } from "./support/wait-for-object.ts";
import { runSluice, testFolder } from "../support/command-line.ts";

const { managed, context, kubeconfig, apply, hub } = await serveFleet({
  east: { env: "prod", region: "east" },
  west: { env: "prod", region: "west" },
});
const dashboard = await serveDashboard("--kubeconfig", kubeconfig);
const folder = testFolder("overview");
const place = ["--kubeconfig", kubeconfig, "--context", context];

const job = (name: string, annotations: string) => `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}, annotations: {werf.io/weight: "-1"}}
spec: {backoffLimit: 0, template: {metadata: {annotations: {${annotations}}}, spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}-settings}
`;

browserTest("an empty cluster says how to begin", {}, async (page) => {
  await dashboard.open(page, "/c/sluice-2");
  await page.getByRole("heading", { name: "Nothing is deployed here yet" }).waitFor();
  assert.match(await page.locator("main").innerText(), /sluice deploy NAME FOLDER --context sluice-2/);
});

browserTest("a deploy is on the screen with what it waits for, and goes from it when it is done", {}, async (page, t) => {
  await dashboard.open(page, `/c/${context}`);
  await page.locator("h1").waitFor();
  const slow = folder.file("slow/app.yaml", job("slow", "sim.sluice.dev/exit-after: 4s"));
  const running = runSluice("deploy", "slow", join(slow, ".."), ...place);
  const row = page.locator(".activity.is-deploying");
  await row.getByText("waits for job/slow").waitFor();
  assert.match(await page.locator("h1").innerText(), /1 being deployed/);
  assert.equal((await running).code, 0);
  const endedAt = performance.now();
  await row.waitFor({ state: "detached" });
  t.diagnostic(`the end of a deploy is on the screen ${Math.round(performance.now() - endedAt)} ms after its command has ended`);
});

browserTest("what fails comes first, with its reason and a link to its view; keys alone", {}, async (page) => {
  const bad = folder.file("bad/app.yaml", job("<b>bad</b>".replaceAll(/[^a-z]/g, ""), 'sim.sluice.dev/exit-code: "3"'));
  assert.notEqual((await runSluice("deploy", "bad", join(bad, ".."), ...place)).code, 0);
  await apply(eventManifests);
  await managed.get("west")!.create(serviceManifest("shop", 443));
  await dashboard.open(page, `/c/${context}`);
  const failing = page.locator(".activity.is-failing");
  await failing.filter({ hasText: "default/bad" }).waitFor();
  await failing.filter({ hasText: "EventTrigger certificates" }).waitFor();
  assert.match(await page.locator(".fleet-counts").innerText(), /2\s+clusters/);
  const link = failing.filter({ hasText: "EventTrigger certificates" }).getByRole("link");
  await link.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/events\/triggers\/EventTrigger\/certificates/);
  await page.waitForSelector(".graph-node");
});

browserTest("drift is told when it has been repaired", {}, async (page) => {
  await apply(`
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: guarded}
spec:
  syncMode: ContinuousWithDriftDetection
  clusterSelector: {matchLabels: {region: east}}
  policyRefs: [{kind: ConfigMap, namespace: default, name: guarded}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: guarded, namespace: default}
data: {a.yaml: "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: guarded, namespace: default}\\ndata: {colour: blue}\\n"}
`);
  const east = managed.get("east")!;
  const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "guarded" };
  await dashboard.open(page, `/c/${context}`);
  const summary = {
    group: "config.projectsveltos.io",
    version: "v1beta1",
    kind: "ClusterSummary",
    namespace: "fleet",
    name: "guarded-sveltos-east",
  };
  await waitForObject(hub, summary, (object) => JSON.stringify(object["status"] ?? {}).includes('"Provisioned"'));
  await east.patch(ref, { type: "merge", patch: { data: { colour: "red" } } });
  await page.locator(".activity.is-drift", { hasText: "ClusterProfile guarded" }).waitFor();
});

for (const scheme of ["light", "dark"] as const)
  for (const width of [1280, 390])
    browserTest(`no serious finding of axe-core, ${width} px, ${scheme}`, { width, scheme }, async (page) => {
      for (const path of [`/c/${context}`, "/c/sluice-2"]) {
        await dashboard.open(page, path);
        await page
          .locator(path === "/c/sluice-2" ? ".empty-cluster" : ".activity")
          .first()
          .waitFor();
        await assertAccessible(page);
        if (process.env["SHOTS"] !== undefined)
          await page.screenshot({
            path: `${process.env["SHOTS"]}/overview-${path.split("/").at(-1)}-${width}-${scheme}.png`,
            fullPage: true,
          });
      }
    });

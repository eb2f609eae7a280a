/** The fleet: the matrix, one cluster and one profile, on a live fleet with its controller; keys alone; axe-core. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/assert-accessible.ts";
import { browserTest } from "./support/browser-test.ts";
import { serveDashboard } from "./support/served-dashboard.ts";
import { serveFleet } from "./support/served-fleet.ts";

const fleet = await serveFleet({
  east: { env: "prod", region: "east" },
  west: { env: "prod", region: "west" },
  lab: { env: "test", region: "west" },
});
const { hub, managed, context } = fleet;
const dashboard = await serveDashboard("--kubeconfig", fleet.kubeconfig);

const fleetPath = `/c/${context}/fleet`;
const clusterPath = `/c/${context}/clusters/SveltosCluster/fleet/east`;
const profilePath = (name: string) => `/c/${context}/profiles/ClusterProfile/-/${name}`;

const profile = (name: string, env: string, content: string, more = "") => `
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: ${name}}
spec:
  clusterSelector: {matchLabels: {env: ${env}}}
  policyRefs: [{kind: ConfigMap, namespace: default, name: ${content}}]
${more}`;
const webContent = `
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: default}
data:
  web.yaml: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, namespace: default}
    spec:
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec: {containers: [{name: web, image: nginx}]}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: web-settings, namespace: default}
    data: {colour: blue}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: other, namespace: default}
data:
  other.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: other, namespace: default}
`;

await fleet.apply(webContent);
await fleet.apply(profile("web", "prod", "web"));
await fleet.apply(profile("broken", "prod", "not-there"));

/** The cell of a cluster and a profile, by what is read aloud. */
function cell(page: Page, cluster: string, name: string) {
  return page.locator(`[data-line="SveltosCluster/fleet/${cluster}"] [role=gridcell][aria-label^="${name}:"]`);
}

/** Waits until a cell's text has this in it. */
async function waitForCell(page: Page, cluster: string, name: string, text: string): Promise<void> {
  await page.waitForSelector(`[data-line="SveltosCluster/fleet/${cluster}"] [role=gridcell][aria-label^="${name}: ${text}"]`, {
    timeout: 60_000,
  });
}

browserTest("a profile is rolled out while somebody looks, and nothing moves", {}, async (page) => {
  await dashboard.open(page, fleetPath);
  await waitForCell(page, "east", "web", "ready");
  await waitForCell(page, "west", "broken", "failed");
  assert.match((await cell(page, "lab", "web").getAttribute("aria-label"))!, /does not match/);
  const before = await cell(page, "west", "web").boundingBox();
  await fleet.apply(profile("added", "prod", "web"));
  await page.waitForSelector('[role=columnheader] a[aria-label^="added"]');
  await waitForCell(page, "east", "added", "");
  await hub.delete({ group: "config.projectsveltos.io", version: "v1beta1", kind: "ClusterProfile", namespace: "", name: "added" });
  await page.waitForSelector('[role=columnheader] a[aria-label^="added"]', { state: "detached", timeout: 60_000 });
  assert.deepEqual(await cell(page, "west", "web").boundingBox(), before);

  await cell(page, "west", "broken").hover();
  assert.match((await page.locator(".cell-tip").textContent())!, /fleet\/west.*failed.*not-there/);
});

browserTest("filters and groups are in the address, and count", {}, async (page) => {
  await dashboard.open(page, fleetPath);
  await waitForCell(page, "east", "web", "ready");
  await page.getByLabel("Label selector").fill("env=test");
  await page.waitForSelector('[data-line="SveltosCluster/fleet/east"]', { state: "detached" });
  assert.equal(new URL(page.url()).searchParams.get("selector"), "env=test");
  await page.getByLabel("Label selector").fill("");
  await page.getByLabel("Group by").selectOption("region");
  assert.equal(await page.locator(".matrix-row.is-group").count(), 2);
  assert.match((await page.locator('[data-line="group/west"] [role=rowheader]').textContent())!, /west2/);
  await page.getByRole("button", { name: /^west/ }).click();
  await page.waitForSelector('[data-line="SveltosCluster/fleet/lab"]', { state: "detached" });
  assert.match(page.url(), /closed=west/);
  await page
    .getByRole("button", { name: /failed/, pressed: false })
    .first()
    .click();
  assert.match(page.url(), /state=failed/);
  await page.reload();
  await page.waitForSelector('[data-line="group/west"] .is-failed');
  assert.equal(await page.locator('[data-line="SveltosCluster/fleet/lab"]').count(), 0);
});

browserTest("keys alone lead to a cell's details, a cluster and a profile", {}, async (page) => {
  await dashboard.open(page, fleetPath);
  await waitForCell(page, "east", "broken", "failed");
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");
  for (let presses = 0; presses < 30 && (await focused()) !== "east"; presses++) await page.keyboard.press("Tab");
  assert.equal(await focused(), "east");
  await page.keyboard.press("ArrowRight");
  assert.match(await focused(), /^broken: failed/);
  assert.match((await page.locator(".cell-tip").textContent())!, /not-there/);
  await page.keyboard.press("Enter");
  const details = page.getByRole("complementary", { name: "broken in east" });
  await details.getByText("sluice why ClusterSummary/broken-sveltos-east -n fleet").waitFor();
  assert.match((await details.textContent())!, /Resources/);
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  await page.keyboard.press("End");
  assert.match(await focused(), /^web: /);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  assert.match(await focused(), /^broken: /);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${profilePath("broken")}`);
  await page.getByRole("heading", { name: "ClusterProfile broken" }).waitFor();
  await page.goBack();
  await waitForCell(page, "east", "web", "ready");
  await page.locator('[data-line="SveltosCluster/fleet/east"] a').focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${clusterPath}`);
});

browserTest("a cluster shows its objects with their health, and what is missing as soon as it is", {}, async (page) => {
  await dashboard.open(page, clusterPath);
  await page.getByRole("heading", { name: "SveltosCluster fleet/east" }).waitFor();
  const row = page.locator("table.objects tr", { hasText: "web-settings" });
  await row.getByText("ready").waitFor({ timeout: 60_000 });
  await page.locator("table.objects tr", { hasText: "Deployment" }).getByText("ready").waitFor({ timeout: 60_000 });
  await managed.get("east")!.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "web-settings" });
  await row.getByText("missing").waitFor();
  await page.locator("section", { hasText: "Drift" }).getByText("missing").waitFor();
  await page.locator(".deployments li", { hasText: "broken" }).getByText("not-there").first().waitFor();
});

browserTest("a profile groups its failures by reason and shows how far it is", {}, async (page) => {
  await dashboard.open(page, profilePath("broken"));
  await page.getByText("2 clusters", { exact: true }).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator(".findings .reason").count(), 1);
  await fleet.apply(profile("broken", "prod", "other", "  maxUpdate: 1"));
  await page.getByText(/at most 1 cluster at once/).waitFor({ timeout: 60_000 });
  await page.getByText("2 of 2").waitFor({ timeout: 60_000 });
  await fleet.apply(profile("broken", "prod", "not-there"));
  await page.getByText("2 clusters", { exact: true }).waitFor({ timeout: 60_000 });
});

for (const scheme of ["light", "dark"] as const)
  for (const width of [1280, 390])
    browserTest(`no serious finding, ${width} px, ${scheme}`, { width, scheme }, async (page) => {
      await dashboard.open(page, `${fleetPath}?group=region&cluster=SveltosCluster%2Ffleet%2Feast&column=ClusterProfile%2F%2Fbroken`);
      await page.getByRole("complementary").getByText("sluice why").waitFor({ timeout: 60_000 });
      await assertAccessible(page);
      await dashboard.open(page, clusterPath);
      await page.waitForSelector("table.objects");
      await assertAccessible(page);
      await dashboard.open(page, profilePath("broken"));
      await page.waitForSelector(".findings .reason");
      await assertAccessible(page);
    });

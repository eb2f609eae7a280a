/** Events: followed live from the object that matches to what is deployed, what nearly matches, failing scripts; keys alone; axe-core. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/assert-accessible.ts";
import { browserTest } from "./support/browser-test.ts";
import { eventManifests, serviceManifest } from "./support/event-manifests.ts";
import { serveDashboard } from "./support/served-dashboard.ts";
import { waitForObject } from "./support/wait-for-object.ts";
import { serveFleet } from "./support/served-fleet.ts";

// Workers are this program once more, and not this test.
process.argv[1] = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

const { hub, managed, context, kubeconfig, apply } = await serveFleet({
  east: { env: "prod", region: "east" },
  west: { env: "prod", region: "west" },
});
await apply(eventManifests);
const east = managed.get("east")!;
await east.create(serviceManifest("shop", 443));
await managed.get("west")!.create(serviceManifest("shop", 443));
const dashboard = await serveDashboard("--kubeconfig", kubeconfig);

const events = `/c/${context}/events`;
const trigger = `${events}/triggers/EventTrigger/network-policy`;
const flow = `${trigger}/clusters/SveltosCluster/fleet/east`;

async function openFlow(page: Page): Promise<void> {
  await dashboard.open(page, flow);
  await page.waitForSelector(".graph-node");
}

browserTest("triggers, sources and clusters are listed with counts, and a filter is in the address", {}, async (page) => {
  await dashboard.open(page, events);
  await page.getByRole("link", { name: "network-policy" }).waitFor();
  await page.locator(".triggers .state-failed").first().waitFor();
  assert.match(await page.locator(".sources").innerText(), /unused/);
  await page.getByRole("button", { name: /failing/ }).click();
  assert.match(page.url(), /state=failed/);
  assert.equal(await page.locator("table.triggers tbody tr").count(), 1);
  await page.reload();
  await page.locator("table.triggers tbody tr").first().waitFor();
  assert.equal(await page.locator("table.triggers tbody tr").count(), 1, "the address carries the filter");
});

browserTest("an event is on the screen when it happens, with everything that follows from it", {}, async (page, t) => {
  await openFlow(page);
  await page.locator(".graph-node", { hasText: "configmap/notes-shop" }).waitFor();
  const times: number[] = [];
  for (let at = 0; at < 10; at++) {
    await page.evaluate(
      (name) => {
        const begun = performance.now();
        const seen = Promise.withResolvers<number>();
        Object.assign(globalThis, { seen: seen.promise, begun });
        const look = () => {
          const found = [...document.querySelectorAll(".graph-node")].some((node) => node.textContent.includes(name));
          if (found) seen.resolve(performance.timeOrigin + performance.now());
          else requestAnimationFrame(look);
        };
        look();
      },
      `${at + 2} match`,
    );
    const written = await writeReport(at);
    times.push(((await page.evaluate("seen")) as number) - written);
  }
  const sorted = times.toSorted((a, b) => a - b);
  t.diagnostic(
    `a match is on the screen ${Math.round(sorted[5]!)} ms after another watch has its report, ${Math.round(sorted.at(-1)!)} ms at most`,
  );
  assert.ok(sorted[5]! <= 200 && sorted.at(-1)! <= 500, times.map(Math.round).join());
});

/** A further Service that matches. Gives when its report was written. */
async function writeReport(at: number): Promise<number> {
  await east.create(serviceManifest(`shop-${at}`, 443));
  const report = {
    group: "lib.projectsveltos.io",
    version: "v1beta1",
    kind: "EventReport",
    namespace: "fleet",
    name: "sveltos--https--east",
  };
  await waitForObject(hub, report, (object) => JSON.stringify(object["spec"] ?? {}).includes(`"shop-${at}"`));
  return performance.timeOrigin + performance.now();
}

browserTest("what nearly matches is judged on demand, and a failing script shows its line", {}, async (page) => {
  await east.create(serviceManifest("plain", 80));
  await east.create(serviceManifest("bad", 666));
  await openFlow(page);
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByText("no such port").first().waitFor();
  assert.equal(await page.locator(".flow-details b, .flow-details script").count(), 0, "markup of others is text");
  assert.match(await page.locator(".script-line.is-failing").first().innerText(), /port == 666 then error/);
  await page.getByRole("button", { name: "Fit" }).click();
  await page.locator(".graph-node", { hasText: /match/ }).first().click();
  await details.getByText("Service default/shop", { exact: true }).waitFor();
  await details.getByRole("button", { name: "What nearly matches?" }).click();
  await details.getByText("rejected by script or rule").waitFor({ timeout: 60_000 });
  assert.match(await details.innerText(), /Service default\/plain/);
  assert.match(await details.innerText(), /no port 443/);
  await assertAccessible(page);
});

browserTest("the flow is read with keys alone", {}, async (page) => {
  await openFlow(page);
  await page.getByRole("listbox", { name: "The way of the event" }).focus();
  await page.keyboard.press("Home");
  for (let at = 0; at < 2; at++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForURL(/select=trigger/);
  assert.match(
    await page.getByRole("complementary", { name: "Details" }).innerText(),
    /sluice why EventTrigger\/network-policy --cluster fleet\/east/,
  );
});

browserTest("the page of a cluster names the trigger of a generated profile, and leads to it", {}, async (page) => {
  await dashboard.open(page, `/c/${context}/clusters/SveltosCluster/fleet/east`);
  const link = page.locator(".deployment-row").getByRole("link", { name: "EventTrigger network-policy" }).first();
  await link.waitFor();
  if (process.env["SHOTS"] !== undefined) await page.screenshot({ path: `${process.env["SHOTS"]}/cluster-trigger.png`, fullPage: true });
  await link.click();
  await page.waitForURL(/\/events\/triggers\/EventTrigger\/network-policy$/);
  await page.waitForSelector(".graph-node");
});

for (const scheme of ["light", "dark"] as const)
  for (const width of [1280, 390])
    browserTest(`no serious finding of axe-core, ${width} px, ${scheme}`, { width, scheme }, async (page) => {
      for (const path of [events, flow, trigger]) {
        await dashboard.open(page, path);
        await page.waitForSelector(path === events ? "table.triggers" : ".graph-node");
        await assertAccessible(page);
        if (process.env["SHOTS"] !== undefined)
          await page.screenshot({ path: `${process.env["SHOTS"]}/${path.split("/").at(-1)}-${width}-${scheme}.png`, fullPage: true });
      }
    });

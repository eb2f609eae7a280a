/** The recordings of a release: a replay that a slider moves, and revisions beside each other. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { serveClusters, testFolder } from "../support/command-line.ts";
import { assertAccessible } from "./support/assert-accessible.ts";
import { browserTest } from "./support/browser-test.ts";
import { nodeId, releasePath } from "./support/release-address.ts";
import { serveDashboard } from "./support/served-dashboard.ts";
import { shopBehaviour, shopManifests } from "./support/shop-release.ts";

const folder = testFolder("replay");
const { kubeconfig, sluice } = await serveClusters(folder, "--behaviour", folder.file("rules.yaml", shopBehaviour));
const dashboard = await serveDashboard("--kubeconfig", kubeconfig);
const deploy = (name: string, manifests: string, ...flags: readonly string[]) =>
  sluice("deploy", name, folder.file(`${name}.yaml`, manifests), ...flags);
const migrate = nodeId("batch", "Job", "migrate");
const gateway = nodeId("apps", "Deployment", "gateway");

assert.equal((await deploy("shop", shopManifests())).code, 0);
assert.equal((await deploy("shop", shopManifests({ migration: "migrate-bad", image: "web-2" }))).code, 1);
assert.equal((await deploy("silent", shopManifests({ workers: 0 }).replaceAll("name: ", "name: s-"), "--no-recording")).code, 0);

browserTest("a replay shows the states of a time, and the address has it", {}, async (page) => {
  await dashboard.open(page, releasePath("shop", "/1"));
  await page.waitForSelector(`.graph-node.state-ready[data-node="${gateway}"]`);
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  const slider = page.getByRole("slider", { name: "Time of the replay" });
  await slider.fill("0");
  await page.waitForSelector(`.graph-node.state-waiting[data-node="${gateway}"]`);
  await page.waitForSelector(`.timeline-row.state-waiting[data-row="${gateway}"]`);
  assert.equal(await page.locator(`.timeline-row[data-row="${gateway}"] .timeline-bar`).count(), 0);
  await page.waitForURL(/[?&]at=0$/);
  await page.getByText("Nothing is held up.").waitFor();
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/[?&]at=[1-9]\d*$/);
  await page.keyboard.press("End");
  await page.waitForSelector(`.graph-node.state-ready[data-node="${gateway}"]`);
  await page.getByRole("button", { name: "Back to its end" }).click();
  await page.waitForURL((url) => !url.search.includes("at="));
});

browserTest("a replay plays by itself to its end, and stands still when paused", {}, async (page) => {
  await dashboard.open(page, `${releasePath("shop")}?at=0`);
  const slider = page.getByRole("slider");
  await page.getByRole("combobox", { name: "Speed" }).selectOption("1");
  await page.getByRole("button", { name: "Play" }).press("Enter");
  await page.waitForFunction(() => Number(document.querySelector<HTMLInputElement>(".replay input")?.value) > 300);
  await page.getByRole("button", { name: "Pause" }).click();
  const paused = await slider.inputValue();
  await page.waitForURL(/at=[1-9]/);
  assert.equal(await slider.inputValue(), paused);
  await page.getByRole("combobox", { name: "Speed" }).selectOption("50");
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForSelector(`.graph-node.state-failed.is-chain[data-node="${migrate}"]`);
  await page.getByRole("button", { name: "Play" }).waitFor();
});

browserTest("a link to a time shows that time, with the chain of then", {}, async (page) => {
  await dashboard.open(page, `${releasePath("shop")}?at=999999&object=${encodeURIComponent(gateway)}`);
  await page.waitForSelector(`.graph-node.state-skipped.is-selected.is-chain[data-node="${gateway}"]`);
  await page.waitForSelector(`.graph-node.state-failed.is-chain[data-node="${migrate}"]`);
  await page.getByText("What follows is how it is now.").waitFor();
});

browserTest("a revision without a recording says why it cannot be replayed", {}, async (page) => {
  await dashboard.open(page, releasePath("silent"));
  await page.getByText(/^No replay: .*record/).waitFor();
  assert.equal(await page.getByRole("button", { name: "Replay" }).count(), 0);
});

browserTest("two revisions beside each other: objects, diffs and times", {}, async (page) => {
  await dashboard.open(page, releasePath("shop"));
  await page.locator(".revision-menu summary").click();
  await page.getByRole("link", { name: "Compare with revision 1" }).click();
  await page.waitForURL(/\/shop\/2\?compare=1$/);
  const comparison = page.getByRole("region", { name: "Revision 1 beside revision 2" });
  await comparison.getByText("job/migrate").first().waitFor();
  const text = (await comparison.textContent()) ?? "";
  assert.match(text, /~ updated job\/migrate/);
  assert.match(text, /-\s+- image: migrate\n\+\s+- image: migrate-bad/);
  assert.match(text, /sluice timeline shop 2 --compare 1 -n default --context sluice/);
  assert.match((await comparison.getByRole("row", { name: /^job\/migrate/ }).textContent()) ?? "", /slower/);
  await comparison.getByRole("link", { name: "Back to the graph" }).click();
  await page.waitForSelector(".graph-node");
});

for (const width of [1280, 390])
  for (const scheme of ["light", "dark"] as const)
    browserTest(`a replay and a comparison: no serious finding, ${width} px, ${scheme}`, { width, scheme }, async (page) => {
      for (const [path, shown] of [
        [`${releasePath("shop")}?at=1500`, ".replay input"],
        [`${releasePath("shop", "/2")}?compare=1`, ".comparison details"],
      ] as const) {
        await dashboard.open(page, path);
        await page.waitForSelector(shown);
        await assertAccessible(page);
        await assertFits(page);
      }
    });

async function assertFits(page: Page): Promise<void> {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
}

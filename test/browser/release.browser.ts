/** The release view: a failing deploy is followed live, objects are explained, keys reach everything. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { run } from "../../src/cli/program.ts";
import { plainPaint } from "../../src/view/index.ts";
import { serveClusters, testFolder } from "../support/command-line.ts";
import { assertAccessible } from "./support/assert-accessible.ts";
import { browserTest } from "./support/browser-test.ts";
import { watchLayoutShifts } from "./support/layout-shifts.ts";
import { nodeId, releasePath } from "./support/release-address.ts";
import { serveDashboard } from "./support/served-dashboard.ts";
import { shopBehaviour, shopManifests } from "./support/shop-release.ts";

const folder = testFolder("release");
const { kubeconfig, sluice } = await serveClusters(folder, "--behaviour", folder.file("rules.yaml", shopBehaviour));
const dashboard = await serveDashboard("--kubeconfig", kubeconfig);
const deploy = (name: string, manifests: string) => sluice("deploy", name, folder.file(`${name}.yaml`, manifests));
const small = (name: string, image: string) => `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: ${image}}]}}}
`;
const migrate = nodeId("batch", "Job", "migrate");

assert.equal((await deploy("shop", shopManifests())).code, 0);

for (const width of [1280, 390])
  browserTest(`a failing deploy is followed live, ${width} px, and nothing moves`, { width, height: 900 }, async (page, t) => {
    assert.equal((await deploy("shop", shopManifests({ image: `web-${width}` }))).code, 0);
    await dashboard.open(page, releasePath("shop"));
    await page.waitForSelector(".graph-node.state-ready");
    await waitForStatus(page, "deployed");
    const shifts = await watchLayoutShifts(page);
    const running = deploy("shop", shopManifests({ migration: "migrate-bad", image: `web-${width}-2` }));
    await waitForStatus(page, "pending-upgrade");
    await page.getByText(/at work: /).waitFor();
    await page.waitForSelector(`.graph-node.state-progressing[data-node="${migrate}"]`);
    await page.waitForSelector(`.timeline-row.state-progressing[data-row="${migrate}"]`);
    await waitForStatus(page, "failed");
    await page.waitForSelector(`.graph-node.state-failed.is-chain[data-node="${migrate}"]`);
    assert.equal((await running).code, 1);
    assert.ok((await page.locator(".graph-line.is-chain").count()) > 0, "the chain is drawn");
    await page.getByRole("button", { name: /job\/migrate.*\d+ objects wait.*BackoffLimitExceeded/ }).waitFor();
    await page.waitForSelector(`.timeline-row.state-failed[data-row="${migrate}"] .timeline-bar.is-failed`);
    await page.getByText(/failed in \d/).waitFor();
    const { value, what } = await shifts();
    t.diagnostic(`layout shift while a deploy failed, ${width} px: ${value.toFixed(4)}`);
    assert.ok(value < 0.005, `${value}: ${what.join(", ")}`);
  });

browserTest("the page of a deploy that is over offers nothing that it cannot do", { allowed: /ERR_/ }, async (page) => {
  const found = Promise.withResolvers<string>();
  const out = (line: string) => {
    const [url] = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(line) ?? [];
    if (url !== undefined) found.resolve(url);
  };
  const brief = small("brief", "sleeper, command: [sleep, '5']");
  const flags = ["--kubeconfig", kubeconfig, "--dashboard"];
  const running = run(["deploy", "brief", folder.file("brief.yaml", brief), ...flags], { out, err: out, paint: plainPaint });
  await page.goto(await found.promise);
  await page.getByRole("button", { name: "Redeploy…" }).waitFor();
  assert.equal(await running, 0);
  await page.getByText("The run is over").waitFor();
  assert.equal(await page.getByRole("button", { name: "Redeploy…" }).count(), 0);
});

browserTest("a release that is not there yet is shown as soon as it is", {}, async (page) => {
  await dashboard.open(page, releasePath("late"));
  await page.getByText("There is no release late in default.").waitFor();
  assert.equal((await deploy("late", small("late", "migrate"))).code, 0);
  await waitForStatus(page, "deployed");
  assert.equal(await page.getByText("There is no release late in default.").count(), 0);
  assert.match(await page.title(), /^late · deployed · Sluice$/);
});

browserTest("a failed first install is shown with its failure", {}, async (page) => {
  assert.equal((await deploy("first", small("first", "migrate-bad"))).code, 1);
  await dashboard.open(page, releasePath("first"));
  await waitForStatus(page, "failed");
  await page.waitForSelector(".graph-node.state-failed");
  await page
    .getByText(/Install|installation/i)
    .first()
    .waitFor();
});

browserTest("an object is explained: logs, Events, conditions, diff and YAML, harmless and without secrets", {}, async (page) => {
  await dashboard.open(page, `${releasePath("shop")}?object=${encodeURIComponent(migrate)}`);
  const panel = page.getByRole("complementary", { name: "About job/migrate" });
  await panel.getByText("Last lines of migrate in").waitFor();
  const text = (await panel.textContent()) ?? "";
  assert.match(text, /connecting to db:5432 as shop with \(hidden\)/);
  assert.match(text, /<img src=x onerror=alert\(1\)><b>relation orders<\/b> does not exist/);
  assert.match(text, /migration 042 failed/);
  assert.match(text, /BackoffLimitExceeded/);
  assert.match(text, /-\s+- image: migrate\n\+\s+- image: migrate-bad/);
  assert.match(text, /kubectl describe job\.batch\/migrate -n default --context sluice/);
  assert.equal(await panel.locator("img").count(), 0);
  await panel.getByText("YAML", { exact: true }).click();
  assert.match((await panel.getByRole("region", { name: "YAML" }).textContent()) ?? "", /^apiVersion: batch\/v1$/m);
});

browserTest("the values of a Secret are nowhere on the page", {}, async (page) => {
  const secret = nodeId("", "Secret", "db-password");
  await dashboard.open(page, `${releasePath("shop")}?object=${encodeURIComponent(secret)}`);
  const panel = page.getByRole("complementary", { name: "About secret/db-password" });
  await panel.getByText("YAML", { exact: true }).click();
  assert.match((await panel.getByRole("region", { name: "YAML" }).textContent()) ?? "", /password: \(hidden\)/);
  assert.doesNotMatch(await page.content(), /correct-horse|Y29ycmVjdC1ob3JzZQ/);
});

browserTest("what an object says is asked for again when it changes", {}, async (page) => {
  assert.equal((await deploy("again", small("again", "migrate"))).code, 0);
  await dashboard.open(page, `${releasePath("again")}?object=${encodeURIComponent(nodeId("batch", "Job", "again"))}`);
  const panel = page.getByRole("complementary", { name: "About job/again" });
  await panel.getByText("Complete", { exact: true }).waitFor();
  assert.equal((await deploy("again", small("again", "migrate-bad"))).code, 1);
  await panel.getByText("Last lines of c in").waitFor();
});

browserTest("by keys alone: the graph, an object, its panel, the timeline and an earlier revision", {}, async (page) => {
  await dashboard.open(page, releasePath("shop"));
  await page.waitForSelector(".graph-node.state-failed");
  await tabTo(page, "listbox", /^Plan of shop/);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForURL(/object=/);
  await tabTo(page, "button", /^Close$/);
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.search.includes("object="));
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "listbox");
  await tabTo(page, "listbox", /^Timeline of shop/);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".graph-node.is-selected");
  await page.keyboard.press("Escape");
  await tabTo(page, "summary", /^revision \d+/);
  await page.keyboard.press("Enter");
  await tabTo(page, "link", /^1/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/shop\/1$/);
  await waitForStatus(page, "superseded");
});

for (const width of [1280, 390])
  for (const scheme of ["light", "dark"] as const)
    browserTest(`a failed release and an object of it: no serious finding, ${width} px, ${scheme}`, { width, scheme }, async (page) => {
      await dashboard.open(page, releasePath("shop"));
      await page.waitForSelector(".graph-node.state-failed");
      await assertAccessible(page);
      await assertFits(page);
      await dashboard.open(page, `${releasePath("shop")}?object=${encodeURIComponent(migrate)}`);
      await page.waitForSelector(".object-conditions");
      await assertAccessible(page);
      await assertFits(page);
    });

async function waitForStatus(page: Page, word: string): Promise<void> {
  await page.locator(".release-title [role=status]", { hasText: word }).waitFor();
}

async function assertFits(page: Page): Promise<void> {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
}

/** Presses Tab until something of this role and name has the focus. */
async function tabTo(page: Page, role: string, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      const tags: Readonly<Record<string, string>> = { A: "link", BUTTON: "button", SUMMARY: "summary" };
      const found = element?.getAttribute("role") ?? tags[element?.tagName ?? ""] ?? "";
      return { role: found, name: element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "" };
    });
    if (at.role === role && name.test(at.name)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${role} ${name.source}`);
}

/** Actions: each is asked about first, by keyboard alone; what was started is seen to its end, also after a reload. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { serveClusters, testFolder } from "../support/command-line.ts";
import { assertAccessible } from "./support/assert-accessible.ts";
import { browserTest } from "./support/browser-test.ts";
import { serveDashboard } from "./support/served-dashboard.ts";

const folder = testFolder("browser-actions");
const { kubeconfig, sluice } = await serveClusters(folder);
const manifest = (value: string) =>
  folder.file(
    `${value}.yaml`,
    [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { value } },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "creds" }, stringData: { password: `hidden-${value}` } },
    ]
      .map((object) => JSON.stringify(object))
      .join("\n---\n"),
  );
for (const value of ["one", "two"]) assert.equal((await sluice("deploy", "web", manifest(value))).code, 0);
const dashboard = await serveDashboard("--kubeconfig", kubeconfig);
const release = "/c/sluice/releases/default/web";

async function openRelease(page: Page): Promise<void> {
  page.setDefaultTimeout(10_000);
  await dashboard.open(page, release);
  await page.getByRole("group", { name: "Actions on release web" }).waitFor();
}

/** Tab by tab, until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const text = await page.evaluate(() => document.activeElement?.textContent ?? "");
    if (name.test(text) && (await page.evaluate(() => document.activeElement?.matches("button, summary, a") === true))) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`no Tab leads to ${name.source}`);
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? "");
}

async function history(): Promise<readonly string[]> {
  const { out } = await sluice("history", "web", "-o", "json");
  return (JSON.parse(out) as readonly { description: string }[]).map(({ description }) => description);
}

/** The notice about an action, when it says this. */
function notice(page: Page, text: string) {
  return page.getByRole("list", { name: "Your actions" }).getByRole("listitem").filter({ hasText: text }).first();
}

browserTest("a rollback is asked about and started by keyboard alone; Escape and Cancel do nothing", {}, async (page) => {
  await openRelease(page);
  await tabTo(page, /^Roll back…$/);
  await page.keyboard.press("Enter");
  await tabTo(page, /to revision 1/);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Roll back web to revision 1" });
  await dialog.getByText("revision 3 of release web is made, with the content of revision 1").waitFor();
  assert.equal(await focusedText(page), "Cancel");
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await focusedText(page), "Roll back…");
  assert.equal((await history()).length, 2);
  await page.keyboard.press("Enter");
  await tabTo(page, /to revision 1/);
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Roll back", exact: true }).waitFor();
  await tabTo(page, /^Roll back$/);
  await page.keyboard.press("Enter");
  await notice(page, "Roll back web to revision 1").filter({ hasText: "Revision 3 of web is deployed." }).waitFor();
  assert.deepEqual((await history()).at(-1), "Rollback to 1");
  await assertAccessible(page);
  await page.reload();
  await notice(page, "Revision 3 of web is deployed.").waitFor();
  await page.getByRole("button", { name: "Put away: Roll back web to revision 1" }).click();
  await notice(page, "Roll back web to revision 1").waitFor({ state: "detached" });
});

browserTest("the focus stays in the dialog, and a double click redeploys once", {}, async (page) => {
  await openRelease(page);
  const before = (await history()).length;
  await page.getByRole("button", { name: "Redeploy…" }).click();
  const dialog = page.getByRole("dialog", { name: "Redeploy web" });
  await dialog.getByRole("button", { name: "Redeploy", exact: true }).waitFor();
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null));
  }
  await dialog.getByRole("button", { name: "Redeploy", exact: true }).dblclick();
  await notice(page, "Redeploy web").filter({ hasText: "is deployed" }).waitFor();
  const after = await history();
  assert.deepEqual([after.length, after.at(-1)], [before + 1, `Redeploy of ${before}`]);
});

browserTest("a saved plan is read on the page, without secrets, and run after a question", {}, async (page) => {
  const file = join(folder.path, "web.plan");
  assert.equal((await sluice("plan", "web", manifest("three"), "--save", file)).code, 0);
  page.setDefaultTimeout(10_000);
  await dashboard.open(page, "/c/sluice/actions");
  await page.getByLabel("A file with a saved plan").setInputFiles(file);
  await page.getByRole("heading", { name: "Run the plan web.plan: upgrade web" }).waitFor();
  for (const summary of await page.locator(".preview-change summary").all()) await summary.click();
  const text = (await page.locator(".plan-reading").textContent()) ?? "";
  assert.match(text, /\+ {3}value: three/);
  assert.doesNotMatch(text, /hidden-three|aGlkZGVuLXRocmVl/);
  await assertAccessible(page);
  await page.getByRole("button", { name: "Run the plan…" }).click();
  const dialog = page.getByRole("dialog", { name: "Run the plan web.plan: upgrade web" });
  await dialog.getByRole("button", { name: "Run the plan", exact: true }).click();
  await page.waitForURL((url) => url.pathname === release);
  await notice(page, "Run the plan web.plan").filter({ hasText: "is deployed" }).waitFor();
  assert.equal((await history()).at(-1), "Upgrade complete");
});

browserTest("a file that is no plan is refused in a sentence, and an old plan with its reason", { width: 390 }, async (page) => {
  page.setDefaultTimeout(10_000);
  await dashboard.open(page, "/c/sluice/actions");
  const picker = page.getByLabel("A file with a saved plan");
  await picker.setInputFiles(manifest("one"));
  await page.getByText("it is not a plan that sluice plan --save wrote").waitFor();
  assert.equal(await page.getByRole("button", { name: "Run the plan…" }).count(), 0);
  await picker.setInputFiles(join(folder.path, "web.plan"));
  await page.getByText(/it was drawn up for revision \d+ as it was/).waitFor();
  assert.equal(await page.getByRole("button", { name: "Run the plan…" }).count(), 0);
  await assertAccessible(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
});

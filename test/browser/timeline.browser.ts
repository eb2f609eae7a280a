/** The timeline: 2,000 rows of which few are drawn, keys, what is heard, and one selection with the graph. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/assert-accessible.ts";
import { browserTest } from "./support/browser-test.ts";
import { serveFixture } from "./support/served-fixture.ts";

const url = await serveFixture("graph-fixture");

for (const scheme of ["light", "dark"] as const)
  for (const width of [1280, 390])
    browserTest(`a timeline has no serious finding and fits, ${width} px, ${scheme}`, { width, scheme }, async (page) => {
      await page.goto(`${url}/?count=40`);
      await page.waitForSelector(".timeline-row");
      await assertAccessible(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0);
    });

browserTest("keys move through 2,000 rows, of which few are drawn", {}, async (page) => {
  await page.goto(`${url}/?count=2000`);
  await page.waitForSelector(".timeline-row");
  await page.getByRole("listbox", { name: "Timeline" }).focus();
  await page.keyboard.press("End");
  await page.waitForSelector('.timeline-row[aria-posinset="2000"].is-focused');
  assert.match(await focusedText(page), /object-1999: waiting; not begun$/);
  assert.ok((await page.locator(".timeline-row").count()) < 60);
  await page.keyboard.press("ArrowUp");
  await page.waitForSelector('.timeline-row[aria-posinset="1999"].is-focused');
  await page.keyboard.press("Home");
  await page.waitForSelector('.timeline-row[aria-posinset="1"].is-focused');
  assert.match(await focusedText(page), /: ready; applied 0\.8 s from 0\.0 s; waited 3\.2 s from 0\.8 s: 1\/3 replicas/);
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".timeline-row.is-selected").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".timeline-row.is-selected").count(), 0);
});

browserTest("what is selected in one of graph and timeline is selected and seen in the other", {}, async (page) => {
  await page.goto(`${url}/?count=40`);
  await page.waitForSelector(".graph-node");
  await page.locator(".timeline-row").first().click();
  const id = await page.locator(".timeline-row.is-selected").getAttribute("data-row");
  const node = page.locator(".graph-node.is-selected");
  assert.equal(await node.getAttribute("data-node"), id);
  const [frame, box] = [(await page.locator(".graph-frame").boundingBox())!, (await node.boundingBox())!];
  assert.ok(box.x >= frame.x && box.x + box.width <= frame.x + frame.width && box.y >= frame.y);
  await page.getByRole("listbox", { name: "Plan" }).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.timeline-row.is-selected[aria-posinset="40"]');
});

browserTest("news change bars and states, and move no row", {}, async (page) => {
  await page.goto(`${url}/?count=40`);
  await page.waitForSelector(".timeline-row");
  const places = () => page.locator(".timeline-row").evaluateAll((rows) => rows.map((row) => `${row.id} ${row.getBoundingClientRect().y}`));
  const before = await places();
  await page.evaluate("change(5)");
  await page.waitForSelector('.timeline-row.state-failed[aria-posinset="6"]');
  assert.deepEqual(await places(), before);
});

function focusedText(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")?.querySelector(".only-read-aloud")
        ?.textContent ?? "",
  );
}

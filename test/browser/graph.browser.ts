/** The graph: 2,000 objects are drawn in time and pan smoothly; keys, pointer and what is heard. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/assert-accessible.ts";
import { browserTest } from "./support/browser-test.ts";
import { panFrames } from "./support/pan-frames.ts";
import { serveFixture } from "./support/served-fixture.ts";

const url = await serveFixture("graph-fixture");

for (const scheme of ["light", "dark"] as const)
  for (const width of [1280, 390])
    browserTest(`a graph of 40 objects has no serious finding, ${width} px, ${scheme}`, { width, scheme }, async (page) => {
      await page.goto(`${url}/?count=40`);
      await page.waitForSelector(".graph-node");
      await assertAccessible(page);
    });

browserTest("arrow keys follow edges, Enter selects, Escape takes it back", {}, async (page) => {
  await page.goto(`${url}/?count=40`);
  await page.waitForSelector(".graph-node");
  const graph = page.getByRole("listbox", { name: "Plan" });
  await graph.focus();
  await page.keyboard.press("Home");
  const first = await focusedText(page);
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await focusedText(page), first);
  assert.match(await focusedText(page), /; after object-\d+|; after a-rather/);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".graph-node.is-selected").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".graph-node.is-selected").count(), 0);
});

browserTest("who asks for the whole before the first look gets it", {}, async (page) => {
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(".graph-node") === null) return;
      observer.disconnect();
      document.querySelector<HTMLButtonElement>('.graph-tools [title^="Show all"]')!.click();
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${url}/?count=40`);
  await page.waitForSelector(".graph-node");
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  const frame = (await page.locator(".graph-frame").boundingBox())!;
  const boxes = await page
    .locator(".graph-node")
    .evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON() as DOMRect));
  const outside = boxes.filter(
    ({ top, left, bottom, right }) => top < frame.y || left < frame.x || bottom > frame.y + frame.height || right > frame.x + frame.width,
  );
  assert.deepEqual([boxes.length, outside], [40, []]);
});

browserTest("a click selects a node, a drag moves the graph", {}, async (page) => {
  await page.goto(`${url}/?count=40`);
  await page.waitForSelector(".graph-node");
  await page.getByRole("button", { name: "Fit" }).click();
  const node = page.locator(".graph-node").nth(3);
  const id = await node.getAttribute("data-node");
  await node.click();
  assert.equal(await page.locator(".graph-node.is-selected").getAttribute("data-node"), id);
  const before = await node.boundingBox();
  const box = (await page.locator(".graph-frame").boundingBox())!;
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 220, { steps: 5 });
  await page.mouse.up();
  const after = await node.boundingBox();
  assert.ok(Math.abs(after!.x - before!.x - 60) < 2 && Math.abs(after!.y - before!.y - 20) < 2);
  assert.equal(await page.locator(".graph-node.is-selected").getAttribute("data-node"), id);
});

browserTest("news move nothing", {}, async (page) => {
  await page.goto(`${url}/?count=40`);
  await page.waitForSelector(".graph-node");
  const places = () => page.locator(".graph-node").evaluateAll((nodes) => nodes.map((node) => node.getAttribute("transform")));
  const before = await places();
  await page.evaluate("change(5)");
  await page.waitForFunction(() => document.querySelectorAll(".graph-node.state-failed").length > 1);
  assert.deepEqual(await places(), before);
});

browserTest("2,000 objects are drawn in 1.5 s and pan at 30 frames a second", {}, async (page, t) => {
  await page.goto(`${url}/?count=10`);
  const drawnMs = await firstDrawMs(page, `${url}/?count=2000`);
  t.diagnostic(`2,000 objects: drawn after ${Math.round(drawnMs)} ms`);
  for (const [what, keys] of [
    ["as first seen", []],
    ["all of them on the screen", ["0"]],
  ] as const) {
    await page.locator(".graph-frame").focus();
    for (const key of keys) await page.keyboard.press(key);
    const frames = await panFrames(page);
    t.diagnostic(`2,000 objects, ${what}: ${frames.toFixed(0)} frames a second while panning`);
    assert.ok(frames >= 30, `${frames} frames a second`);
  }
  assert.ok(drawnMs <= 1500, `${drawnMs} ms`);
});

function focusedText(page: Page): Promise<string> {
  return page.evaluate(
    () => document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")?.textContent ?? "",
  );
}

/** From the start of the navigation until pixels are on the canvas. */
async function firstDrawMs(page: Page, address: string): Promise<number> {
  await page.goto(address);
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          const canvas = document.querySelector<HTMLCanvasElement>("canvas.graph-picture");
          const pixels =
            canvas === null || canvas.width === 0
              ? undefined
              : canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
          if (pixels?.some((value) => value !== 0) === true) resolve(performance.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

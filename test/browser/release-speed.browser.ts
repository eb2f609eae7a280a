/** How fast the release view is: from a change in the cluster to the screen, and with 2,000 objects. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openCluster } from "../../src/kube/index.ts";
import { serveClusters, testFolder } from "../support/command-line.ts";
import { browserTest } from "./support/browser-test.ts";
import { panFrames } from "./support/pan-frames.ts";
import { nodeId, releasePath } from "./support/release-address.ts";
import { serveDashboard } from "./support/served-dashboard.ts";

const folder = testFolder("release-speed");
const { kubeconfig, sluice } = await serveClusters(folder);
const dashboard = await serveDashboard("--kubeconfig", kubeconfig);
const configMap = (name: string, rank: number) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, annotations: {werf.io/weight: "${rank}"}}
data: {of: ${name}}
`;
const changes = 60;

browserTest("a change in the cluster is on the screen in 200 ms by the median, and in 500 ms at 99 %", {}, async (page, t) => {
  const names = ["a", "b", "c", "d", "e"];
  const manifests = names.map((name, at) => configMap(name, at)).join("---\n");
  assert.equal((await sluice("deploy", "few", folder.file("few.yaml", manifests))).code, 0);
  const { cluster, close } = await openCluster({ kubeconfig });
  await dashboard.open(page, releasePath("few"));
  await page.waitForSelector(".graph-node.state-ready");
  await watchStates(page);
  const took: number[] = [];
  for (let at = 0; at < changes; at++) {
    const name = names[Math.floor(at / 2) % names.length]!;
    const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name };
    const [state, sentAt] = [at % 2 === 0 ? "gone" : "ready", Date.now()];
    if (state === "gone") await cluster.delete(ref);
    else await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { of: name } });
    took.push((await seenAt(page, nodeId("", "ConfigMap", name), state, sentAt)) - sentAt);
  }
  close();
  took.sort((a, b) => a - b);
  const [median, late] = [took[Math.floor(took.length / 2)]!, took[Math.ceil(took.length * 0.99) - 1]!];
  t.diagnostic(`${changes} changes of the cluster, from the request to the screen: median ${median} ms, 99 % ${late} ms`);
  assert.ok(median <= 200 && late <= 500, `median ${median} ms, 99 % ${late} ms`);
});

browserTest("a release of 2,000 objects is drawn in 1.5 s, and its graph pans at 30 frames a second", {}, async (page, t) => {
  const manifests = Array.from({ length: 2000 }, (_, at) => configMap(`object-${at}`, Math.floor(at / 250))).join("---\n");
  assert.equal((await sluice("deploy", "many", folder.file("many.yaml", manifests))).code, 0);
  await dashboard.open(page, releasePath("few"));
  await page.waitForSelector(".graph-node");
  await dashboard.open(page, releasePath("many"));
  const { itemsMs, drawnMs } = await firstDraw(page);
  t.diagnostic(`a release of 2,000 objects: its items are there after ${itemsMs} ms, drawn ${drawnMs - itemsMs} ms later`);
  const frames = await panFrames(page);
  t.diagnostic(`a release of 2,000 objects: ${frames.toFixed(0)} frames a second while panning`);
  assert.ok((await page.locator(".timeline-row").count()) < 60);
  assert.ok(drawnMs - itemsMs <= 1500, `${drawnMs - itemsMs} ms`);
  assert.ok(frames >= 30, `${frames} frames a second`);
});

/** Notes when each node gets a state: after the frame in which it is drawn. */
async function watchStates(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: { id: string; state: string; at: number }[] = [];
    Object.assign(globalThis, { seenStates: seen });
    new MutationObserver((mutations) =>
      requestAnimationFrame(() => {
        for (const { target } of mutations) {
          if (!(target instanceof SVGElement) || target.dataset["node"] === undefined) continue;
          const state = /state-(\w+)/.exec(target.getAttribute("class") ?? "")?.[1] ?? "";
          seen.push({ id: target.dataset["node"], state, at: Date.now() });
        }
      }),
    ).observe(document.querySelector(".graph")!, { subtree: true, attributes: true, attributeFilter: ["class"] });
  });
}

/** When a node had a state first after a time. */
async function seenAt(page: Page, id: string, state: string, after: number): Promise<number> {
  const found = await page.waitForFunction(
    (wanted) => {
      const { seenStates } = globalThis as unknown as { seenStates: readonly { id: string; state: string; at: number }[] };
      return seenStates.find((each) => each.id === wanted.id && each.state === wanted.state && each.at >= wanted.after)?.at;
    },
    { id, state, after },
    { polling: 20 },
  );
  return (await found.jsonValue()) as number;
}

/** When all items have arrived, and when pixels are on the canvas, in ms since the page was asked for. */
async function firstDraw(page: Page): Promise<{ readonly itemsMs: number; readonly drawnMs: number }> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        let itemsMs: number | undefined;
        const look = () => {
          const canvas = document.querySelector<HTMLCanvasElement>("canvas.graph-picture");
          if (document.querySelector(".release-heading") !== null) itemsMs ??= Math.round(performance.now());
          const pixels =
            canvas === null || canvas.width === 0
              ? undefined
              : canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
          if (itemsMs !== undefined && pixels?.some((value) => value !== 0) === true)
            resolve({ itemsMs, drawnMs: Math.round(performance.now()) });
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

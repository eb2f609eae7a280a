/** 1,000 clusters by 50 profiles: from a fixture, and from the real server over a management cluster that holds 50,000 ClusterSummaries. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";
import type { Page } from "playwright-core";
import { RealClock } from "../../src/core/clock/index.ts";
import { startEmbeddedCluster } from "../../src/embedded/index.ts";
import { connect } from "../../src/kube/index.ts";
import { serveExchange } from "../../src/server/index.ts";
import { gvkOf } from "../../src/sveltos/api/index.ts";
import { testFolder } from "../support/command-line.ts";
import { largeFleetObjects } from "../support/dashboard/large-fleet.ts";
import { browserTest } from "./support/browser-test.ts";
import { serveFixture } from "./support/served-fixture.ts";

const size = { clusters: 1000, profiles: 50 };
/** The goals of the project. */
const [maxDrawnMs, minFrames, maxMedianMs, maxLateMs] = [1500, 30, 200, 500];

const url = await serveFixture("fleet-fixture");

/** When this is on the screen, in ms since the page was asked for. Default: a cell whose state is known. */
function drawnAt(page: Page, selector = ".matrix-cell:not(.is-unread)"): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector(wanted) === null) return void requestAnimationFrame(look);
          requestAnimationFrame(() => resolve(performance.now()));
        };
        look();
      }),
    selector,
  );
}

browserTest("a fixture of 1,000 by 50 is drawn in time", {}, async (page, t) => {
  await page.goto(url);
  const ms = await drawnAt(page);
  const cells = await page.locator(".matrix-cell").count();
  t.diagnostic(`1,000 × 50 from a fixture: drawn ${Math.round(ms)} ms after the page was asked for, ${cells} cells in the document`);
  assert.ok(ms < maxDrawnMs);
  assert.ok(cells < 5000, "only what is on the screen is in the document");
});

for (const [query, name] of [
  ["", "ungrouped"],
  ["?group=region", "grouped"],
] as const)
  browserTest(`the matrix scrolls smoothly, ${name}`, {}, async (page, t) => {
    await page.goto(url + query);
    await drawnAt(page);
    for (const axis of ["scrollTop", "scrollLeft"] as const) {
      const before = await rendererMs(page);
      const { count, frames, longest } = await scroll(page, axis);
      const costMs = ((await rendererMs(page)) - before) / count;
      const [load = 0] = loadavg();
      t.diagnostic(
        `${name}, ${axis}: ${frames.toFixed(0)} frames a second, the longest ${longest.toFixed(0)} ms, ${costMs.toFixed(1)} ms of processor time each (load ${load.toFixed(0)} on ${cpus().length} cores)`,
      );
      assert.ok(frames >= minFrames, `${frames} frames a second`);
    }
  });

/** The processor time that pages have taken so far, with that of the threads that paint. */
async function rendererMs(page: Page): Promise<number> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

/** Scrolls for two seconds, a step with every frame. */
function scroll(
  page: Page,
  axis: "scrollTop" | "scrollLeft",
): Promise<{ readonly count: number; readonly frames: number; readonly longest: number }> {
  return page.evaluate(
    (property) =>
      new Promise((resolve) => {
        const grid = document.querySelector<HTMLElement>(".matrix")!;
        const end = property === "scrollTop" ? grid.scrollHeight - grid.clientHeight : grid.scrollWidth - grid.clientWidth;
        const startedAt = performance.now();
        let [count, longest, last] = [0, 0, startedAt];
        const step = (now: number) => {
          const passed = performance.now() - startedAt;
          longest = Math.max(longest, now - last);
          last = now;
          if (passed > 2000) return resolve({ count, frames: (count * 1000) / passed, longest });
          count++;
          grid[property] = (end * (1 - Math.cos(passed / 900))) / 2;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    axis,
  );
}

browserTest("keys reach the last cell of 1,000 by 50, and news move nothing", {}, async (page) => {
  await page.goto(url);
  await drawnAt(page);
  await page.locator('[data-line="SveltosCluster/fleet/cluster-0000"] a').focus();
  await page.keyboard.press("Control+End");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  assert.match((await focused())!, /^profile-49: /);
  const [row, column] = await page.evaluate(() => {
    const cell = document.activeElement!;
    return [cell.closest("[aria-rowindex]")!.getAttribute("aria-rowindex"), cell.getAttribute("aria-colindex")];
  });
  assert.deepEqual([row, column], ["1001", "51"]);
  const before = await page.evaluate(() => document.activeElement!.getBoundingClientRect().toJSON() as object);
  await page.evaluate("fail(999, 49)");
  await page.waitForFunction(() => document.activeElement?.classList.contains("is-failed"));
  assert.deepEqual(await page.evaluate(() => document.activeElement!.getBoundingClientRect().toJSON() as object), before);
  // The focus stays with its cell when that is scrolled away.
  await page.evaluate(() => (document.querySelector(".matrix")!.scrollTop = 0));
  await page.waitForTimeout(200);
  assert.match((await focused())!, /^profile-49: failed/);
  await page.keyboard.press("ArrowLeft");
  assert.match((await focused())!, /^profile-48: /);
});

browserTest("while cells are being read they say so, and what arrives moves nothing", {}, async (page) => {
  await page.goto(`${url}?clusters=15&profiles=10&read=4&group=region`);
  const cell = (line: string, column: number) => page.locator(`[data-line="${line}"] [data-column="${column}"]`);
  await drawnAt(page, ".is-unread");
  const one = "SveltosCluster/fleet/cluster-0001";
  assert.equal(await cell(one, 1).getAttribute("aria-label"), "profile-00: ready");
  assert.equal(await cell(one, 9).getAttribute("aria-label"), "profile-08: not read yet");
  // A group is as bad as its worst cluster, and some may be worse than those that are known.
  assert.match((await cell("group/eu-west", 4).getAttribute("class"))!, /is-failed/);
  assert.match((await cell("group/eu-west", 9).getAttribute("class"))!, /is-unread/);
  assert.match((await page.locator(".matrix-corner").textContent())!, /still reading…/);
  const boxes = () =>
    page.evaluate(() => [...document.querySelectorAll("[data-column]")].map((each) => each.getBoundingClientRect().toJSON() as object));
  const before = await boxes();
  await page.evaluate("readAll()");
  await page.waitForSelector(".matrix-corner [role=status]:empty", { state: "attached" });
  assert.deepEqual(await boxes(), before);
  assert.equal(await page.locator(".is-unread").count(), 0);
  assert.match((await cell("group/eu-west", 9).getAttribute("class"))!, /is-ready|is-waiting/);
});

const folder = testFolder("browser-fleet-large");
const clock = new RealClock();
const startedAt = performance.now();
const { exchange, stop } = startEmbeddedCluster({ clock, objects: largeFleetObjects(size) });
const filledMs = performance.now() - startedAt;
const served = await serveExchange(exchange, { now: new Date() });
const hub = connect(exchange, { clock });
after(async () => {
  stop();
  await served.close();
});

const dashboard = await startDashboard();

/** Starts `sluice dashboard` in a process of its own, whose memory is its own. */
async function startDashboard(): Promise<{ readonly url: string; readonly memory: () => number }> {
  folder.file("ca.crt", served.authority);
  folder.file("me.crt", served.client.certificate);
  folder.file("me.key", served.client.key);
  writeFileSync(
    join(folder.path, "kubeconfig"),
    `kind: Config
current-context: hub
clusters: [{ name: c, cluster: { server: "${served.url}", certificate-authority: ca.crt } }]
users: [{ name: u, user: { client-certificate: me.crt, client-key: me.key } }]
contexts: [{ name: hub, context: { cluster: c, user: u } }]
`,
  );
  const program = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
  const child = spawn(process.execPath, [program, "dashboard", "--kubeconfig", join(folder.path, "kubeconfig")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  after(() => child.kill("SIGINT"));
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
  for await (const line of createInterface(child.stdout)) {
    const [found] = /https?:\/\/127\.0\.0\.1:\d+\S*/.exec(line) ?? [];
    if (found !== undefined) return { url: found, memory };
  }
  return assert.fail("sluice dashboard has ended");
}

browserTest("50,000 ClusterSummaries of a real server are drawn, and a change of one is on the screen in time", {}, async (page, t) => {
  const before = dashboard.memory();
  const { origin, hash } = new URL(dashboard.url);
  await page.goto(`${origin}/c/hub/fleet${hash}`);
  const place = () => page.locator('[data-line="SveltosCluster/fleet/cluster-0000"] [data-column="1"]').boundingBox();
  const first = await drawnAt(page);
  const [load = 0] = loadavg();
  const [early, counted] = [await place(), await readCells(page)];
  const all = await drawnAt(page, ".matrix-corner [role=status]:empty");
  const late = await place();
  const second = await page.context().newPage();
  await second.goto(`${origin}/c/hub/fleet`);
  const warm = await drawnAt(second, ".matrix-corner [role=status]:empty");
  await second.close();
  t.diagnostic(`the management cluster had its 50,000 summaries after ${Math.round(filledMs)} ms`);
  t.diagnostic(
    `1,000 × 50 from the server, for the first visitor: first cells (${counted}) after ${Math.round(first)} ms, all after ${Math.round(all)} ms; for the next all after ${Math.round(warm)} ms (load ${load.toFixed(0)} on ${cpus().length} cores)`,
  );
  t.diagnostic(`server: ${Math.round(before)} MiB before, ${Math.round(dashboard.memory())} MiB with the fleet (resident)`);
  // The goal is one of an idle machine. Where more wants to run than there are cores, each gets its part of the time.
  const share = Math.max(1, load / cpus().length);
  assert.ok(first < maxDrawnMs * share, `${first} ms`);
  assert.ok(warm < maxDrawnMs, `${warm} ms`);
  assert.ok(counted < 50_000, "cells are drawn before all have been read");
  assert.equal(await readCells(page), 50_000);
  assert.deepEqual(late, early, "what arrives moves nothing");

  const times = await changeTimes(page, 100);
  const sorted = times.toSorted((a, b) => a - b);
  const [median, slow] = [sorted[49]!, sorted[98]!];
  t.diagnostic(`a change is on the screen after ${Math.round(median)} ms by the median, ${Math.round(slow)} ms at 99 %`);
  t.diagnostic(`server after 100 changes: ${Math.round(dashboard.memory())} MiB`);
  assert.ok(median < maxMedianMs, `${median} ms`);
  assert.ok(slow < maxLateMs, `${slow} ms`);
});

/** How many cells are in a state that is known, by the legend. */
function readCells(page: Page): Promise<number> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".legend-entry b")].reduce((sum, count) => sum + Number(count.textContent?.replaceAll(/\D/g, "")), 0),
  );
}

/** Changes the status of a ClusterSummary so many times, and measures each time from the request to the next frame with the cell. */
async function changeTimes(page: Page, count: number): Promise<readonly number[]> {
  const ref = { ...gvkOf("ClusterSummary"), namespace: "fleet", name: "profile-00-sveltos-cluster-0000" };
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const isFailed = n % 2 === 0;
    const seen = page.evaluate(
      (wanted) =>
        new Promise<number>((resolve) => {
          const look = () => {
            const cell = document.querySelector('[data-line="SveltosCluster/fleet/cluster-0000"] [data-column="1"]');
            if (cell?.classList.contains("is-failed") === wanted) resolve(performance.timeOrigin + performance.now());
            else requestAnimationFrame(look);
          };
          look();
        }),
      isFailed,
    );
    const feature = isFailed
      ? { featureID: "Resources", status: "Failed", failureMessage: `attempt ${n}` }
      : { featureID: "Resources", status: "Provisioned" };
    // Those who look in rhythm with the server would see its best or its worst.
    await page.waitForTimeout(20 + ((n * 37) % 60));
    const sentAt = performance.timeOrigin + performance.now();
    await hub.patch(ref, { type: "merge", patch: { status: { featureSummaries: [feature] } } }, { subresource: "status" });
    times.push((await seen) - sentAt);
  }
  return times;
}

/**
 * `npm run pictures [-- PATTERN]`: the pictures of the documentation, docs/images, as the dashboard looks now. One more is one
 * entry below. Each is also a test: a console error or a request to another origin fails it.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { bundlePage } from "../../tools/build/bundle-page.ts";
import { serveClusters, testFolder } from "../support/command-line.ts";
import { browserTest } from "./support/browser-test.ts";
import { eventManifests, serviceManifest } from "./support/event-manifests.ts";
import { fillFleet } from "./support/fill-fleet.ts";
import { nodeId, releasePath } from "./support/release-address.ts";
import { serveDashboard } from "./support/served-dashboard.ts";
import { serveFleet } from "./support/served-fleet.ts";
import { smallerPng } from "./support/smaller-png.ts";
import { shopBehaviour, shopManifests } from "./support/shop-release.ts";

type Picture = {
  /** The name of its file, without `.png`. */
  readonly name: string;
  readonly path: string;
  /** Whether it shows the fleet, and not the cluster with the shop. Default false. */
  readonly isOfFleet?: boolean;
  /** What has to be on the page before the picture is taken. */
  readonly shown: string;
  /** Brings the cluster to what is shown. It is called when the pictures before have been taken. */
  readonly prepare?: () => Promise<unknown>;
  /** Does something with the page that has been opened. */
  readonly use?: (page: Page) => Promise<unknown>;
  /** In pixels. Default 1280 and 800. */
  readonly width?: number;
  readonly height?: number;
  /** Default light. */
  readonly scheme?: "light" | "dark";
};

/** Whoever clones the repository gets them all. */
const maxBytes = 150_000;

const root = join(import.meta.dirname, "..", "..");
const images = join(root, "docs", "images");
await bundlePage(join(root, "dist", "page"));
mkdirSync(images, { recursive: true });
const folder = testFolder("pictures");
const { kubeconfig, sluice } = await serveClusters(folder, "--behaviour", folder.file("rules.yaml", shopBehaviour));
const dashboard = await serveDashboard("--kubeconfig", kubeconfig);
const fleet = await serveFleet({ east: { env: "prod", region: "east" }, west: { env: "prod", region: "west" } });
const fleetDashboard = await serveDashboard("--kubeconfig", fleet.kubeconfig);
const makeEvents = async () => {
  await fleet.apply(eventManifests);
  for (const [name, port] of [
    ["shop", 443],
    ["cart", 443],
    ["metrics", 666],
  ] as const)
    await fleet.managed.get("east")!.create(serviceManifest(name, port));
  await fleet.managed.get("west")!.create(serviceManifest("shop", 443));
};
const deployShop = (options: Parameters<typeof shopManifests>[0]) =>
  sluice("deploy", "shop", folder.file("shop.yaml", shopManifests(options)));

const fleetPath = "/c/sluice/fleet";

const pictures: readonly Picture[] = [
  {
    name: "release-failed",
    prepare: () => deployShop({ migration: "migrate-bad", workers: 2 }),
    path: releasePath("shop"),
    shown: ".timeline-row.state-failed",
  },
  {
    name: "release-object",
    path: `${releasePath("shop")}?object=${encodeURIComponent(nodeId("batch", "Job", "migrate"))}`,
    shown: ".object-events",
  },
  {
    name: "release-object-narrow-dark",
    path: `${releasePath("shop")}?object=${encodeURIComponent(nodeId("batch", "Job", "migrate"))}`,
    shown: ".object-events",
    width: 390,
    height: 844,
    scheme: "dark",
  },
  {
    name: "release-replay",
    prepare: () => deployShop({ migration: "migrate-slow", workers: 2 }),
    path: `${releasePath("shop")}?at=5600`,
    shown: ".replay input",
  },
  {
    name: "events",
    isOfFleet: true,
    prepare: makeEvents,
    path: `/c/${fleet.context}/events/triggers/EventTrigger/network-policy/clusters/SveltosCluster/fleet/east`,
    shown: ".script-line.is-failing",
    use: (page) => page.locator(".graph-node", { hasText: "configmap/notes-shop" }).waitFor(),
    height: 960,
  },
  {
    name: "overview",
    isOfFleet: true,
    path: `/c/${fleet.context}`,
    shown: ".activity.is-failing",
    use: (page) => page.locator(".activity", { hasText: "EventTrigger certificates" }).waitFor(),
    height: 480,
  },
  {
    name: "fleet",
    prepare: () => fillFleet(kubeconfig),
    path: `${fleetPath}?group=region&cluster=SveltosCluster%2Ffleet%2Fcluster-0001&column=ClusterProfile%2F%2Fprofile-03`,
    shown: ".deployment-detail",
  },
  {
    name: "fleet-narrow-dark",
    path: `${fleetPath}?group=region&closed=ap-south&closed=eu-central`,
    shown: ".matrix-cell.is-failed",
    width: 390,
    height: 844,
    scheme: "dark",
  },
  { name: "profile", path: "/c/sluice/profiles/ClusterProfile/-/profile-03", shown: ".findings .reason" },
];

const patterns = process.argv.slice(2);
for (const { name, path, isOfFleet = false, shown, prepare, use, width = 1280, height = 800, scheme = "light" } of pictures)
  browserTest(name, { width, height, scheme }, async (page, t) => {
    await prepare?.();
    if (patterns.length > 0 && !patterns.some((pattern) => name.includes(pattern))) return;
    await (isOfFleet ? fleetDashboard : dashboard).open(page, path);
    await page.waitForSelector(shown);
    await use?.(page);
    await page.evaluate(() => document.fonts.ready);
    const file = join(images, `${name}.png`);
    const image = smallerPng(await page.screenshot());
    writeFileSync(file, image);
    const size = image.length;
    t.diagnostic(`${file}: ${Math.round(size / 1000)} KB`);
    assert.ok(size < maxBytes, `${size} bytes`);
  });

/**
 * Charts and patches that ask for all time or all memory, in a controller as its users run it, with its own limits: each fails its
 * own profile, and another profile's chart is deployed meanwhile. The clusters are embedded, in processes of their own.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { openEmbeddedFixture } from "../../bench/load-fixture.ts";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { chartArchive, chartOfProfile, serveCharts } from "../support/chart/chart-repository.ts";
import { isFeatureOf, readFeatures } from "../support/feature-statuses.ts";
import { sveltosObject } from "../support/sveltos-objects.ts";
import { startSluice } from "./sluice-process.ts";

/** A worker comes last, so that on a busy machine its 10 s of the processor take minutes. */
const patienceMs = 840_000;
const limits = { timeout: patienceMs + 60_000 };
const depth = 40;
const doubled = Object.fromEntries(
  Array.from({ length: depth }, (_, at) => [
    `d${at}`,
    at === depth - 1 ? { type: "object" } : { allOf: [1, 2].map(() => ({ $ref: `#/definitions/d${at + 1}` })) },
  ]),
);
const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {a: b}\n';

/** Hostile charts by name, and what the status of their ClusterSummary says. */
const hostile: Readonly<Record<string, readonly [archive: Uint8Array, says: RegExp]>> = {
  // A key is charged for the time that it takes on a slow machine: which limit is reached first is up to the machine, and to chance.
  keys: [
    chartArchive("keys", { "templates/a.yaml": "{{ range until 100000 }}{{ $k := genPrivateKey `rsa` }}{{ end }}" }),
    /calling genPrivateKey: takes (longer than allowed|more than the \d+ bytes and steps allowed)$/,
  ],
  loop: [
    chartArchive("loop", { "templates/a.yaml": "{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}" }),
    /bytes and steps allowed/,
  ],
  memory: [
    chartArchive("memory", {
      "templates/a.yaml": "{{ $l := list }}{{ range until 100000 }}{{ $l = append $l (randBytes 3000 | b64dec) }}{{ end }}{{ len $l }}",
      "values.yaml": `list: [${"{},".repeat(400_000)}]`,
    }),
    /^release default\/memory: it .*; it is set aside until .*, and tried again then or when it changes/,
  ],
  bomb: [gzipSync(Buffer.alloc(300 * 2 ** 20)), /^load chart bomb .*: decompressed chart is larger than the maximum size/],
  schema: [
    chartArchive("schema", {
      "values.schema.json": JSON.stringify({ $ref: "#/definitions/d0", definitions: doubled }),
      "templates/a.yaml": map,
    }),
    /^validate values by values\.schema\.json of chart schema: takes more than/,
  ],
};
const archives = Object.fromEntries(Object.entries(hostile).map(([name, [archive]]) => [name, archive]));
const repository = await serveCharts({ ...archives, good: chartArchive("good", { "templates/a.yaml": map }) });
const fixture = await openEmbeddedFixture();
const controller = await startSluice("controller", fixture.kubeconfig);
await controller.until("/healthz", /ok/);
after(async () => {
  await controller.end();
  await fixture.stop();
  repository.close();
});

const profile = (name: string, spec: object) =>
  fixture.hub.apply(sveltosObject("ClusterProfile", name, { clusterSelector: { matchLabels: { env: "fv" } }, ...spec }), {
    manager: "test",
  });
const chartProfile = (name: string) => profile(name, { helmCharts: [chartOfProfile(repository.url, name)] });

const clock = new RealClock();
const giveUpAt = clock.now() + patienceMs;

/** Waits until this holds of a feature of a profile's ClusterSummary. The controller answers meanwhile. */
async function until(name: string, holds: (status: string, message: string) => boolean): Promise<void> {
  for (;;) {
    const features = await readFeatures(fixture.hub);
    if (features.some((feature) => isFeatureOf(feature, name) && holds(feature.status, feature.message))) return;
    const lines = features.map((feature) => `${feature.summary}: ${feature.status} ${feature.message}`);
    assert.ok(clock.now() < giveUpAt, `profile ${name} is not as it should be after ${patienceMs / 1000} s:\n${lines.join("\n")}`);
    assert.match(await controller.page("/healthz"), /ok/);
    await sleep(clock, 500);
  }
}

const exploding = JSON.stringify([
  { op: "add", path: "/data/a", value: "x".repeat(1000) },
  ...Array.from({ length: 27 }, (_, at) => ({ op: "copy", from: "/data", path: `/data/c${at}` })),
]);

test("a chart is deployed while others hang, and each of those says why it has failed", limits, async () => {
  const content = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "content", namespace: "default" },
    data: { a: map.replace(/"\{.*\}"/, "patched") },
  };
  await fixture.hub.apply(content, { manager: "test" });
  for (const name of Object.keys(hostile)) await chartProfile(name);
  await profile("patch", {
    policyRefs: [{ kind: "ConfigMap", namespace: "default", name: "content" }],
    patches: [{ target: { kind: "ConfigMap" }, patch: exploding }],
  });
  await chartProfile("good");
  await until("good", (status) => status === "Provisioned");
  for (const [name, [, says]] of Object.entries({ ...hostile, patch: [undefined, /the accumulated size increase of copy/] as const }))
    await until(name, (_, message) => says.test(message));
  assert.equal(controller.endedBy(), undefined);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../../test/support/chart-of.ts";
import { defaultCapabilities } from "../../release/render/index.ts";
import { packageChart } from "../../repository/index.ts";
import { EventTemplates } from "../instantiate/index.ts";
import { openTaskHandlers } from "./task-handlers.ts";

const cluster = { apiVersion: "v1", kind: "Cluster", metadata: { name: "c1" } };
/** Looks at the clock some twenty times. */
const busy = '{{ range until 20 }}{{ $_ := repeat 1048576 "x" }}{{ end }}a: b';

/** An hour passes between any two looks at the clock; of the processor so much is used. */
const starved = (usedMs: number) => {
  let looks = 0;
  return { now: () => 3_600_000 * looks++, cpuMs: () => usedMs * looks++, randomBytes: (count: number) => new Uint8Array(count) };
};

const chartInput = () => {
  const facts = { release: { name: "web", namespace: "default", revision: 1, isUpgrade: false }, capabilities: defaultCapabilities };
  const archive = packageChart(chartOf({ "templates/a.yaml": `${busy}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n` }));
  const attempt = { chart: { archive, title: "load" }, reuse: "reset", facts, lookups: [] };
  return { attempt, values: [], patches: [], patchAnswers: [] };
};
const data = { cluster, infrastructureProvider: undefined, controlPlane: undefined, resources: new Map() };

const renderings: Readonly<Record<string, (environment: ReturnType<typeof starved>) => unknown>> = {
  "the content of a profile": (environment) =>
    openTaskHandlers(environment)["content"]!({ processing: "by template", at: "x.yaml", text: busy, data }),
  "a chart": (environment) => openTaskHandlers(environment)["chart"]!(chartInput()),
  "a template of an event": (environment) => {
    const rendered = new EventTemplates(environment).render("x", busy, { of: "cluster", cluster });
    if (rendered.state === "failed") throw new Error(rendered.problem.message);
    return rendered.text;
  },
};

for (const [what, render] of Object.entries(renderings))
  test(`${what} may take long on a busy machine, and only so much of the processor`, async () => {
    assert.match(JSON.stringify(await render(starved(0))), /"a"|a: b/);
    await assert.rejects(async () => render(starved(1000)), /takes longer than allowed/);
  });

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { nameAndChart } from "./name-and-chart.ts";

const clock = new VirtualClock();
const seconds = Math.floor(clock.now() / 1000);

type Case = {
  readonly args: readonly [string?, string?];
  readonly flags?: { readonly generateName?: boolean; readonly nameTemplate?: string };
  readonly otherwise?: string;
};

function read({ args: [first, second], flags = {}, otherwise }: Case) {
  return nameAndChart(first, second, { generateName: false, ...flags }, clock, otherwise);
}

const names: readonly (readonly [Case, name: string, chart: string])[] = [
  [{ args: ["web", "./c"] }, "web", "./c"],
  [{ args: ["./web"], flags: { generateName: true } }, `web-${seconds}`, "./web"],
  [{ args: ["shop/web"], flags: { generateName: true } }, `web-${seconds}`, "shop/web"],
  [
    { args: ["oci://registry/charts/web-1.2.0.tgz"], flags: { generateName: true } },
    `web-1-${seconds}`,
    "oci://registry/charts/web-1.2.0.tgz",
  ],
  [{ args: ["."], flags: { generateName: true } }, `chart-${seconds}`, "."],
  [{ args: ["./c"], flags: { nameTemplate: '{{ "WEB" | lower }}-{{ add 1 2 }}' } }, "web-3", "./c"],
  // As Helm has it, the template comes first.
  [{ args: ["./c"], flags: { nameTemplate: "web", generateName: true } }, "web", "./c"],
  [{ args: ["./c"], otherwise: "release-name" }, "release-name", "./c"],
  [{ args: ["./c"], flags: { generateName: true }, otherwise: "release-name" }, "release-name", "./c"],
  [{ args: ["./c"], flags: { nameTemplate: "web" }, otherwise: "release-name" }, "web", "./c"],
];

for (const [what, name, chart] of names)
  test(`${JSON.stringify(what)} is ${name} of ${chart}`, () => assert.deepEqual(read(what), { name, chart }));

const refusals: readonly (readonly [Case, RegExp])[] = [
  [{ args: [] }, /name the chart/],
  [{ args: ["./c"] }, /must either provide a name or specify --generate-name/],
  [{ args: ["web", "./c"], flags: { generateName: true } }, /cannot set --generate-name and also specify a name/],
  [{ args: ["web", "./c"], flags: { nameTemplate: "x" } }, /cannot set --name-template and also specify a name/],
  [{ args: ["./c"], flags: { nameTemplate: "{{ nothing }}" } }, /--name-template: .*function "nothing" not defined/],
];

for (const [what, message] of refusals) test(`${JSON.stringify(what)} is refused`, () => assert.throws(() => read(what), message));

import assert from "node:assert/strict";
import { test } from "node:test";
import type { FleetClusterItem, FleetProfileItem, FleetRowItem } from "../../../src/dashboard/api/index.ts";
import { filterOf } from "./fleet-filter.ts";
import { countsText, labelKeysOf, matrixOf } from "./matrix-lines.ts";

const cluster = (name: string, labels: Readonly<Record<string, string>>): FleetClusterItem => ({
  type: "cluster",
  key: `SveltosCluster/f/${name}`,
  kind: "SveltosCluster",
  namespace: "f",
  name,
  labels,
  state: "ready",
});
const profile = (name: string, column: number): FleetProfileItem => ({
  type: "profile",
  key: `ClusterProfile//${name}`,
  column,
  kind: "ClusterProfile",
  namespace: "",
  name,
  counts: {},
});
const clusters = [cluster("west", { env: "prod" }), cluster("east", { env: "prod", tier: "1" }), cluster("lab", {})];
const rowTexts: Readonly<Record<string, string>> = { west: "rf", east: "rr", lab: ".p" };
const rows = new Map(clusters.map(({ key, name }): [string, FleetRowItem] => [key, { type: "row", key, cells: rowTexts[name]! }]));
const fleet = { clusters, rows, profiles: [profile("web", 1), profile("db", 0)] };

/** `east west | db web`, groups as `prod(2; 1 failed, 3 ready)`. */
function shown(query: string): string {
  const { lines, columns } = matrixOf(fleet, filterOf(new URLSearchParams(query)));
  const names = lines.map((line) =>
    line.type === "cluster" ? line.cluster.name : `${line.value || "none"}(${line.clusters}; ${countsText(line.counts)})`,
  );
  return `${names.join(" ")} | ${columns.map(({ name }) => name).join(" ")}`;
}

const cases: readonly (readonly [query: string, shown: string])[] = [
  ["", "east lab west | db web"],
  ["text=a", "east lab | db web"],
  ["text=ENV%3Dprod+w", "west | db web"],
  ["profile=db", "east lab west | db"],
  ["state=failed", "west | db web"],
  ["state=failed&profile=db", " | db"],
  ["state=provisioning", "lab | db web"],
  ["state=nonsense", "east lab west | db web"],
  ["selector=env%3Dprod,!tier", "west | db web"],
  ["selector=env+in+(prod", "east lab west | db web"],
  ["group=env", "prod(2; 1 failed, 3 ready) east west none(1; 1 progressing) lab | db web"],
  ["group=env&closed=prod", "prod(2; 1 failed, 3 ready) none(1; 1 progressing) lab | db web"],
  ["group=namespace&closed=f&profile=web", "f(3; 1 failed, 1 progressing, 1 ready) | web"],
];

for (const [query, expected] of cases) test(`?${query}`, () => assert.equal(shown(query), expected));

test("a group says of each column how many cells are in which state", () => {
  const [group] = matrixOf(fleet, filterOf(new URLSearchParams("group=env"))).lines;
  assert.equal(group?.type, "group");
  assert.deepEqual(group.type === "group" ? [...group.cells] : [], [
    [0, { ready: 2 }],
    [1, { failed: 1, ready: 1 }],
  ]);
});

test("the label of most clusters is offered first", () => assert.deepEqual(labelKeysOf(clusters), ["env", "tier"]));

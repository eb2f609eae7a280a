import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import { tableOrder, tablePrinterOf, tableRowOf } from "./index.ts";

const now = Date.parse("2026-01-10T00:00:00Z");
const cells = (object: KubeObject) => tableRowOf(tablePrinterOf(object.kind), object, now).cells;
const objectOf = (kind: string, more: object, metadata: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "a", creationTimestamp: "2026-01-09T23:59:30Z", ...metadata },
  ...more,
});

const ageAt = (creationTimestamp: string | undefined) =>
  cells({
    ...objectOf("ServiceAccount", {}),
    metadata: { name: "a", ...(creationTimestamp === undefined ? {} : { creationTimestamp }) },
  })[1];
const schema = (name: string, matchingPrecedence: number) => objectOf("FlowSchema", { spec: { matchingPrecedence } }, { name });

// The rows of all other kinds are held to a real server's by test/conformance.
test("a node says whether it is ready, its roles and its addresses", () => {
  const labels = { "node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/edge": "", "kubernetes.io/role": "old" };
  const status = {
    conditions: [{ type: "Ready", status: "False" }],
    addresses: [
      { type: "Hostname", address: "a" },
      { type: "InternalIP", address: "192.0.2.1" },
    ],
    nodeInfo: { kubeletVersion: "v1.35.8", osImage: "Debian" },
  };
  assert.deepEqual(cells(objectOf("Node", { spec: { unschedulable: true }, status }, { labels })), [
    "a",
    "NotReady,SchedulingDisabled",
    "edge,old,worker",
    "30s",
    "v1.35.8",
    "192.0.2.1",
    "<none>",
    "Debian",
    "<unknown>",
    "<unknown>",
  ]);
  assert.equal(cells(objectOf("Node", {}))[1], "Unknown");
});

test("an age is unknown, invalid or rounded as the server rounds it", () => {
  assert.equal(ageAt(undefined), "<unknown>");
  assert.equal(ageAt("2026-01-10T00:00:01Z"), "0s");
  assert.equal(ageAt("2026-01-10T00:00:02Z"), "<invalid>");
  assert.equal(ageAt("2026-01-09T23:51:00Z"), "9m");
  assert.equal(ageAt("2024-01-10T00:00:00Z"), "2y1d");
});

test("flow schemas are listed in the order in which they apply", () => {
  const listed = tableOrder("FlowSchema", [schema("a", 9000), schema("c", 1), schema("b", 1)]);
  assert.deepEqual(
    listed.map(({ metadata }) => metadata.name),
    ["b", "c", "a"],
  );
});

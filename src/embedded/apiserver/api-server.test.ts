import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "../seeded-random.ts";
import { ResourceCatalog, timestampOf } from "./index.ts";
import { generateName, generateUid } from "./generate-name.ts";

test("generated names keep 58 characters of the prefix, and contain no vowels", () => {
  const random = seededRandom(1);
  assert.match(generateName("web-", random), /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  assert.equal(generateName("x".repeat(80), random).length, 63);
  assert.match(generateUid(random), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("the same seed makes the same names", () => {
  assert.deepEqual(fiveNames(7), fiveNames(7));
  assert.notDeepEqual(fiveNames(7), fiveNames(8));
});

function fiveNames(seed: number): string[] {
  const random = seededRandom(seed);
  return Array.from({ length: 5 }, () => generateName("a-", random));
}

test("times are written to the second", () => {
  assert.equal(timestampOf(Date.UTC(2030, 0, 1, 2, 3, 4, 999)), "2030-01-01T02:03:04Z");
  assert.equal(timestampOf(Date.UTC(2030, 0, 1, 2, 3, 5, 0)), "2030-01-01T02:03:05Z");
});

test("the catalog has the built-in resources, and adds and removes those of CRDs", () => {
  const catalog = new ResourceCatalog();
  assert.equal(catalog.stored("deployments.apps")?.kind, "Deployment");
  assert.ok(catalog.find("", "v1", "pods")?.subresources.has("log"));
  assert.equal(catalog.find("autoscaling", "v1", "horizontalpodautoscalers")?.storageVersion, "v2");
  assert.equal(catalog.find("events.k8s.io", "v1", "events")?.key, "events", "a second spelling has no storage of its own");
  assert.equal(catalog.stored("events")?.group, "");

  const widget = {
    ...catalog.find("", "v1", "configmaps")!,
    group: "example.com",
    plural: "widgets",
    kind: "Widget",
    key: "widgets.example.com",
  };
  const before = catalog.generation;
  catalog.addCustom("widgets.example.com", [widget, { ...widget, version: "v2" }]);
  assert.equal(catalog.withKind("example.com", "Widget")?.version, "v1", "the storage version speaks for the kind");
  assert.equal(catalog.find("example.com", "v2", "widgets")?.version, "v2");
  assert.ok(catalog.generation > before);
  catalog.removeCustom("widgets.example.com");
  assert.equal(catalog.find("example.com", "v1", "widgets"), undefined);
  assert.equal(catalog.stored("widgets.example.com"), undefined);
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { isKubeObject, type Fields, type KubeObject } from "../../core/object/index.ts";
import {
  decodeRelease,
  encodeRelease,
  objectionToRecord,
  placeholderChart,
  revisionIn,
  storageObjectOf,
  type RevisionBody,
  type Revision,
} from "./index.ts";
import { hookDeletePolicies, hookEvents, hookOutputLogPolicies, hookPhases } from "./revision.ts";

function recorded(file: string): KubeObject {
  const object: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "recorded", file), "utf8"));
  assert.ok(isKubeObject(object));
  return object;
}

/** The JSON of a record, decoded independently. */
function jsonIn(text: string): Fields {
  return JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString()) as Fields;
}

const time = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(Date.UTC(2100, 0)) }).map((date) => date.toISOString());
const text = fc.string({ unit: "grapheme" });
const json = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as Fields);

const run = fc.record(
  { phase: fc.constantFrom(...hookPhases), startedAt: time, completedAt: time, event: fc.constantFrom(...hookEvents) },
  { requiredKeys: ["phase"], noNullPrototype: true },
);

const hook = fc.record(
  {
    name: text,
    kind: text,
    path: text,
    manifest: text,
    events: fc.subarray([...hookEvents]),
    weight: fc.integer(),
    deletePolicies: fc.subarray([...hookDeletePolicies]),
    outputLogPolicies: fc.subarray([...hookOutputLogPolicies]),
    lastRun: run,
  },
  { noNullPrototype: true },
);

const body: fc.Arbitrary<RevisionBody> = fc.record(
  {
    name: fc.string({ minLength: 1 }),
    namespace: text,
    revision: fc.integer({ min: 1, max: 1e9 }),
    state: fc.constantFrom("unknown", "deployed", "superseded", "failed", "pending-install", "uninstalling", "uninstalled"),
    manifest: text,
    hooks: fc.array(hook, { maxLength: 3 }),
    chart: json,
    config: json,
    firstDeployed: time,
    lastDeployed: time,
    deleted: time,
    description: text,
    notes: text,
    applyMethod: fc.constantFrom("ssa", "csa"),
  },
  {
    requiredKeys: ["name", "namespace", "revision", "state", "manifest", "hooks", "chart", "config", "description", "notes"],
    noNullPrototype: true,
  },
);

test("what is written is read back, whatever it is", () => {
  fc.assert(
    fc.property(body, (each) => assert.deepEqual(decodeRelease(encodeRelease(each)), each)),
    { numRuns: 200 },
  );
});

test("a whole object is read back with its labels and the kind it is kept in", () => {
  const revision: Revision = { ...plain, labels: { team: "red" }, storage: "ConfigMap" };
  const object = storageObjectOf(revision, Date.UTC(2030, 0, 1));
  assert.deepEqual(revisionIn(object), { ...revision, stored: { resourceVersion: "", createdAt: "1893456000", writer: "sluice" } });
});

const plain: Revision = {
  name: "web",
  namespace: "shop",
  revision: 7,
  state: "deployed",
  manifest: "---\n# Source: a.yaml\nkind: ConfigMap\n",
  hooks: [],
  chart: placeholderChart("web"),
  config: {},
  firstDeployed: "2030-01-01T00:00:00Z",
  lastDeployed: "2030-01-01T00:00:00Z",
  description: "Upgrade complete",
  notes: "",
  labels: {},
  storage: "Secret",
};

test("the Secret is named, typed and labelled as Helm's", () => {
  const object = storageObjectOf(plain, Date.UTC(2030, 0, 1) + 999);
  assert.equal(object.metadata.name, "sh.helm.release.v1.web.v7");
  assert.equal(object.metadata.namespace, "shop");
  assert.equal(object["type"], "helm.sh/release.v1");
  assert.deepEqual(object.metadata.labels, { createdAt: "1893456000", name: "web", owner: "helm", status: "deployed", version: "7" });
  const update = storageObjectOf({ ...plain, stored: { resourceVersion: "5", createdAt: "1", writer: "sluice" } }, Date.UTC(2030, 0, 1));
  assert.equal(update.metadata.resourceVersion, "5");
  assert.equal(update.metadata.labels?.["modifiedAt"], "1893456000");
  assert.equal(update.metadata.labels?.["createdAt"], "1");
});

test("a label of the user's cannot pass for one of storage's", () => {
  const object = storageObjectOf({ ...plain, labels: { owner: "me", status: "x", modifiedAt: "9", team: "red" } }, 0);
  assert.deepEqual(object.metadata.labels, { createdAt: "0", name: "web", owner: "helm", status: "deployed", version: "7", team: "red" });
});

for (const file of ["helm-3.json", "helm-4.json"]) {
  test(`${file}: a record that Helm wrote loses nothing when it is written again`, () => {
    const object = recorded(file);
    const revision = revisionIn(object);
    assert.ok(revision !== undefined);
    const before = jsonIn(Buffer.from((object["data"] as Record<string, string>)["release"] ?? "", "base64").toString());
    assert.deepEqual(withoutNothings(jsonIn(encodeRelease(revision))), withoutNothings(before));
  });

  test(`${file}: its fields`, () => {
    const revision = revisionIn(recorded(file));
    assert.equal(revision?.name, "theirs");
    assert.equal(revision?.revision, 1);
    assert.equal(revision?.state, "superseded");
    assert.equal(revision?.deleted, undefined);
    assert.deepEqual(revision?.config, { colour: "blue" });
    assert.equal(revision?.notes, "It is blue.\n");
    assert.deepEqual(revision?.labels, { team: "red" });
    assert.match(revision?.firstDeployed ?? "", /^20\d\d-\d\d-\d\dT/);
    assert.match(revision?.manifest ?? "", /^---\n# Source: tiny\/templates\/settings\.yaml\napiVersion: v1\n/);
    const [hook] = revision?.hooks ?? [];
    assert.deepEqual(hook?.events, ["pre-install", "post-upgrade"]);
    assert.equal(hook?.lastRun.phase, "Succeeded");
    assert.match(hook?.lastRun.completedAt ?? "", /^20\d\d-/);
  });
}

/** Helm 3 writes an empty string for a missing time. */
function withoutNothings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothings);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, item]) => !(key === "deleted" && item === ""));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNothings(item)]));
}

test("a text that is not packed is read, as Helm reads it", () => {
  const bare = Buffer.from(JSON.stringify({ name: "old", version: 2, info: { status: "deployed", deleted: "" } })).toString("base64");
  const found = decodeRelease(bare);
  assert.equal(found.name, "old");
  assert.equal(found.state, "deployed");
  assert.ok(!("deleted" in found));
});

const broken = {
  nothing: "",
  "no base64 at all": "%%%",
  "no JSON": "aGVsbG8=",
  "another object": "e30=",
  "half a packet": encodeRelease(plain).slice(0, 40),
};
for (const [what, release] of Object.entries(broken)) {
  test(`a record that holds ${what} is unknown, with the reason why it cannot be read`, () => {
    const object = { ...storageObjectOf({ ...plain, storage: "ConfigMap" }, 0), data: { release } };
    const found = revisionIn(object);
    assert.equal(found?.state, "unknown");
    assert.equal(found?.revision, 7);
    assert.match(found?.description ?? "", /^the record sh\.helm\.release\.v1\.web\.v7 cannot be read: ./);
  });
}

test("an object that is no record is none", () => {
  const object = storageObjectOf(plain, 0);
  assert.equal(revisionIn({ ...object, metadata: { ...object.metadata, name: "other" } }), undefined);
  assert.equal(revisionIn({ ...object, metadata: { name: object.metadata.name } }), undefined);
});

test("a record too large for a Secret is refused with both sizes", () => {
  assert.equal(objectionToRecord(plain), undefined);
  // Random letters do not compress below six bits each.
  let seed = 1;
  const next = () => (seed = (seed * 48271) % 2147483647);
  const noise = Array.from({ length: 1_100_000 }, () => String.fromCharCode(48 + (next() % 64))).join("");
  const large = { ...plain, manifest: noise };
  assert.match(
    objectionToRecord(large) ?? "",
    /^the record of release web in shop needs 1\d{6} bytes, and a Secret holds 1048576: split the release into several/,
  );
  assert.equal(objectionToRecord({ ...large, manifest: noise.slice(0, 900_000) }), undefined);
});

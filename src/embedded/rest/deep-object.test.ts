import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { crdsPath, deepCrd, deepObject, deepPath, deepSpec } from "../../../test/wire/deep-object.ts";
import { startEmbeddedCluster } from "../index.ts";

const clock = new VirtualClock();
const { exchange } = startEmbeddedCluster({ clock });
const { signal } = new AbortController();
const levels = 2000;

async function statusOf(method: string, path: string, body = "", headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return (await exchange({ method, path, body, headers, signal })).status;
}

test("a CRD of 2,000 levels is served, and its objects are written and read", async () => {
  const path = deepPath("fields");
  const object = (inner: string) => deepObject("fields", "a", deepSpec("fields", levels, inner));
  const protobuf = { accept: "application/vnd.kubernetes.protobuf" };
  const apply = { "content-type": "application/apply-patch+yaml" };
  assert.equal(await statusOf("POST", crdsPath, deepCrd("fields", levels)), 201);
  await clock.settle();
  assert.equal(await statusOf("GET", `${crdsPath}/fields.deep.example.com`, "", protobuf), 200);
  assert.equal(await statusOf("POST", path, object("created")), 201);
  assert.equal(await statusOf("PATCH", `${path}/a?fieldManager=one&force=true`, object("applied"), apply), 200);
  assert.equal(await statusOf("PATCH", `${path}/a?fieldManager=two`, object("other"), apply), 409);
  assert.equal(await statusOf("GET", "/openapi/v3/apis/deep.example.com/v1"), 200);
});

test("a strategic merge patch of thousands of levels is merged", async () => {
  const strategic = { "content-type": "application/strategic-merge-patch+json" };
  const path = "/api/v1/namespaces/default/configmaps";
  assert.equal(await statusOf("POST", path, '{"metadata":{"name":"a"}}'), 201);
  assert.equal(await statusOf("PATCH", `${path}/a`, `{"data":{"a":"1"},"odd":${deepSpec("fields", 4000, "x")}}`, strategic), 200);
  const crd = deepCrd("fields", levels);
  assert.equal(await statusOf("PATCH", `${crdsPath}/fields.deep.example.com`, crd, strategic), 200);
});

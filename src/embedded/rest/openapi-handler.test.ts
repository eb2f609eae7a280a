import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { startEmbeddedCluster } from "../index.ts";

const protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const { exchange } = startEmbeddedCluster({ clock: new VirtualClock() });

async function asked(accept: string) {
  const { signal } = new AbortController();
  const { status, headers, body } = await exchange({ method: "GET", path: "/openapi/v2?timeout=32s", headers: { accept }, signal });
  return { status, type: headers["content-type"], chunk: (body as readonly (string | Uint8Array)[])[0]! };
}

test("the older OpenAPI document is there for kubectl, which asks for it in protobuf to check a List", async () => {
  const { status, type, chunk } = await asked(protobuf);
  assert.deepEqual([status, type], [200, "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"]);
  // Field 1 is the version of the format; field 2 holds title and version of the API.
  assert.equal(Buffer.from(chunk).toString("latin1"), "\n\u00032.0\u0012\u0015\n\nKubernetes\u0012\u0007v1.35.8");
});

test("it is there in JSON too", async () => {
  const { status, chunk } = await asked("application/json");
  assert.equal(status, 200);
  assert.deepEqual(JSON.parse(String(chunk)), { swagger: "2.0", info: { title: "Kubernetes", version: "v1.35.8" }, paths: {} });
});

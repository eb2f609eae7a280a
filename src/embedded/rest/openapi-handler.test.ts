import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../index.ts";

/** Two CRDs, and the SHA-512 of what a real API server answers before and after it has them. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "recorded/openapi-v2.json"), "utf8")) as {
  readonly crds: readonly KubeObject[];
  readonly builtIn: string;
  readonly json: string;
  readonly protobuf: string;
};
const protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const clock = new VirtualClock();
const { exchange } = startEmbeddedCluster({ clock });
const { signal } = new AbortController();

async function asked(headers: Readonly<Record<string, string>>) {
  const answer = await exchange({ method: "GET", path: "/openapi/v2?timeout=32s", headers, signal });
  const hash = createHash("sha512");
  for (const chunk of answer.body as readonly (string | Uint8Array)[]) hash.update(chunk);
  return { status: answer.status, headers: answer.headers, hash: hash.digest("hex").toUpperCase() };
}

test("OpenAPI v2 is to the byte what a real API server answers, in JSON and in protobuf, before and after there are CRDs", async () => {
  const before = await asked({ accept: "application/json" });
  assert.deepEqual([before.status, before.headers["etag"], before.hash], [200, `"${recorded.builtIn}"`, recorded.builtIn]);
  for (const crd of recorded.crds) {
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const headers = { "content-type": "application/json" };
    const { status } = await exchange({ method: "POST", path, headers, body: JSON.stringify(crd), signal });
    assert.equal(status, 201);
  }
  await clock.settle();
  const after = await asked({});
  assert.deepEqual([after.headers["content-type"], after.hash], ["application/json", recorded.json]);
  const encoded = await asked({ accept: protobuf });
  assert.deepEqual([encoded.status, encoded.hash], [200, recorded.protobuf]);
  assert.equal(encoded.headers["content-type"], "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
  assert.equal(encoded.headers["etag"], `"${recorded.json}"`);
});

test("who has the document is told so, and who wants none of its forms gets nothing", async () => {
  const { etag = "" } = (await asked({})).headers;
  assert.equal((await asked({ "if-none-match": etag })).status, 304);
  assert.equal((await asked({ accept: "text/plain" })).status, 406);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadProtobuf } from "./protobuf-codec.ts";
import { encoderFor } from "./response-encoder.ts";

const request = { method: "GET", path: "/api/v1/pods?watch=true", headers: {}, signal: new AbortController().signal };
const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "web" } };

test("an event is encoded once for all its watchers, and another one anew", async () => {
  await loadProtobuf();
  const encoder = encoderFor(request, "application/vnd.kubernetes.protobuf");
  const added = encoder.encodeEvent("ADDED", pod);
  assert.equal(encoder.encodeEvent("ADDED", pod), added);
  assert.notDeepEqual(encoder.encodeEvent("MODIFIED", pod), added);
  assert.deepEqual(encoder.encodeEvent("ADDED", { ...pod }), added);
});

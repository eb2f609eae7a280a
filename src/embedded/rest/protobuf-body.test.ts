import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { widgetCrd } from "../../../test/support/widget-crd.ts";
import { startEmbeddedCluster } from "../index.ts";
import recorded from "./recorded/protobuf-bodies.json" with { type: "json" };

const { signal } = new AbortController();
const clock = new VirtualClock();
const { exchange } = startEmbeddedCluster({ clock });
await clock.advance(2000);

type Answered = { readonly message?: string; readonly metadata?: object; readonly data?: object; readonly spec?: object };

for (const { name, method, path, type, body, status, ...expected } of recorded) {
  test(`${method} of protobuf is answered as by the real server: ${name}`, async () => {
    const answer = await exchange({ method, path, headers: { "content-type": type }, body: Buffer.from(body, "base64"), signal });
    const found = JSON.parse(String((answer.body as readonly unknown[])[0])) as Answered;
    assert.equal(answer.status, status);
    if (expected.message !== undefined) return assert.equal(found.message, expected.message);
    assert.deepEqual({ ...found.metadata, ...expected.metadata }, found.metadata);
    assert.deepEqual([found.data, found.spec], [(expected as Answered).data, (expected as Answered).spec]);
  });
}

test("a custom resource has no protobuf", async () => {
  const widgets = "/apis/example.com/v1/namespaces/default/widgets";
  const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await exchange({ method: "POST", path: crds, headers: {}, body: JSON.stringify(widgetCrd), signal });
  await clock.advance(5000);
  const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
  for (const [method, path] of [
    ["POST", widgets],
    ["PUT", `${widgets}/a`],
    ["PATCH", `${widgets}/a`],
  ] as const)
    assert.equal((await exchange({ method, path, headers, body: Buffer.from("k8s\0\n\0"), signal })).status, 415);
});

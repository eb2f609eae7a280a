import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { startEmbeddedCluster } from "../index.ts";

const { exchange } = startEmbeddedCluster({ clock: new VirtualClock(), nodes: 0 });
const root = "/api/v1/namespaces/default/pods";

async function send(method: string, path: string, body: object): Promise<{ status: number; body: unknown }> {
  const headers = { "content-type": "application/json" };
  const answer = await exchange({ method, path, headers, body: JSON.stringify(body), signal: new AbortController().signal });
  let text = "";
  for await (const chunk of answer.body) text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
  return { status: answer.status, body: JSON.parse(text) as unknown };
}

// The other answers are held to a real server's by test/conformance, which asks again after a 429.
test("a budget refuses evictions until somebody has counted its pods", async () => {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", labels: { app: "web" } },
    spec: { containers: [{ name: "a", image: "example.com/a" }] },
  };
  const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  const spec = { minAvailable: 1, selector: { matchLabels: { app: "web" } } };
  const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "web" }, spec };
  const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  assert.equal((await send("POST", root, pod)).status, 201);
  assert.equal((await send("PUT", `${root}/a/status`, { ...pod, status: ready })).status, 200);
  assert.equal((await send("POST", budgets, budget)).status, 201);
  const asked = await send("POST", `${root}/a/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "a" } });
  assert.equal(asked.status, 429);
  assert.match(JSON.stringify(asked.body), /"reason":"TooManyRequests".*"reason":"DisruptionBudget".*"retryAfterSeconds":10/);
});

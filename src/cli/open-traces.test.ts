import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { runSluice, testFolder } from "../../test/support/command-line.ts";

const { file } = testFolder("traces");
const password = "correct-horse-battery";
const app = file("app.yaml", `apiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {password: ${password}}\n`);

type Received = { readonly path: string; readonly authorization: string | undefined; readonly body: string };
const received: Received[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ path: request.url ?? "", authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() });
    response.setHeader("content-type", "application/json").end("{}");
  });
});
await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
after(() => void receiver.close());
const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

async function withVariables<T>(variables: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
}

test("a deploy sends its trace where the variables say, without a secret", async () => {
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x" };
  const { code, err } = await withVariables(variables, () => runSluice("deploy", "app", app, "--embedded"));
  assert.equal(code, 0, err);
  const [{ path, authorization, body }] = received as [Received];
  assert.deepEqual([received.length, path, authorization], [1, "/v1/traces", "Bearer x"]);
  assert.match(body, /"name":"install app"/);
  assert.match(body, /"name":"apply secret\/login"/);
  for (const secret of [password, Buffer.from(password).toString("base64")]) assert.ok(!body.includes(secret));
});

test("a collector that is away is a warning, and the deploy goes on", async () => {
  const away = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
  const { code, err } = await withVariables(away, () => runSluice("deploy", "app", app, "--embedded"));
  assert.equal(code, 0);
  assert.match(err, /warning: traces cannot be sent to http:\/\/127\.0\.0\.1:1\/v1\/traces: /);
});

test("nothing is sent when nobody asks for it", async () => {
  const count = received.length;
  const off = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: "true" };
  assert.equal((await withVariables(off, () => runSluice("deploy", "app", app, "--embedded"))).code, 0);
  assert.equal((await runSluice("deploy", "app", app, "--embedded")).code, 0);
  assert.equal(received.length, count);
});

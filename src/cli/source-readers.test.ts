import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { after, test } from "node:test";
import { sourceReaders } from "./source-readers.ts";

const server = createServer((request, response) => {
  response.statusCode = request.url === "/app.yaml" ? 200 : 404;
  response.end("kind: ConfigMap\n");
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
after(() => server.close());

const base = `http://127.0.0.1:${portOf(server)}`;
const { signal } = new AbortController();

function portOf(listening: Server): number {
  const address = listening.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("a manifest is read from the web", async () => {
  assert.equal(await sourceReaders.fetch(`${base}/app.yaml`, signal), "kind: ConfigMap\n");
});

test("a failed response is reported with the server's status", async () => {
  await assert.rejects(
    sourceReaders.fetch(`${base}/other.yaml`, signal),
    /read http:\/\/127\.0\.0\.1:\d+\/other\.yaml: the server answered 404 Not Found: check the address/,
  );
});

test("an unreachable host is reported with the reason", async () => {
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const port = portOf(gone);
  gone.close();
  await assert.rejects(
    sourceReaders.fetch(`http://127.0.0.1:${port}/`, signal),
    /nothing answers at http:\/\/127\.0\.0\.1:\d+\/ \(connection refused\): check the address/,
  );
});

test("standard input that never comes can be left", async () => {
  const stop = new AbortController();
  const reading = sourceReaders.stdin(stop.signal);
  stop.abort();
  await assert.rejects(reading);
});

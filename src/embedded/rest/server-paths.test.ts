import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { startEmbeddedCluster } from "../index.ts";

const { exchange, stop } = startEmbeddedCluster({ clock: new VirtualClock(), nodes: 0 });
stop();

async function textOf(path: string): Promise<string> {
  const { body } = await exchange({ method: "GET", path, headers: {}, signal: new AbortController().signal });
  let text = "";
  for await (const chunk of body) text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
  return text;
}

test("a verbose health check lists its parts, and those that are left out", async () => {
  assert.equal(await textOf("/livez?verbose"), "[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n");
  assert.equal(
    await textOf("/livez?verbose&exclude=etcd&exclude=none"),
    '[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\nwarn: some health checks cannot be excluded: no matches for "none"\nlivez check passed\n',
  );
});

test("the root lists what is served", async () => {
  const { paths } = JSON.parse(await textOf("/")) as { paths: readonly string[] };
  for (const path of ["/api/v1", "/apis/apps/v1", "/metrics", "/readyz/informer-sync", "/version"]) assert.ok(paths.includes(path), path);
});

test("the metrics count stored objects", async () => {
  const text = await textOf("/metrics");
  assert.match(text, /^apiserver_resource_objects\{group="",resource="namespaces"\} 4$/m);
  assert.match(text, /^kubernetes_build_info\{.*git_version="v1\.35\.8".*\} 1$/m);
});

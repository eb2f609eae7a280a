import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { VirtualClock } from "../src/core/clock/index.ts";
import { connect } from "../src/kube/index.ts";
import { keyOf, type KubeObject } from "../src/core/object/index.ts";
import { apply } from "../src/release/apply/index.ts";
import { prepare } from "../src/release/prepare/index.ts";
import { load, type SourceReaders } from "../src/release/load/index.ts";
import { startEmbeddedCluster } from "../src/embedded/index.ts";

const root = join(import.meta.dirname, "..", "examples");
const { signal } = new AbortController();
const nothing = () => Promise.reject(new Error("an example stands for itself"));
const around: SourceReaders = { stdin: nothing, fetch: nothing };

/** What examples wait for and others do: it comes a minute after they began. */
const comesLater: Readonly<Record<string, readonly KubeObject[]>> = {
  "werf/external-dependency": [secret("my-dynamic-vault-secret", "default")],
  "werf/external-namespace": [namespace("my-namespace"), secret("my-dynamic-vault-secret", "my-namespace")],
  "werf/external-dependencies": [secret("my-dynamic-vault-secret", "default"), database()],
  "kots/wait-for-properties": [
    {
      apiVersion: "example.com/v1",
      kind: "MyResource",
      metadata: { name: "my-resource", namespace: "default" },
      status: { tasks: { extract: true, transform: true, load: true } },
    },
  ],
};

/** What `sluice events test` tries is no manifest to deploy, and add-ons are for the controller: they have tests of their own. */
const isDeployed = (name: string) => !name.startsWith("events/") && !name.startsWith("addons/");

const folders = new Set(globSync(join(root, "**", "*.yaml")).map((file) => relative(root, dirname(file))));

for (const name of [...folders].filter(isDeployed).toSorted()) {
  test(`examples/${name} becomes ready on an embedded cluster`, async () => {
    const clock = new VirtualClock();
    const { exchange, stop } = startEmbeddedCluster({ clock });
    const cluster = connect(exchange, { clock });
    const ready = new Set<string>();
    const { manifests, invalid } = await load([join(root, name)], around, { signal });
    const { items } = await prepare(manifests, cluster, { signal, invalid });
    for (const object of comesLater[name] ?? []) clock.after(60_000, () => void cluster.apply(object, { manager: "somebody" }));
    const deploy = async () => {
      for await (const event of apply(items, cluster, { signal })) {
        if (event.type === "finished" && event.verb === "await") ready.add(keyOf(event.ref));
      }
    };
    await clock.until(deploy());
    const missing = items.map(({ ref }) => keyOf(ref)).filter((key) => !ready.has(key));
    assert.deepEqual(missing, []);
    stop();
  });
}

function secret(name: string, home: string): KubeObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: home } };
}

function namespace(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

function database(): KubeObject {
  const labels = { app: "my-database" };
  const spec = { containers: [{ name: "db", image: "postgres:17" }] };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "my-database", namespace: "default" },
    spec: { serviceName: "", selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

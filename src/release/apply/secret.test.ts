import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect } from "../../kube/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { prepare } from "../prepare/index.ts";
import { apply } from "./index.ts";

const yaml = `
apiVersion: v1
kind: Namespace
metadata: {name: later}
---
apiVersion: v1
kind: Secret
metadata: {name: wrong, namespace: later}
data: {password: {is: hunter22}}
`;

test("the values of a refused Secret are hidden in the message", async () => {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  const { signal } = new AbortController();
  const progress = async () => {
    const { items } = await prepare(readManifests(yaml, "a.yaml").manifests, cluster, { signal });
    const lines: string[] = [];
    // The namespace comes with it, so no dry run is possible.
    for await (const event of apply(items, cluster, { signal })) if ("because" in event) lines.push(event.because ?? "");
    return lines.join("\n");
  };
  const lines = await clock.until(progress());
  assert.match(lines, /\.data\.password: expected string, got .*\(hidden\)/);
  assert.doesNotMatch(lines, /hunter22/);
});

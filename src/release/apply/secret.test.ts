import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect } from "../../kube/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { prepare } from "../prepare/index.ts";
import { apply } from "./index.ts";

const yaml = (metadata: string) => `
apiVersion: v1
kind: Namespace
metadata: {name: later}
---
apiVersion: v1
${metadata}
data: {password: {is: hunter22}}
`;

const cases = {
  Secret: "kind: Secret\nmetadata: {name: wrong, namespace: later}",
  "ConfigMap that an annotation marks as sensitive":
    'kind: ConfigMap\nmetadata: {name: wrong, namespace: later, annotations: {werf.io/sensitive: "true"}}',
};

for (const [what, metadata] of Object.entries(cases))
  test(`the values of a refused ${what} are hidden in the message`, async () => {
    const clock = new VirtualClock();
    const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
    const { signal } = new AbortController();
    const progress = async () => {
      const { items } = await prepare(readManifests(yaml(metadata), "a.yaml").manifests, cluster, { signal });
      const lines: string[] = [];
      // The namespace comes with it, so no dry run is possible.
      for await (const event of apply(items, cluster, { signal })) if ("because" in event) lines.push(event.because ?? "");
      return lines.join("\n");
    };
    const lines = await clock.until(progress());
    assert.match(lines, /\.data\.password: expected string, got .*\(hidden\)/);
    assert.doesNotMatch(lines, /hunter22/);
  });

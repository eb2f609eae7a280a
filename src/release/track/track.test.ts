import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../clock/index.ts";
import type { Exchange } from "../../exchange/index.ts";
import { connect, ConnectionFault } from "../../kube/index.ts";
import { titleOf, type KubeObject, type ObjectRef } from "../../object/index.ts";
import { simulate } from "../../sim/index.ts";
import { track } from "./index.ts";

const widgets: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: "object", properties: { status: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } },
        },
      },
    ],
  },
};
const widget: KubeObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "default" } };
const ref: ObjectRef = { group: "example.com", version: "v1", kind: "Widget", namespace: "default", name: "w" };

/** An exchange whose line can be cut and mended. */
function cuttable(exchange: Exchange) {
  const open = new Set<AbortController>();
  let isCut = false;
  return {
    exchange: ((request) => {
      if (isCut) return Promise.reject(new ConnectionFault("nothing answers"));
      const line = new AbortController();
      open.add(line);
      return exchange({ ...request, signal: AbortSignal.any([request.signal, line.signal]) });
    }) satisfies Exchange,
    cut() {
      isCut = true;
      for (const line of open) line.abort();
    },
    mend: () => void (isCut = false),
  };
}

async function lab() {
  const clock = new VirtualClock();
  const line = cuttable(simulate({ clock }).exchange);
  const cluster = connect(line.exchange, { clock });
  await cluster.apply(widgets);
  await clock.advance(1000);
  const stop = new AbortController();
  const lines: string[] = [];
  const following = (async () => {
    for await (const { ref: about, health } of track([{ ref, hasStatus: true }], cluster, { signal: stop.signal, silenceMs: 30_000 })) {
      const because = health.state === "ready" ? (health.note ?? "") : health.because;
      lines.push(`${titleOf(about)} ${health.state} ${because}`.trim());
    }
  })();
  await clock.advance(10);
  return { clock, cluster, line, lines, end: () => (stop.abort(), following) };
}

test("what is not there yet, comes, goes and comes again is told each time", async () => {
  const { clock, cluster, lines, end } = await lab();
  assert.deepEqual(lines, ["widget/w progressing it does not exist"]);
  await cluster.apply(widget);
  await clock.advance(10);
  await cluster.apply(
    { ...widget, status: { conditions: [{ type: "Ready", status: "True", reason: "Done", message: "" }] } },
    { subresource: "status" },
  );
  await clock.advance(10);
  assert.equal(lines.at(-1), "widget/w ready");
  await cluster.delete(ref);
  await clock.advance(10);
  assert.equal(lines.at(-1), "widget/w progressing widget/w was deleted");
  await end();
});

test("a status that nobody ever writes is not waited for beyond the grace time", async () => {
  const { clock, cluster, lines, end } = await lab();
  await cluster.apply(widget);
  await clock.advance(29_000);
  assert.match(lines.at(-1) ?? "", /progressing/);
  await clock.advance(2_000);
  assert.equal(lines.at(-1), "widget/w ready nobody has written a status for it; taken as ready");
  await end();
});

test("the same news is told once", async () => {
  const { clock, cluster, lines, end } = await lab();
  await cluster.apply(widget);
  await clock.advance(10);
  const told = lines.length;
  await cluster.apply({ ...widget, metadata: { ...widget.metadata, labels: { a: "b" } } });
  await clock.advance(10);
  assert.equal(lines.length, told);
  await end();
});

test("a cluster that does not answer any more is told of, and so is that it does again", async () => {
  const { clock, cluster, line, lines, end } = await lab();
  await cluster.apply(widget);
  await clock.advance(10);
  const before = lines.at(-1);
  line.cut();
  await clock.advance(10_000);
  assert.match(lines.at(-1) ?? "", /^widget\/w progressing nothing is heard of it: .*nothing answers/);
  line.mend();
  await clock.advance(14_000);
  await cluster.apply({ ...widget, metadata: { ...widget.metadata, labels: { a: "b" } } });
  await clock.advance(10);
  assert.equal(lines.at(-1), before);
  await end();
});

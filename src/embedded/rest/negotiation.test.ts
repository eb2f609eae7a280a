import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { widgetCrd } from "../../../test/support/widget-crd.ts";
import { startEmbeddedCluster } from "../index.ts";
import recorded from "./recorded/accept.json" with { type: "json" };

const { signal } = new AbortController();

/** The status, the media type in short, and by which of its two texts a media type was refused. */
async function answerTo(exchange: Exchange, path: string, accept: string): Promise<string> {
  const reading = new AbortController();
  const answer = await exchange({ method: "GET", path, headers: accept === "" ? {} : { accept }, signal: reading.signal });
  let text = "";
  if (Array.isArray(answer.body)) text = Buffer.from((answer.body as readonly string[])[0] ?? "").toString();
  reading.abort();
  const type = (answer.headers["content-type"] ?? "").replace("application/vnd.kubernetes.protobuf", "pb").replace("application/", "");
  const refusal = answer.status !== 406 ? "" : text.includes("only the following") ? " only" : " route";
  return `${answer.status} ${type}${refusal}`;
}

test("a media type is chosen of an Accept header as the real server does", async () => {
  const clock = new VirtualClock();
  const { exchange, stop } = startEmbeddedCluster({ clock });
  const post = (path: string, object: object) => exchange({ method: "POST", path, headers: {}, body: JSON.stringify(object), signal });
  await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", widgetCrd);
  await clock.advance(5000);
  await post("/apis/example.com/v1/namespaces/default/widgets", { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" } });
  for (const [accept, expected] of Object.entries(recorded.answers)) {
    const answers: string[] = [];
    for (const path of recorded.paths) answers.push(await answerTo(exchange, path, accept));
    assert.deepEqual(answers, expected, JSON.stringify(accept));
  }
  stop();
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { commonText } from "./general-text.ts";

const east = { type: "Sveltos", namespace: "fleet", name: "east" } as const;

/** The same failure in other places, and what is left of it. */
const cases: readonly (readonly [readonly string[], string])[] = [
  [
    ["pod shop/web-7d4b9c6f5d-x2x8k: Back-off pulling image reg/web:2", "pod shop/web-5c9d8b7f44-abcd1: Back-off pulling image reg/web:2"],
    "pod shop/web-…: Back-off pulling image reg/web:2",
  ],
  [["pod shop/db-x2x8k: it crashes", "pod shop/db-9kf2z: it crashes"], "pod shop/db-…: it crashes"],
  [["dial tcp 10.0.0.7:6443: connection refused", "dial tcp 10.1.2.3:6443: connection refused"], "dial tcp …: connection refused"],
  [["Get https://a.example:6443/version: no route", "Get https://b.example/version: no route"], "Get …/version: no route"],
  [["web-sveltos-east: forbidden"], "web{cluster}: forbidden"],
  [["cluster fleet/east is gone"], "cluster {cluster} is gone"],
  [[`image web@sha256:${"0a".repeat(32)} is missing`, `image web@sha256:${"1b".repeat(32)} is missing`], "image web@… is missing"],
  [["set aside until 2026-11-16T13:28:05Z", "set aside until 2026-11-16T13:29:05.123Z"], "set aside until …"],
  [["back-off 5m0s restarting", "back-off 40s restarting"], "back-off … restarting"],
  [["ClusterProfile sveltos-0123456789abcdefghij: no"], "ClusterProfile …: no"],
  [["uid 5c1cf3a7-8e1f-4c6f-9d3c-0123456789ab differs"], "uid … differs"],
  [["dial tcp [2001:db8::7:1:2]:443: refused"], "dial tcp …: refused"],
];

for (const [texts, common] of cases)
  test(`${common}`, () => assert.deepEqual([...new Set(texts.map((text) => commonText(text, east)))], [common]));

for (const text of [
  "web-frontend is not ready",
  "Deployment shop/payment-processor: 2 of 3",
  "chart ingress-nginx 4.11.3",
  "the ConfigMap shop/settings-production",
])
  test(`${text} is left as it is`, () => assert.equal(commonText(text, east), text));

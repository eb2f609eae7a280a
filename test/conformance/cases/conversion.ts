import type { Json } from "../../../src/core/object/index.ts";
import {
  applyRequest,
  httpDelete,
  httpGet,
  httpPost,
  httpPut,
  jsonPatch,
  mergePatch,
  type CaseStep,
  type ConformanceCase,
} from "../conformance-case.ts";
import { configureSteps, hook, ruleFor } from "./webhook-configuration.ts";
import { crdsPath, establishSteps, widget, widgetPath, widgetCrdOf, widgetsPath } from "./widget.ts";

type Fields = { readonly [field: string]: Json };

const newPath = "/apis/{group}/v2/namespaces/{ns}/widgets";
const versionOf = (name: string, spec: Fields, storage: boolean) => ({
  name,
  served: true,
  storage,
  subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: { type: "object", properties: spec },
        status: { type: "object", properties: { phase: { type: "string" }, size: { type: "integer" } } },
      },
    },
  },
});
const size = { type: "integer" };

/** Widgets of v1, which have a size, and of v2, where it is inside of `box`. The scripted webhook converts them by its path. */
const crd = (path: string, { storage = "v2", ...more }: { readonly storage?: string; readonly [field: string]: Json | undefined } = {}) =>
  widgetCrdOf(
    {},
    {
      spec: {
        versions: [
          versionOf("v1", { size, color: { type: "string", default: "red" } }, storage === "v1"),
          versionOf("v2", { box: { type: "object", properties: { size } }, color: { type: "string", default: "blue" } }, storage === "v2"),
        ],
        conversion: {
          strategy: "Webhook",
          webhook: {
            clientConfig: { url: `https://{webhook}/${path}`, caBundle: "{ca}" },
            conversionReviewVersions: ["v1"],
            ...(more as Fields),
          },
        },
      },
    },
  );
const boxed = (spec: Fields, metadata: Fields = {}) => ({ ...widget(spec, metadata), apiVersion: "{group}/v2" });
const shown = { show: ["apiVersion", "spec", "status", "metadata.generation", "metadata.labels"] };
const failed = { expect: 500 };

/** A CRD is served a moment after it is established. */
const started = (path: string, more: Parameters<typeof crd>[1] = {}): CaseStep[] => [
  ...establishSteps(crd(path, more)),
  httpGet(`${newPath}/none`, { expect: 404, show: [] }),
];

/** CRDs whose versions a webhook converts. */
export const conversionCases: readonly ConformanceCase[] = [
  {
    id: "conversion/versions",
    title: "an object that is written in one version is read in both",
    needsWebhook: true,
    steps: [
      ...started("convert/unknown"),
      httpPost(`${widgetsPath}?fieldManager=one`, widget({ size: 3, unknown: 1 }), { capture: { rv: "metadata.resourceVersion" } }),
      httpGet(`${newPath}/a`),
      httpGet(widgetPath),
      httpPost(newPath, boxed({ box: { size: 4 } }, { name: "b" }), shown),
      httpGet(`${widgetsPath}/b`, shown),
      httpGet(widgetsPath, shown),
      httpGet(newPath, shown),
      httpGet(`${widgetsPath}?limit=1`, { show: ["spec"] }),
      httpPost(`${widgetsPath}?dryRun=All`, widget({ size: 9 }, { name: "c" }), shown),
    ],
  },
  {
    id: "conversion/writes",
    title: "updates, patches, apply, scale and deletion are in the version of the request",
    needsWebhook: true,
    steps: [
      ...started("convert"),
      httpPost(newPath, boxed({ box: { size: 1 } }, { finalizers: ["a.example.com/x"] }), {
        capture: { rv: "metadata.resourceVersion" },
        show: [],
      }),
      httpPut(widgetPath, widget({ size: 2 }, { resourceVersion: "{rv}", finalizers: ["a.example.com/x"] }), shown),
      httpPut(widgetPath, widget({ size: 3 }, { resourceVersion: "{rv}" }), { expect: 409 }),
      mergePatch(widgetPath, { spec: { size: 4 } }, shown),
      mergePatch(widgetPath, { spec: { size: 4 } }, shown),
      httpGet(widgetPath, { show: ["metadata.managedFields"] }),
      jsonPatch(`${newPath}/a`, [{ op: "replace", path: "/spec/box/size", value: 5 }], shown),
      jsonPatch(widgetPath, [{ op: "test", path: "/spec/size", value: 5 }], shown),
      httpGet(widgetPath, { show: ["metadata.managedFields"] }),
      mergePatch(widgetPath, { spec: { size: "many" } }, { expect: 422 }),
      mergePatch(`${widgetPath}/status`, { status: { phase: "x", size: 5 } }, shown),
      httpGet(widgetPath, { show: ["metadata.managedFields"] }),
      applyRequest(widgetPath, widget({ size: 7 }), { expect: 409 }),
      applyRequest(widgetPath, widget({ size: 7 }), { force: true, ...shown }),
      httpGet(`${newPath}/a`, shown),
      applyRequest(`${widgetsPath}/new`, widget({ size: 8 }, { name: "new" }), shown),
      httpGet(`${widgetPath}/scale`, { show: ["spec", "status"] }),
      mergePatch(`${widgetPath}/scale`, { spec: { replicas: 6 } }, { show: ["spec"] }),
      httpGet(`${newPath}/a`, shown),
      httpDelete(widgetPath, undefined, { show: ["apiVersion", "spec", "metadata.finalizers"] }),
      mergePatch(widgetPath, { metadata: { finalizers: null } }, { show: ["apiVersion", "spec"] }),
      httpGet(`${newPath}/a`, { expect: 404 }),
      httpDelete(widgetsPath, undefined, { show: ["apiVersion", "spec"] }),
    ],
  },
  {
    id: "conversion/watch",
    title: "a watch tells of objects in its own version",
    needsWebhook: true,
    steps: [
      ...started("convert"),
      httpPost(newPath, boxed({ box: { size: 1 } }), { show: [] }),
      { watch: `${widgetsPath}?watch=1&sendInitialEvents=true&resourceVersion=0&resourceVersionMatch=NotOlderThan`, name: "old" },
      { events: "old", until: { count: 1 }, ...shown },
      mergePatch(`${newPath}/a`, { spec: { box: { size: 2 } } }, { show: [] }),
      mergePatch(widgetPath, { spec: { size: 3 } }, { show: [] }),
      httpDelete(`${newPath}/a`, undefined, { show: [] }),
      { events: "old", until: { count: 3 }, ...shown },
    ],
  },
  {
    id: "conversion/storage-version",
    title: "what was stored in another version is converted when it is read, and stored anew when it is written",
    needsWebhook: true,
    steps: [
      ...started("convert", { storage: "v1" }),
      httpPost(widgetsPath, widget({ size: 1 }), { show: [] }),
      jsonPatch(
        `${crdsPath}/widgets.{group}`,
        [
          { op: "replace", path: "/spec/versions/0/storage", value: false },
          { op: "replace", path: "/spec/versions/1/storage", value: true },
        ],
        { show: ["spec.versions.storage"] },
      ),
      { waitFor: `${crdsPath}/widgets.{group}`, until: { "status.storedVersions": ["v1", "v2"] }, show: ["status.storedVersions"] },
      httpGet(`${newPath}/a`, shown),
      mergePatch(`${newPath}/a`, { spec: { box: { size: 2 } } }, shown),
      httpGet(widgetPath, shown),
    ],
  },
  {
    id: "conversion/labels",
    title: "a webhook changes labels and annotations, and nothing else of the metadata",
    needsWebhook: true,
    steps: [
      ...started("convert/labels"),
      httpPost(widgetsPath, widget({ size: 1 }, { labels: { a: "b" } }), {
        show: ["metadata.labels", "metadata.annotations", "metadata.generation"],
      }),
      httpGet(`${newPath}/a`, { show: ["metadata.labels", "metadata.annotations", "metadata.generation", "metadata.finalizers"] }),
    ],
  },
  ...(["fail", "fail-silently", "short", "rename", "version", "kind", "uid", "no-response", "text", "bad-label"] as const).map(
    (how): ConformanceCase => ({
      id: `conversion/refused-${how}`,
      title: `a webhook that does not convert fails the write: ${how}`,
      needsWebhook: true,
      steps: [...started(`convert/${how}`), httpPost(widgetsPath, widget({ size: 1 }), failed), httpGet(widgetPath, { expect: 404 })],
    }),
  ),
  {
    id: "conversion/admission",
    title: "an admission webhook of another version sees the converted object",
    needsWebhook: true,
    steps: [
      ...started("convert"),
      ...configureSteps("mutating", [
        hook("review", {
          rules: [ruleFor(["widgets"], { apiVersions: ["v2"] })],
          matchConditions: [{ name: "box", expression: "object.spec.box.size == 3" }],
        }),
        hook("color", { name: "color.example.com", rules: [ruleFor(["widgets"], { apiVersions: ["v2"] })] }),
      ]),
      httpPost(widgetsPath, widget({ size: 1 }), shown),
    ],
  },
  {
    id: "conversion/old-reviews",
    title: "a webhook may speak v1beta1",
    needsWebhook: "socket",
    steps: [...started("convert", { conversionReviewVersions: ["v9", "v1beta1"] }), httpPost(widgetsPath, widget({ size: 1 }), shown)],
  },
  {
    id: "conversion/refused-definitions",
    title: "a definition says how its webhook is called",
    needsWebhook: true,
    steps: [
      { clientConfig: { url: "http://example.com" } },
      { clientConfig: { url: "https://a:b@example.com/?x#y" } },
      { clientConfig: { service: { name: "a", namespace: "b", path: "//", port: 0 } } },
      { clientConfig: { service: { name: "a", namespace: "b" }, url: "https://example.com" } },
      { conversionReviewVersions: [] },
      { conversionReviewVersions: null },
      { conversionReviewVersions: ["v9"] },
    ].map((webhook) => httpPost(crdsPath, crd("convert", webhook), { expect: 422 })),
  },
  {
    id: "conversion/unreachable",
    title: "a webhook that cannot be reached fails the write",
    needsWebhook: "socket",
    steps: [
      ...started("convert", { clientConfig: { url: "https://127.0.0.1:1/convert", caBundle: "{ca}" } }),
      httpPost(widgetsPath, widget({ size: 1 }), failed),
      httpPost(newPath, boxed({ box: { size: 1 } }), { show: ["spec"] }),
      httpGet(widgetPath, failed),
    ],
  },
];

import {
  configMap,
  configMapsPath,
  httpGet,
  namespacedPath,
  mergePatch,
  httpPost,
  httpPut,
  httpDelete,
  type ConformanceCase,
} from "../conformance-case.ts";

const one = `${configMapsPath}/a`;
const secrets = namespacedPath("v1", "secrets");
const secret = (name: string, labels: { [name: string]: string } = {}) =>
  httpPost(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name, labels } });
const versionOf = (path: string) => httpGet(path, { capture: { rv: "metadata.resourceVersion" }, show: [] });
const seen = ["metadata.name", "metadata.labels", "metadata.resourceVersion", "data"];

/** Watches: their events, the order of them, and where they begin. */
export const watchCases: readonly ConformanceCase[] = [
  {
    id: "watch/life",
    title: "the life of an object, each version once and in order",
    steps: [
      versionOf(configMapsPath),
      { watch: `${configMapsPath}?watch=true&resourceVersion={rv}`, name: "w" },
      httpPost(configMapsPath, configMap("a", { data: { a: "1" } })),
      httpPut(one, configMap("a", { data: { a: "2" } })),
      httpPut(one, configMap("a", { data: { a: "2" } })),
      mergePatch(one, { data: { a: "3" } }),
      httpDelete(one),
      { events: "w", until: { type: "DELETED" } },
    ],
  },
  {
    id: "watch/order",
    title: "events of several objects come in the order of their writes",
    oneCounter: true,
    steps: [
      versionOf(secrets),
      secret("b"),
      secret("a"),
      mergePatch(`${secrets}/b`, { metadata: { labels: { x: "1" } } }),
      secret("c"),
      httpDelete(`${secrets}/a`),
      { watch: `${secrets}?watch=true&resourceVersion={rv}`, name: "w" },
      { events: "w", until: { count: 5 }, show: seen },
    ],
  },
  {
    id: "watch/from-version",
    title: "a watch goes on after the version that it names",
    steps: [
      secret("a"),
      { ...secret("b"), capture: { rv: "metadata.resourceVersion" } },
      secret("c"),
      { watch: `${secrets}?watch=true&resourceVersion={rv}`, name: "w" },
      secret("d"),
      { events: "w", until: { count: 2 }, show: ["metadata.name"] },
    ],
  },
  {
    id: "watch/no-version",
    title: "a watch without a version begins with what is there",
    steps: [
      secret("b"),
      secret("a"),
      { watch: `${secrets}?watch=true`, name: "w" },
      { events: "w", until: { count: 2 }, show: ["metadata.name"] },
      secret("c"),
      { events: "w", until: { count: 1 }, show: ["metadata.name"] },
      { watch: `${secrets}?watch=1&resourceVersion=0`, name: "w0" },
      { events: "w0", until: { count: 3 }, show: ["metadata.name"] },
    ],
  },
  {
    id: "watch/selector",
    title: "objects enter a selector as ADDED and leave it as DELETED",
    steps: [
      versionOf(configMapsPath),
      { watch: `${configMapsPath}?watch=true&resourceVersion={rv}&labelSelector=on%3Dyes`, name: "w" },
      httpPost(configMapsPath, configMap("a", {}, { labels: { on: "no" } })),
      mergePatch(one, { metadata: { labels: { on: "yes" } } }),
      mergePatch(one, { data: { a: "1" } }),
      mergePatch(one, { metadata: { labels: { on: "no" } } }),
      mergePatch(one, { data: { a: "2" } }),
      mergePatch(one, { metadata: { labels: { on: "yes" } } }),
      httpDelete(one),
      { events: "w", until: { count: 5 }, show: seen },
    ],
  },
  {
    id: "watch/field-selector",
    title: "one object is watched by its name",
    steps: [
      versionOf(configMapsPath),
      { watch: `${configMapsPath}?watch=true&resourceVersion={rv}&fieldSelector=metadata.name%3Da`, name: "w" },
      httpPost(configMapsPath, configMap("b")),
      httpPost(configMapsPath, configMap("a")),
      { events: "w", until: { count: 1 }, show: ["metadata.name"] },
    ],
  },
  {
    id: "watch/old-path",
    title: "the /watch/ paths still work",
    steps: [
      secret("a"),
      { watch: "/api/v1/watch/namespaces/{ns}/secrets", name: "w" },
      { events: "w", until: { count: 1 }, show: ["metadata.name"] },
    ],
  },
  {
    id: "watch/initial-events",
    title: "initial events end with a bookmark that says so",
    steps: [
      secret("b"),
      secret("a"),
      { watch: `${secrets}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`, name: "w" },
      { events: "w", until: { type: "BOOKMARK" } },
      secret("c"),
      { events: "w", until: { count: 1 }, show: ["metadata.name"] },
    ],
  },
  {
    id: "watch/initial-events-refused",
    title: "initial events need the right companions",
    steps: [
      { watch: `${secrets}?watch=true&sendInitialEvents=true`, name: "w", expect: 422 },
      httpGet(`${secrets}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`, { expect: 422 }),
      { watch: `${secrets}?watch=true&resourceVersionMatch=NotOlderThan`, name: "w", expect: 422 },
    ],
  },
  {
    id: "watch/too-old",
    title: "a version that is no longer known is 410, in the stream",
    steps: [
      { watch: `${secrets}?watch=true&resourceVersion=1`, name: "w" },
      { events: "w", until: "end" },
    ],
  },
  {
    id: "watch/timeout",
    title: "a watch ends after its time",
    steps: [
      secret("a"),
      { watch: `${secrets}?watch=true&timeoutSeconds=1`, name: "w" },
      { events: "w", until: "end", show: ["metadata.name"] },
    ],
  },
  {
    id: "watch/bad-version",
    title: "a version that is no number is refused",
    steps: [{ watch: `${secrets}?watch=true&resourceVersion=abc`, name: "w", expect: 500 }],
  },
  {
    id: "watch/deleted-version",
    title: "the last event of an object carries the version of its deletion",
    steps: [
      { ...httpPost(configMapsPath, configMap("a", { data: { a: "1" } })), capture: { rv: "metadata.resourceVersion" } },
      httpDelete(one),
      { watch: `${configMapsPath}?watch=true&resourceVersion={rv}`, name: "w" },
      { events: "w", until: { count: 1 } },
    ],
  },
];

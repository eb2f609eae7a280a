import {
  configMap,
  configMapsPath,
  httpGet,
  namespacedPath,
  jsonPatch,
  mergePatch,
  httpPost,
  strategicPatch,
  type ConformanceCase,
} from "../conformance-case.ts";

const one = `${configMapsPath}/a`;
const data = { data: { a: "1", b: "2" } };
const shown = ["metadata.labels", "metadata.annotations", "metadata.resourceVersion", "data", "spec"];

const deployments = namespacedPath("apps/v1", "deployments");
const paused = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    replicas: 0,
    paused: true,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          {
            name: "a",
            image: "example.com/a:1",
            env: [
              { name: "X", value: "1" },
              { name: "Y", value: "2" },
            ],
            ports: [{ containerPort: 80 }],
            args: ["-v", "-x"],
          },
          { name: "b", image: "example.com/b:1" },
        ],
        tolerations: [{ key: "k", operator: "Exists" }],
      },
    },
  },
};
const web = `${deployments}/web`;
const spec = ["spec.template.spec.containers", "spec.template.spec.tolerations", "spec.strategy", "metadata.generation"];

/** The three kinds of patches that are not apply. */
export const patchCases: readonly ConformanceCase[] = [
  {
    id: "patch/strategic-wrong-type",
    title: "a strategic patch that leaves a field with a value of the wrong type is refused in the words of what converts it",
    steps: [
      httpPost(deployments, paused),
      ...[
        { spec: { replicas: "x" } },
        { spec: { replicas: true } },
        { spec: { replicas: 1.5 } },
        { spec: { paused: 1 } },
        { metadata: { labels: { a: 1 } } },
        { metadata: { labels: { a: 1.5 } } },
        { metadata: { labels: "x" } },
        { spec: "x" },
        { spec: { template: { spec: { containers: "x" } } } },
        { spec: { template: { spec: { restartPolicy: {} } } } },
        { spec: { template: { spec: { restartPolicy: 1 } } } },
        { spec: { strategy: { rollingUpdate: { maxSurge: true } } } },
      ].map((wrong) => strategicPatch(web, wrong, { expect: 422 })),
    ],
  },
  {
    id: "patch/merge-wrong-type",
    title: "a merge patch that leaves a field with a value of the wrong type is refused in the words of what decodes it",
    steps: [
      httpPost(deployments, paused),
      mergePatch(web, { spec: { replicas: "x" } }, { expect: 422 }),
      mergePatch(web, { metadata: { labels: { a: 1 } } }, { expect: 422 }),
      mergePatch(web, { spec: { template: { spec: { containers: "x" } } } }, { expect: 422 }),
    ],
  },
  {
    id: "patch/merge",
    title: "a merge patch sets, deletes with null and leaves the rest",
    steps: [
      httpPost(configMapsPath, configMap("a", data, { labels: { x: "1", y: "2" } })),
      mergePatch(one, { metadata: { labels: { x: null, z: "3" } }, data: { a: "9" } }, { show: shown }),
      mergePatch(one, { data: { a: "9" } }, { show: shown }),
      mergePatch(one, { data: null }, { show: shown }),
    ],
  },
  {
    id: "patch/merge-managed-fields",
    title: "a patch is owned by its manager",
    steps: [
      httpPost(`${configMapsPath}?fieldManager=one`, configMap("a", data)),
      mergePatch(`${one}?fieldManager=two`, { data: { b: "3", c: "4" } }),
      mergePatch(`${one}?fieldManager=one`, { data: { b: null } }),
    ],
  },
  {
    id: "patch/missing",
    title: "there is nothing to patch",
    steps: [
      mergePatch(one, { data: { a: "1" } }, { expect: 404 }),
      jsonPatch(one, [{ op: "remove", path: "/data" }], { expect: 404 }),
      strategicPatch(one, {}, { expect: 404 }),
    ],
  },
  {
    id: "patch/conflict",
    title: "a patch with an older version is a conflict",
    steps: [
      httpPost(configMapsPath, configMap("a", data), { capture: { rv: "metadata.resourceVersion" } }),
      mergePatch(one, { data: { a: "2" } }),
      mergePatch(one, { metadata: { resourceVersion: "{rv}" }, data: { a: "3" } }, { expect: 409 }),
    ],
  },
  {
    id: "patch/json",
    title: "a JSON patch adds, replaces, removes, moves, copies and tests",
    steps: [
      httpPost(configMapsPath, configMap("a", data)),
      jsonPatch(
        one,
        [
          { op: "add", path: "/data/c", value: "3" },
          { op: "replace", path: "/data/a", value: "9" },
          { op: "remove", path: "/data/b" },
        ],
        { show: shown },
      ),
      jsonPatch(
        one,
        [
          { op: "test", path: "/data/a", value: "9" },
          { op: "move", from: "/data/c", path: "/data/d" },
          { op: "copy", from: "/data/d", path: "/data/e" },
        ],
        { show: shown },
      ),
      jsonPatch(
        one,
        [
          { op: "add", path: "/metadata/annotations", value: { "a/b": "1" } },
          { op: "add", path: "/metadata/annotations/c~1d", value: "2" },
        ],
        { show: shown },
      ),
    ],
  },
  {
    id: "patch/json-refused",
    title: "a JSON patch that cannot be carried out is refused, and changes nothing",
    steps: [
      httpPost(configMapsPath, configMap("a", data)),
      jsonPatch(one, [{ op: "test", path: "/data/a", value: "2" }], { expect: 422 }),
      jsonPatch(one, [{ op: "remove", path: "/data/zz" }], { expect: 422 }),
      jsonPatch(
        one,
        [
          { op: "replace", path: "/data/a", value: "5" },
          { op: "remove", path: "/nowhere/at/all" },
        ],
        { expect: 422 },
      ),
      jsonPatch(one, { op: "remove", path: "/data" }, { expect: 400 }),
      jsonPatch(one, [{ op: "replace", path: "/data/a", value: 5 }], { expect: 422 }),
      httpGet(one, { show: shown }),
    ],
  },
  {
    id: "patch/unknown-type",
    title: "a patch of an unknown kind is refused with the kinds there are",
    steps: [
      httpPost(configMapsPath, configMap("a", data)),
      { call: `PATCH ${one}`, body: {}, headers: { "content-type": "application/json" }, expect: 415 },
    ],
  },
  {
    id: "patch/strict",
    title: "a patch can be strict too",
    steps: [
      httpPost(configMapsPath, configMap("a", data)),
      strategicPatch(`${one}?fieldValidation=Strict`, { bogus: 1 }, { expect: 422 }),
      mergePatch(`${one}?fieldValidation=Warn`, { bogus: 1, data: { a: "2" } }, { show: shown }),
    ],
  },
  {
    id: "patch/immutable-fields",
    title: "a patch that touches what cannot change is refused",
    steps: [
      httpPost(deployments, paused),
      mergePatch(web, { spec: { selector: { matchLabels: { app: "other" } } } }, { expect: 422 }),
      mergePatch(web, { metadata: { name: "other" } }, { expect: 400 }),
      mergePatch(web, { metadata: { namespace: "other" } }, { expect: 400 }),
    ],
  },
  {
    id: "patch/strategic-lists",
    title: "a strategic patch merges lists by their keys",
    steps: [
      httpPost(deployments, paused),
      strategicPatch(
        web,
        {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    name: "a",
                    image: "example.com/a:2",
                    env: [
                      { name: "Z", value: "3" },
                      { name: "X", value: "9" },
                    ],
                  },
                  { name: "c", image: "example.com/c:1" },
                ],
              },
            },
          },
        },
        { show: spec },
      ),
      strategicPatch(
        web,
        {
          spec: { template: { spec: { tolerations: [{ key: "other", operator: "Exists" }], containers: [{ name: "a", args: ["-q"] }] } } },
        },
        { show: spec },
      ),
    ],
  },
  {
    id: "patch/strategic-directives",
    title: "a strategic patch deletes, replaces and orders by directive",
    steps: [
      httpPost(deployments, paused),
      strategicPatch(web, { spec: { template: { spec: { containers: [{ name: "b", $patch: "delete" }] } } } }, { show: spec }),
      strategicPatch(
        web,
        { spec: { template: { spec: { containers: [{ name: "a", env: [{ $patch: "replace" }, { name: "ONLY", value: "1" }] }] } } } },
        { show: spec },
      ),
      strategicPatch(
        web,
        {
          spec: {
            template: {
              spec: {
                "$setElementOrder/containers": [{ name: "n" }, { name: "a" }],
                containers: [{ name: "n", image: "example.com/n:1" }],
              },
            },
          },
        },
        { show: spec },
      ),
      strategicPatch(web, { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } }, { show: spec }),
    ],
  },
  {
    id: "patch/strategic-primitives",
    title: "a strategic patch merges and deletes finalizers",
    steps: [
      httpPost(configMapsPath, configMap("a", {}, { finalizers: ["example.com/a", "example.com/b"] })),
      strategicPatch(one, { metadata: { finalizers: ["example.com/c"] } }, { show: ["metadata.finalizers"] }),
      strategicPatch(one, { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a"] } }, { show: ["metadata.finalizers"] }),
      strategicPatch(
        one,
        { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/b", "example.com/c"] } },
        { show: ["metadata.finalizers"] },
      ),
    ],
  },
  {
    id: "patch/merge-replaces-lists",
    title: "a merge patch replaces a whole list, and is validated",
    steps: [
      httpPost(deployments, paused),
      mergePatch(web, { spec: { template: { spec: { containers: [{ name: "only", image: "example.com/only:1" }] } } } }, { show: spec }),
      mergePatch(web, { spec: { template: { spec: { containers: [] } } } }, { expect: 422 }),
      mergePatch(web, { spec: { replicas: -1 } }, { expect: 422 }),
    ],
  },
  {
    id: "patch/dry-run",
    title: "a patch can be a dry run",
    steps: [
      httpPost(configMapsPath, configMap("a", data)),
      mergePatch(`${one}?dryRun=All`, { data: { a: "7" } }, { show: shown }),
      httpGet(one, { show: shown }),
    ],
  },
];

/** Objects that the API server refuses until an earlier step of the same plan has changed what speaks against them. */
import { listAt, stringAt, type KubeObject } from "../../../src/core/object/index.ts";
import { makeConfigMap, makeNamespace, makeObject, makeServiceAccount, quick } from "../objects.ts";
import type { ReleaseScenario, ThirdPartyClient } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const group = "$NS.example.com";

/** A Pod with further fields of its spec. */
const makePodWith = (name: string, spec: object, annotations = {}, metadata = {}): KubeObject =>
  makeObject("v1", "Pod", name, annotations, {
    metadata,
    spec: { containers: [{ name: "main", image: quick }], terminationGracePeriodSeconds: 1, ...spec },
  });

/** A definition that knows exactly these fields of `spec`. */
const makeValveCrd = (properties: object, annotations = {}): KubeObject =>
  makeObject("apiextensions.k8s.io/v1", "CustomResourceDefinition", `valves.${group}`, annotations, {
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "valves", singular: "valve", kind: "Valve" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
        },
      ],
    },
  });

const makeValve = (spec: object, annotations = {}): KubeObject => makeObject(`${group}/v1`, "Valve", "v", annotations, { spec });

const size = { size: { type: "integer" } };
const sizeAndColour = { ...size, colour: { type: "string" } };
const mode = (...values: readonly string[]) => ({ mode: { type: "string", enum: values } });

/** Fails unless the field of the valve's spec has this value. */
const hasField =
  (field: string, value: string) =>
  async ({ cluster, namespace }: ThirdPartyClient) => {
    const found = await cluster.get({ group: `${namespace}.example.com`, version: "v1", kind: "Valve", namespace, name: "v" });
    if (stringAt(found, `spec.${field}`) !== value) throw new Error(`valve/v has ${JSON.stringify(found["spec"])}`);
  };

const makeQuota = (pods: number): KubeObject => makeObject("v1", "ResourceQuota", "quota", {}, { spec: { hard: { pods: String(pods) } } });

const webhooks = "admissionregistration.k8s.io/v1";

/** A webhook that nobody serves. It refuses changes of ConfigMaps of the scenario's namespace unless failures are ignored. */
const makeWebhook = (failurePolicy: "Fail" | "Ignore", annotations = {}): KubeObject =>
  makeObject(webhooks, "ValidatingWebhookConfiguration", "$NS-check", annotations, {
    webhooks: [
      {
        name: "check.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        timeoutSeconds: 1,
        failurePolicy,
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "$NS" } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["configmaps"] }],
        matchConditions: [{ name: "changes", expression: "object.data != oldObject.data" }],
        clientConfig: { service: { namespace: "$NS", name: "nobody" } },
      },
    ],
  });

/** Fails unless this many webhooks are configured. */
const webhooksAre =
  (count: number) =>
  async ({ cluster, namespace }: ThirdPartyClient) => {
    const ref = { group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingWebhookConfiguration", namespace: "" };
    const found = await cluster.find({ ...ref, name: `${namespace}-check` });
    if (listAt(found, "webhooks").length !== count) throw new Error(`the configuration is ${JSON.stringify(found)}`);
  };

const hold = { metadata: { finalizers: ["example.com/hold"] } };
const letGo = { type: "merge", patch: { metadata: { finalizers: null } } } as const;
const held = (namespace: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace: `${namespace}-two`, name: "held" });
const inTwo = { metadata: { namespace: "$NS-two" } };

export const deferralScenarios: readonly ReleaseScenario[] = [
  {
    name: "a pod comes with the service account that it uses",
    acts: [
      {
        do: "deploy",
        manifests: [makePodWith("agent", { serviceAccountName: "robot" }), makeServiceAccount("robot")],
        expect: { order: ["serviceaccount/robot created < pod/agent created"] },
      },
      {
        do: "apply",
        manifests: [makePodWith("second", { serviceAccountName: "other" }), makeServiceAccount("other")],
        expect: { order: ["serviceaccount/other created < pod/second created"] },
      },
    ],
  },
  {
    name: "a pod whose service account nobody brings, or brings too late, is refused before anything is touched",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("fine"), makeServiceAccount("other"), makePodWith("agent", { serviceAccountName: "robot" })],
        expect: {
          refused: /pod\/agent: .*serviceaccount "robot" not found$/m,
          never: ["pod/agent created", "configmap/fine created", "serviceaccount/robot created"],
          records: [],
        },
      },
      {
        do: "deploy",
        manifests: [makePodWith("agent", { serviceAccountName: "robot" }), makeServiceAccount("robot", weight("1"))],
        expect: {
          refused: /serviceaccount "robot" not found: serviceaccount\/robot comes later/,
          never: ["pod/agent created", "configmap/fine created", "serviceaccount/robot created"],
          records: [],
        },
      },
    ],
  },
  {
    name: "a pod comes with its priority class, and is refused without",
    acts: [
      {
        do: "deploy",
        manifests: [makeConfigMap("fine"), makePodWith("urgent", { priorityClassName: "$NS-high" })],
        expect: { refused: /pod\/urgent: .*no PriorityClass with name/, never: ["configmap/fine created"], records: [] },
      },
      {
        do: "deploy",
        manifests: [
          makePodWith("urgent", { priorityClassName: "$NS-high" }),
          makeObject("scheduling.k8s.io/v1", "PriorityClass", "$NS-high", {}, { value: 1000 }),
        ],
        expect: { order: ["priorityclass/$NS-high created < pod/urgent created"] },
      },
    ],
  },
  {
    name: "a definition gains a field, and an object uses it in the same deploy and after a rollback",
    acts: [
      { do: "deploy", manifests: [makeValveCrd(size), makeValve({ size: 1 })] },
      {
        do: "deploy",
        manifests: [makeValve({ size: 1, colour: "red" }), makeValveCrd(sizeAndColour)],
        expect: {
          order: [`customresourcedefinition/valves.${group} changed < valve/v changed`],
          more: hasField("colour", "red"),
        },
      },
      { do: "deploy", manifests: [makeValveCrd(size)], expect: { absent: ["valve/v"] } },
      { do: "rollback", to: 2, expect: { more: hasField("colour", "red") } },
      {
        do: "deploy",
        manifests: [makeConfigMap("fine"), makeValve({ size: 1, shape: "round" }), makeValveCrd(sizeAndColour)],
        expect: { refused: /valve\/v: .*\.spec\.shape: field not declared in schema/, never: ["configmap/fine created"] },
      },
      {
        do: "deploy",
        manifests: [
          makeConfigMap("fine"),
          makeValve({ size: 1, shape: "round" }),
          makeValveCrd({ ...sizeAndColour, shape: { type: "string" } }, weight("1")),
        ],
        expect: { refused: /field not declared in schema: customresourcedefinition\/\S+ comes later/, never: ["configmap/fine created"] },
      },
    ],
  },
  {
    name: "a definition gains a value of an enum, and an object uses it in the same deploy",
    acts: [
      { do: "deploy", manifests: [makeValveCrd(mode("open")), makeValve({ mode: "open" })] },
      {
        do: "deploy",
        manifests: [makeValve({ mode: "shut" }), makeValveCrd(mode("open", "shut"))],
        expect: { order: [`customresourcedefinition/valves.${group} changed < valve/v changed`], more: hasField("mode", "shut") },
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("fine"), makeValve({ mode: "ajar" }), makeValveCrd(mode("open", "shut"))],
        expect: { refused: /valve\/v: .*spec\.mode: Unsupported value: "ajar"/, never: ["configmap/fine created"] },
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("fine"), makeValve({ mode: "ajar" }), makeValveCrd(mode("open", "shut", "leaky"))],
        expect: {
          status: "failed",
          because: /^valve\/v: .*spec\.mode: Unsupported value: "ajar"/,
          order: [`customresourcedefinition/valves.${group} changed`],
          withinMs: 30_000,
        },
      },
    ],
  },
  {
    name: "a quota is raised, and what needs it comes in the same deploy",
    acts: [
      { do: "deploy", manifests: [makeQuota(1), makePodWith("first", {}, weight("1"))] },
      {
        do: "deploy",
        manifests: [makePodWith("second", {}), makePodWith("first", {}, weight("1")), makeQuota(2)],
        expect: { order: ["resourcequota/quota changed < pod/second created"] },
      },
      {
        do: "deploy",
        manifests: [
          makeConfigMap("fine"),
          makePodWith("second", {}),
          makePodWith("third", {}),
          makePodWith("first", {}, weight("1")),
          makeQuota(2),
        ],
        expect: { refused: /pod\/third: .*exceeded quota: quota/, never: ["configmap/fine created"] },
      },
    ],
  },
  {
    name: "what leaves the release before the main resources makes room in a quota",
    acts: [
      { do: "deploy", manifests: [makePodWith("old", {}, { "sluice.dev/remove": "before" })] },
      { do: "others", work: ({ apply, pause }) => apply(makeQuota(1)).then(() => pause(2000)) },
      {
        do: "deploy",
        manifests: [makePodWith("new", {})],
        expect: { order: ["pod/old gone < pod/new created"] },
      },
    ],
  },
  {
    name: "a namespace comes with its content, also while an older one of the name is going",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeNamespace("$NS-two"),
          makePodWith("agent", { serviceAccountName: "robot" }, {}, inTwo.metadata),
          makeServiceAccount("robot", {}, inTwo),
        ],
        expect: { order: ["namespace/$NS-two created < serviceaccount/robot in $NS-two created < pod/agent in $NS-two created"] },
      },
      {
        do: "others",
        work: async ({ cluster, namespace }) => {
          await cluster.create({
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: "held", namespace: `${namespace}-two`, ...hold.metadata },
          });
          await cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: `${namespace}-two` });
        },
      },
      {
        do: "deploy",
        manifests: [
          makeNamespace("$NS-two"),
          makePodWith("agent", { serviceAccountName: "robot" }, {}, inTwo.metadata),
          makeServiceAccount("robot", {}, inTwo),
        ],
        meanwhile: [
          {
            onProgress: /^waiting apply namespace\/.*: the old one is to go first/,
            work: ({ cluster, namespace }) => cluster.patch(held(namespace), letGo),
          },
        ],
        expect: { order: ["namespace/$NS-two gone < namespace/$NS-two created < pod/agent in $NS-two created"] },
      },
    ],
  },
  {
    name: "a webhook that fails is changed or deleted before what it refuses",
    acts: [
      { do: "deploy", manifests: [makeConfigMap("map", {}, { a: "1" }), makeWebhook("Fail")], expect: { more: webhooksAre(1) } },
      // A webhook is in force a moment after it is configured.
      { do: "others", work: ({ pause }) => pause(2000) },
      {
        do: "deploy",
        manifests: [makeConfigMap("map", {}, { a: "2" }), makeWebhook("Ignore", weight("-1"))],
        expect: { order: ["validatingwebhookconfiguration/$NS-check changed < configmap/map changed"] },
      },
      {
        do: "deploy",
        manifests: [makeConfigMap("map", {}, { a: "2" }), makeWebhook("Fail", { ...weight("1"), "sluice.dev/remove": "before" })],
      },
      { do: "others", work: ({ pause }) => pause(2000) },
      {
        do: "deploy",
        manifests: [makeConfigMap("map", {}, { a: "3" })],
        expect: { order: ["validatingwebhookconfiguration/$NS-check gone < configmap/map changed"], more: webhooksAre(0) },
      },
    ],
  },
];

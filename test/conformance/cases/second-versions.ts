import type { Json } from "../../../src/core/object/index.ts";
import {
  applyRequest,
  httpDelete,
  httpGet,
  httpPost,
  httpPut,
  jsonPatch,
  mergePatch,
  namespacedPath,
  strategicPatch,
  type ConformanceCase,
} from "../conformance-case.ts";

const plural = "horizontalpodautoscalers";
const firstPath = namespacedPath("autoscaling/v1", plural);
const secondPath = namespacedPath("autoscaling/v2", plural);
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "none" };
const oneCpu = { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 55 };
const first = (name: string, spec: Json = oneCpu, metadata: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "autoscaling/v1",
  kind: "HorizontalPodAutoscaler",
  metadata: { name, ...metadata },
  spec,
});
const second = (name: string, more: { readonly [field: string]: Json }, metadata: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name, ...metadata },
  spec: { scaleTargetRef, maxReplicas: 3, ...more },
});
const described = ["metadata.annotations", "spec"];
const owned = [...described, "metadata.managedFields"];
const metrics: Json = [
  { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "100Mi" } } },
  { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 40 } } },
  {
    type: "Pods",
    pods: {
      metric: { name: "a<b", selector: { matchLabels: { z: "1", a: "2" } } },
      target: { type: "AverageValue", averageValue: "1500m" },
    },
  },
  {
    type: "Object",
    object: {
      describedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "main" },
      metric: { name: "requests" },
      target: { type: "Value", value: "10k" },
    },
  },
  {
    type: "External",
    external: {
      metric: { name: "queue", selector: { matchExpressions: [{ key: "q", operator: "In", values: ["x"] }] } },
      target: { type: "AverageValue", averageValue: "30" },
    },
  },
  {
    type: "ContainerResource",
    containerResource: { name: "cpu", container: "app", target: { type: "Utilization", averageUtilization: 60 } },
  },
];
const behavior: Json = {
  scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: "Pods", value: 1, periodSeconds: 30 }], selectPolicy: "Min" },
  scaleUp: { selectPolicy: "Disabled" },
};
const annotated = (name: string, text: string) => ({ annotations: { [`autoscaling.alpha.kubernetes.io/${name}`]: text, own: "kept" } });
const at = "2020-01-01T00:00:00Z";

const corePath = namespacedPath("v1", "events");
const eventsPath = namespacedPath("events.k8s.io/v1", "events");
const event = (name: string, more: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name },
  eventTime: "2020-01-01T00:00:00.000001Z",
  reportingController: "example.com/controller",
  reportingInstance: "one",
  action: "Acting",
  reason: "Done",
  regarding: { apiVersion: "v1", kind: "Pod", namespace: "{ns}", name: "web" },
  note: "it is done",
  type: "Normal",
  ...more,
});
const coreEvent = (name: string, more: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name },
  involvedObject: { apiVersion: "v1", kind: "Pod", namespace: "{ns}", name: "web" },
  reason: "Old",
  message: "it is old",
  source: { component: "kubelet", host: "n1" },
  firstTimestamp: at,
  lastTimestamp: at,
  count: 3,
  type: "Warning",
  ...more,
});
const table = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
const partial = { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" };

const autoscalerCases: readonly ConformanceCase[] = [
  {
    id: "second-versions/autoscaler-create",
    title: "an HPA of autoscaling/v1 is one of v2 with a CPU metric",
    steps: [
      httpPost(firstPath, first("a")),
      httpGet(`${secondPath}/a`),
      httpPost(firstPath, first("defaulted", { scaleTargetRef, maxReplicas: 2 }), { show: described }),
      httpGet(`${secondPath}/defaulted`, { show: described }),
      httpPost(firstPath, first("wrong", { scaleTargetRef, minReplicas: 5, maxReplicas: 2, targetCPUUtilizationPercentage: 0 }), {
        expect: 422,
      }),
      httpPost(firstPath, { ...first("strict"), metrics: [] }, { show: [] }),
      httpPost(`${firstPath}?fieldValidation=Strict`, first("strict2", { ...oneCpu, metrics: [] }), { expect: 400 }),
    ],
  },
  {
    id: "second-versions/autoscaler-annotations",
    title: "metrics, behaviour and conditions of v2 are annotations in v1, and come back",
    steps: [
      httpPost(secondPath, second("all", { metrics, behavior }, { annotations: { own: "kept" } }), { show: described }),
      httpGet(`${firstPath}/all`, { show: described }),
      mergePatch(`${firstPath}/all`, { spec: { targetCPUUtilizationPercentage: 70 } }, { show: described }),
      httpGet(`${secondPath}/all`, { show: described }),
      httpPost(secondPath, second("quiet", {}, annotated("metrics", "[]")), { show: described }),
      httpPost(
        firstPath,
        first("told", oneCpu, annotated("metrics", '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":10}}]')),
        { show: described },
      ),
      httpGet(`${secondPath}/told`, { show: described }),
      httpPost(firstPath, first("broken", { scaleTargetRef, maxReplicas: 2 }, annotated("metrics", "{")), { show: described }),
      httpPost(firstPath, first("down", oneCpu, annotated("behavior", '{"scaleDown":{"selectPolicy":"Disabled"}}')), { expect: 422 }),
      httpPost(
        firstPath,
        first(
          "up",
          oneCpu,
          annotated("behavior", '{"scaleUp":{"selectPolicy":"Max","policies":[{"type":"Pods","value":2,"periodSeconds":9}]}}'),
        ),
        { show: described },
      ),
      httpGet(`${secondPath}/up`, { show: described }),
    ],
  },
  {
    id: "second-versions/autoscaler-status",
    title: "the status of an HPA in both versions",
    steps: [
      httpPost(secondPath, second("s", {}), { show: [] }),
      mergePatch(
        `${secondPath}/s/status`,
        {
          status: {
            currentReplicas: 2,
            desiredReplicas: 3,
            lastScaleTime: at,
            currentMetrics: [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 12, averageValue: "120m" } } }],
            conditions: [{ type: "ScalingLimited", status: "True", lastTransitionTime: at, reason: "Because", message: "of <it>" }],
          },
        },
        { show: ["status.currentMetrics"] },
      ),
      httpGet(`${firstPath}/s/status`, { show: ["status.currentCPUUtilizationPercentage", "status.lastScaleTime"] }),
      mergePatch(`${firstPath}/s/status`, { status: { currentCPUUtilizationPercentage: 33 } }, { show: ["spec"] }),
    ],
  },
  {
    id: "second-versions/autoscaler-managers",
    title: "managers of an HPA own fields of the version that they wrote",
    steps: [
      applyRequest(`${firstPath}/m`, first("m"), { manager: "one", show: owned }),
      applyRequest(`${secondPath}/m`, second("m", { minReplicas: 2, behavior }), { manager: "two", show: owned }),
      httpGet(`${firstPath}/m`, { show: owned }),
      applyRequest(`${secondPath}/m`, second("m", { maxReplicas: 9 }), { manager: "two", expect: 409 }),
      applyRequest(`${firstPath}/m`, first("m", { scaleTargetRef, maxReplicas: 3 }), { manager: "one", show: owned }),
      jsonPatch(`${firstPath}/m`, [{ op: "replace", path: "/spec/maxReplicas", value: 7 }], { show: owned }),
      strategicPatch(
        `${secondPath}/m`,
        { spec: { metrics: [{ type: "Resource", resource: { name: "memory", target: { type: "Utilization", averageUtilization: 5 } } }] } },
        { show: owned },
      ),
      httpGet(`${firstPath}/m`, { show: owned }),
      httpPut(`${firstPath}/m`, first("m"), { show: owned }),
    ],
  },
  {
    id: "second-versions/autoscaler-lists",
    title: "lists, tables, metadata and watches of HPAs in both versions",
    steps: [
      httpPost(secondPath, second("l", { metrics }), { show: [] }),
      httpGet(firstPath, { show: described }),
      httpGet(firstPath, { headers: table }),
      httpGet(`${firstPath}/l`, { headers: partial, show: ["metadata.annotations"] }),
      httpGet(`${firstPath}?includeObject=Object`, { headers: table }),
      { watch: `${firstPath}?watch=true&resourceVersion=0`, name: "old" },
      { events: "old", until: { type: "ADDED" }, show: ["apiVersion", "kind", ...described] },
      httpDelete(`${firstPath}/l`, undefined, { show: ["status", "details.name", "details.kind", "details.group"] }),
      httpGet(`${secondPath}/l`, { expect: 404 }),
    ],
  },
  {
    id: "second-versions/target",
    title: "what an autoscaler may scale: only ReplicationControllers need no group, and what is there may stay",
    steps: [
      httpPost(secondPath, second("rc", { scaleTargetRef: { apiVersion: "v1", kind: "ReplicationController", name: "none" } }), {
        show: ["spec.scaleTargetRef"],
      }),
      httpPost(secondPath, second("none", { scaleTargetRef: { kind: "ReplicationController", name: "none" } }), {
        show: ["spec.scaleTargetRef"],
      }),
      httpPost(secondPath, second("core", { scaleTargetRef: { apiVersion: "v1", kind: "Deployment", name: "none" } }), { expect: 422 }),
      httpPost(secondPath, second("odd", { scaleTargetRef: { apiVersion: "a/b/c", kind: "ReplicationController", name: "none" } }), {
        expect: 422,
      }),
      mergePatch(`${secondPath}/rc`, { spec: { maxReplicas: 5, scaleTargetRef: { name: "other" } } }, { show: ["spec"] }),
      mergePatch(`${secondPath}/rc`, { spec: { scaleTargetRef: { kind: "Deployment" } } }, { expect: 422 }),
    ],
  },
];

const eventCases: readonly ConformanceCase[] = [
  {
    id: "second-versions/event-create",
    title: "an Event of events.k8s.io/v1 is one of v1",
    steps: [
      httpPost(eventsPath, event("new")),
      httpGet(`${corePath}/new`),
      httpPost(corePath, coreEvent("old")),
      httpGet(`${eventsPath}/old`),
      httpPost(eventsPath, event("new"), { expect: 409 }),
      httpGet(`${eventsPath}/absent`, { expect: 404 }),
    ],
  },
  {
    id: "second-versions/event-validation",
    title: "events.k8s.io/v1 validates more than v1",
    steps: [
      httpPost(eventsPath, event("a", { eventTime: null, type: "Other", deprecatedCount: 1 }), { expect: 422 }),
      httpPost(eventsPath, event("b", { series: { count: 1 }, deprecatedSource: { host: "h" } }), { expect: 422 }),
      httpPost(eventsPath, event("c", { reportingController: "", reportingInstance: "", action: "", reason: "" }), { expect: 422 }),
      httpPost(eventsPath, event("d", { regarding: {}, deprecatedFirstTimestamp: at, deprecatedLastTimestamp: at }), { expect: 422 }),
      httpPost(eventsPath, event("E", { note: "x".repeat(1025) }), { expect: 422 }),
      httpPost(corePath, coreEvent("f", { eventTime: "2020-01-01T00:00:00.000000Z" }), { expect: 422 }),
      httpPost(eventsPath, event("kept"), { show: [] }),
      mergePatch(`${eventsPath}/kept`, { note: "changed", reason: "Other", regarding: { name: "other" } }, { expect: 422 }),
      mergePatch(`${eventsPath}/kept`, { series: { count: 2, lastObservedTime: "2020-01-01T00:00:01.000000Z" } }, { show: ["series"] }),
      mergePatch(`${corePath}/kept`, { message: "changed" }, { show: ["message", "series"] }),
      mergePatch(`${corePath}/kept`, { reportingComponent: "" }, { expect: 422 }),
    ],
  },
  {
    id: "second-versions/event-selectors",
    title: "Events are selected by the fields of the version that is asked for",
    steps: [
      httpPost(eventsPath, event("new"), { show: [] }),
      httpPost(corePath, coreEvent("old"), { show: [] }),
      httpGet(`${eventsPath}?fieldSelector=regarding.name=web,reason=Done`, { show: ["metadata.name"] }),
      httpGet(`${corePath}?fieldSelector=involvedObject.kind=Pod,type=Warning`, { show: ["metadata.name"] }),
      httpGet(`${eventsPath}?fieldSelector=reportingController=example.com/controller`, { show: ["metadata.name"] }),
      httpGet(`${corePath}?fieldSelector=source=example.com/controller`, { show: ["metadata.name"] }),
      httpGet(`${eventsPath}?fieldSelector=involvedObject.kind=Pod`, { expect: 400 }),
      httpGet(`${corePath}?fieldSelector=regarding.kind=Pod`, { expect: 400 }),
      httpGet(eventsPath, { headers: table }),
      httpGet(`${eventsPath}/old`, { headers: partial, show: ["metadata.name"] }),
    ],
  },
  {
    id: "second-versions/event-managers",
    title: "managers of an Event own fields of the version that they wrote",
    steps: [
      httpPost(`${eventsPath}?fieldManager=one`, event("e"), { show: ["metadata.managedFields"] }),
      mergePatch(`${corePath}/e?fieldManager=two`, { count: 4, message: "counted" }, { show: ["metadata.managedFields", "count"] }),
      httpGet(`${eventsPath}/e`, { show: ["metadata.managedFields", "note", "deprecatedCount"] }),
      applyRequest(`${eventsPath}/made`, event("made"), { manager: "three", show: ["metadata.managedFields", "note"] }),
      httpPut(`${eventsPath}/put?fieldManager=four`, event("put"), { show: ["metadata.managedFields", "note"] }),
      httpDelete(`${eventsPath}/e`, undefined, { show: ["status", "details.name", "details.kind", "details.group"] }),
    ],
  },
  {
    id: "second-versions/event-watch",
    title: "a watch of either version sees the Events of both",
    steps: [
      { watch: `${eventsPath}?watch=true`, name: "new" },
      { watch: `${corePath}?watch=true`, name: "core" },
      httpPost(corePath, coreEvent("old"), { show: [] }),
      httpPost(eventsPath, event("new"), { show: [] }),
      { events: "new", until: { count: 2 }, show: ["apiVersion", "metadata.name", "note", "message"] },
      { events: "core", until: { count: 2 }, show: ["apiVersion", "metadata.name", "note", "message"] },
      { call: `DELETE ${eventsPath}`, show: ["apiVersion", "kind", "items.metadata.name"] },
    ],
  },
  {
    id: "second-versions/discovery",
    title: "both versions are in discovery",
    steps: [
      httpGet("/apis/autoscaling"),
      httpGet("/apis/autoscaling/v1"),
      httpGet("/apis/autoscaling/v2"),
      httpGet("/apis/events.k8s.io"),
      httpGet("/apis/events.k8s.io/v1"),
    ],
  },
];

/** Kinds that are served in two versions with different fields. */
export const secondVersionCases: readonly ConformanceCase[] = [...autoscalerCases, ...eventCases];

import type { Json } from "../../../src/core/object/index.ts";
import { httpGet, httpPost, namespacedPath, type ConformanceCase } from "../conformance-case.ts";

const autoscalersPath = namespacedPath("autoscaling/v2", "horizontalpodautoscalers");
const deploymentsPath = namespacedPath("apps/v1", "deployments");
/** A deployment whose pods nobody schedules. */
const deployment = (name: string, replicas: number) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { schedulerName: "nobody", containers: [{ name: "a", image: "example.com/a", resources: { requests: { cpu: "1m" } } }] },
    },
  },
});
const autoscaler = (name: string, more: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name },
  spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name }, maxReplicas: 3, ...more },
});
const average = { type: "AverageValue", averageValue: "5Mi" };
const metrics: { readonly [name: string]: Json } = {
  memory: { type: "Resource", resource: { name: "memory", target: average } },
  pods: { type: "Pods", pods: { metric: { name: "p" }, target: average } },
  object: {
    type: "Object",
    object: {
      describedObject: { apiVersion: "v1", kind: "Service", name: "s" },
      metric: { name: "o" },
      target: { type: "Value", value: "1" },
    },
  },
  external: { type: "External", external: { metric: { name: "e" }, target: { type: "Value", value: "1" } } },
  "external-average": { type: "External", external: { metric: { name: "e" }, target: average } },
  container: {
    type: "ContainerResource",
    containerResource: { name: "cpu", container: "a", target: { type: "Utilization", averageUtilization: 5 } },
  },
};
const wait = (name: string, condition: string, status: string) => ({
  waitFor: `${autoscalersPath}/${name}`,
  until: { [`condition:${condition}`]: status },
  show: ["status"],
});

/** What an autoscaler says where nobody measures anything. */
export const autoscalerCases: readonly ConformanceCase[] = [
  {
    id: "autoscaler/metrics",
    title: "without the APIs of metrics an autoscaler says which one is missing",
    steps: [
      httpPost(deploymentsPath, deployment("cpu", 1), { show: [] }),
      httpPost(autoscalersPath, autoscaler("cpu"), { show: [] }),
      wait("cpu", "ScalingActive", "False"),
      ...Object.entries(metrics).flatMap(([name, metric]) => [
        httpPost(deploymentsPath, deployment(name, 1), { show: [] }),
        httpPost(autoscalersPath, autoscaler(name, { metrics: [metric, metrics["memory"]!] }), { show: [] }),
        wait(name, "ScalingActive", "False"),
      ]),
    ],
  },
  {
    id: "autoscaler/limits",
    title: "an autoscaler keeps the replicas within its limits",
    steps: [
      httpPost(deploymentsPath, deployment("above", 5), { show: [] }),
      httpPost(deploymentsPath, deployment("below", 1), { show: [] }),
      httpPost(deploymentsPath, deployment("off", 0), { show: [] }),
      httpPost(autoscalersPath, autoscaler("above"), { show: [] }),
      httpPost(autoscalersPath, autoscaler("below", { minReplicas: 2 }), { show: [] }),
      httpPost(autoscalersPath, autoscaler("off"), { show: [] }),
      { waitFor: `${deploymentsPath}/above`, until: { "spec.replicas": 3 }, show: ["spec.replicas"] },
      { waitFor: `${deploymentsPath}/below`, until: { "spec.replicas": 2 }, show: ["spec.replicas"] },
      {
        waitFor: `${autoscalersPath}/above`,
        until: { "status.desiredReplicas": 3 },
        show: ["status.desiredReplicas", "status.lastScaleTime"],
      },
      wait("off", "ScalingActive", "False"),
      httpGet(`${deploymentsPath}/off`, { show: ["spec.replicas"] }),
    ],
  },
  {
    id: "autoscaler/target",
    title: "an autoscaler says that its target is absent or unknown",
    steps: [
      httpPost(autoscalersPath, autoscaler("absent"), { show: [] }),
      wait("absent", "AbleToScale", "False"),
      httpPost(autoscalersPath, autoscaler("rc", { scaleTargetRef: { apiVersion: "v1", kind: "ReplicationController", name: "rc" } }), {
        show: [],
      }),
      wait("rc", "AbleToScale", "False"),
      httpPost(autoscalersPath, autoscaler("odd", { scaleTargetRef: { apiVersion: "example.com/v1", kind: "Odd", name: "odd" } }), {
        show: [],
      }),
      wait("odd", "AbleToScale", "False"),
    ],
  },
];

import type { Json } from "../../../src/core/object/index.ts";
import { httpGet, namespacedPath, mergePatch, httpPost, httpDelete, type ConformanceCase } from "../conformance-case.ts";

const jobs = namespacedPath("batch/v1", "jobs");
const one = `${jobs}/a`;
const podsOfJob = `${namespacedPath("v1", "pods")}?labelSelector=batch.kubernetes.io%2Fjob-name%3Da`;

const job = (image: string, spec: { readonly [field: string]: Json } = {}, restartPolicy = "Never") => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "a" },
  spec: { template: { spec: { restartPolicy, containers: [{ name: "c", image: `example.com/${image}` }] } }, ...spec },
});
const outcome = [
  "status.succeeded",
  "status.failed",
  "status.active",
  "status.conditions",
  "status.completedIndexes",
  "status.failedIndexes",
  "status.ready",
  "status.terminating",
  "status.uncountedTerminatedPods",
];

/** Jobs that succeed, fail, exceed their deadline and are deleted after their TTL. */
export const jobCases: readonly ConformanceCase[] = [
  {
    id: "job/success",
    title: "a Job whose pod ends well is complete",
    steps: [
      httpPost(jobs, job("done:1"), { show: ["spec.selector", "spec.template.metadata.labels", "metadata.labels"] }),
      { waitFor: one, until: { "condition:Complete": "True" }, show: outcome },
      {
        waitForAll: podsOfJob,
        count: 1,
        until: { "status.phase": "Succeeded", "metadata.finalizers": null },
        show: [
          "metadata.generateName",
          "metadata.labels",
          "metadata.ownerReferences",
          "status.phase",
          "status.containerStatuses.0.state.terminated.exitCode",
          "status.containerStatuses.0.state.terminated.reason",
        ],
      },
    ],
  },
  {
    id: "job/failure",
    title: "a Job fails when its pods have failed often enough",
    steps: [
      httpPost(jobs, job("fail:1", { backoffLimit: 0 }), { show: [] }),
      { waitFor: one, until: { "condition:Failed": "True" }, show: outcome },
      {
        waitForAll: podsOfJob,
        count: 1,
        until: { "status.phase": "Failed" },
        show: [
          "status.phase",
          "status.containerStatuses.0.state.terminated.exitCode",
          "status.containerStatuses.0.state.terminated.reason",
        ],
      },
    ],
  },
  {
    id: "job/backoff",
    title: "a Job tries again after a while",
    steps: [
      httpPost(jobs, job("fail:1", { backoffLimit: 1 }), { show: [] }),
      { waitFor: one, until: { "condition:Failed": "True" }, show: outcome },
      { waitForAll: podsOfJob, count: 2, until: { "status.phase": "Failed" }, show: ["status.phase"] },
    ],
  },
  {
    id: "job/parallel",
    title: "a Job with several completions",
    steps: [
      httpPost(jobs, job("done:1", { completions: 3, parallelism: 2 }), { show: [] }),
      { waitFor: one, until: { "condition:Complete": "True" }, show: outcome },
      { waitForAll: podsOfJob, count: 3, until: { "status.phase": "Succeeded" }, show: ["status.phase"] },
    ],
  },
  {
    id: "job/indexed",
    title: "an indexed Job numbers its pods",
    steps: [
      httpPost(jobs, job("done:1", { completions: 2, parallelism: 2, completionMode: "Indexed" }), { show: [] }),
      { waitFor: one, until: { "condition:Complete": "True" }, show: outcome },
      {
        waitForAll: podsOfJob,
        count: 2,
        until: { "status.phase": "Succeeded" },
        show: ["metadata.generateName", "metadata.annotations", "metadata.labels", "spec.hostname", "spec.containers.0.env"],
      },
    ],
  },
  {
    id: "job/deadline",
    title: "a Job that takes too long is ended",
    steps: [
      httpPost(jobs, job("good:1", { activeDeadlineSeconds: 2 }), { show: [] }),
      { waitFor: one, until: { "condition:Failed": "True" }, show: ["status.conditions"] },
    ],
  },
  {
    id: "job/suspended",
    title: "a suspended Job starts when it is let go",
    steps: [
      httpPost(jobs, job("done:1", { suspend: true }), { show: [] }),
      { waitFor: one, until: { "condition:Suspended": "True" }, show: ["status"] },
      mergePatch(one, { spec: { suspend: false } }, { show: [] }),
      { waitFor: one, until: { "condition:Complete": "True" }, show: outcome },
    ],
  },
  {
    id: "job/ttl",
    title: "a finished Job goes after its time, with its pods",
    steps: [
      httpPost(jobs, job("done:1", { ttlSecondsAfterFinished: 2 }), { show: [] }),
      { waitFor: one, until: { "condition:Complete": "True" }, show: outcome },
      { waitFor: one, until: "gone" },
      { waitForAll: podsOfJob, count: 0 },
    ],
  },
  {
    id: "job/restart",
    title: "with OnFailure the container is started again in the same pod",
    steps: [
      httpPost(jobs, job("fail-once:1", {}, "OnFailure"), { show: [] }),
      { waitFor: one, until: { "condition:Complete": "True" }, show: outcome },
      {
        waitForAll: podsOfJob,
        count: 1,
        until: { "status.phase": "Succeeded" },
        show: [
          "status.containerStatuses.0.restartCount",
          "status.containerStatuses.0.lastState.terminated.exitCode",
          "status.containerStatuses.0.state.terminated.exitCode",
        ],
      },
    ],
  },
  {
    id: "job/immutable",
    title: "the template of a Job stays as it is",
    steps: [
      httpPost(jobs, job("done:1", { suspend: true }), { show: [] }),
      mergePatch(one, { spec: { template: { spec: { containers: [{ name: "c", image: "example.com/other:1" }] } } } }, { expect: 422 }),
      mergePatch(one, { spec: { completions: 5 } }, { expect: 422 }),
      mergePatch(one, { spec: { parallelism: 0 } }, { show: ["spec.parallelism", "metadata.generation"] }),
    ],
  },
  {
    id: "job/delete",
    title: "a Job that is deleted without a propagation policy orphans its pods",
    steps: [
      httpPost(jobs, job("done:1"), { show: [] }),
      { waitFor: one, until: { "condition:Complete": "True" }, show: [] },
      httpDelete(one, { propagationPolicy: "Background" }),
      httpGet(one, { expect: 404 }),
      { waitForAll: podsOfJob, count: 0 },
    ],
  },
];

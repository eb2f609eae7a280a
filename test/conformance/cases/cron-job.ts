import type { Json } from "../../../src/core/object/index.ts";
import { httpPost, mergePatch, namespacedPath, type ConformanceCase } from "../conformance-case.ts";

const cronJobsPath = namespacedPath("batch/v1", "cronjobs");
const jobsPath = namespacedPath("batch/v1", "jobs");
const template = { spec: { restartPolicy: "Never", schedulerName: "nobody", containers: [{ name: "a", image: "example.com/a" }] } };
const cronJob = (name: string, more: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name },
  spec: {
    schedule: "@every 1s",
    jobTemplate: { metadata: { labels: { made: "here" }, annotations: { a: "b" } }, spec: { template } },
    ...more,
  },
});

/** What the controller of CronJobs does within a minute. */
export const cronJobCases: readonly ConformanceCase[] = [
  {
    id: "cronjob/start",
    title: "a CronJob starts a Job from its template and notes it",
    steps: [
      httpPost(cronJobsPath, cronJob("often")),
      {
        waitForAll: `${jobsPath}?labelSelector=made%3Dhere`,
        count: 1,
        show: [
          "metadata.labels.made",
          "metadata.annotations.a",
          "metadata.ownerReferences",
          "spec.parallelism",
          "spec.template.spec.schedulerName",
        ],
      },
      { waitFor: `${cronJobsPath}/often`, until: { "metadata.name": "often" }, show: ["spec"] },
    ],
  },
  {
    id: "cronjob/suspend",
    title: "a suspended CronJob starts when it is resumed",
    steps: [
      httpPost(cronJobsPath, cronJob("held", { suspend: true, concurrencyPolicy: "Forbid", timeZone: "Europe/Berlin" })),
      mergePatch(`${cronJobsPath}/held`, { spec: { suspend: false } }, { show: ["spec.suspend", "metadata.generation"] }),
      { waitForAll: jobsPath, count: 1, show: ["metadata.labels.made", "spec.suspend"] },
    ],
  },
];

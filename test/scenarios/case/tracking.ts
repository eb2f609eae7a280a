/** werf's annotations about how an object is tracked: how long it is waited for, and how often it may fail. */
import {
  makeAwaitedConfigMap,
  brief,
  makeConfigMap,
  crashing,
  makeDeployment,
  flaky,
  makeJob,
  missing,
  neverReady,
  slow,
} from "../objects.ts";
import { markFinished } from "../third-party-client.ts";
import type { ReleaseScenario } from "../scenario.ts";

const weight = (value: string) => ({ "werf.io/weight": value });
const probed = { readinessProbe: { httpGet: { port: 80 }, periodSeconds: 1 } };

export const trackingScenarios: readonly ReleaseScenario[] = [
  {
    name: "a non-blocking object is not waited for, unless another one needs it ready",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("slow", { "werf.io/track-termination-mode": "NonBlocking" }, { image: neverReady }),
          makeConfigMap("next", weight("1")),
        ],
        expect: { order: ["deployment/slow created < configmap/next created"], never: ["deployment/slow ready"] },
      },
      {
        do: "deploy",
        release: "other",
        manifests: [
          makeJob("long", { "werf.io/track-termination-mode": "NonBlocking" }, { image: brief }),
          makeConfigMap("after", { "werf.io/deploy-dependency-long": "state=ready,kind=Job,name=long" }),
        ],
        expect: { order: ["job/long created < job/long ready < configmap/after created"] },
      },
    ],
  },
  {
    name: "fail modes: ignored failures hold up nothing, hoped-for ones wait for the others",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("ignored", { "werf.io/fail-mode": "IgnoreAndContinueDeployProcess" }, { image: missing }),
          makeConfigMap("next", weight("1")),
        ],
        expect: { order: ["deployment/ignored created < configmap/next created"] },
      },
      {
        do: "deploy",
        release: "other",
        manifests: [
          makeDeployment("hopeless", { "werf.io/fail-mode": "HopeUntilEndOfDeployProcess" }, { image: missing }),
          makeAwaitedConfigMap("other"),
          makeConfigMap("after", { "werf.io/deploy-dependency-other": "state=ready,kind=ConfigMap,name=other" }),
        ],
        meanwhile: [
          { onProgress: /^waiting await deployment\/hopeless: .*there is still hope while others go on/, work: markFinished("other") },
        ],
        expect: {
          status: "failed",
          because: /^deployment\/hopeless: .*(ErrImagePull|ImagePullBackOff)/,
          order: ["configmap/other changed < configmap/after created"],
        },
      },
    ],
  },
  {
    name: "so many failures are allowed for each replica and no more",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("strict", { "werf.io/failures-allowed-per-replica": "0" }, { image: crashing, spec: { minReadySeconds: 10 } }),
        ],
        expect: { status: "failed", because: /^deployment\/strict: .*pod strict-.*exit code 1.*1 failures, 0 allowed/, withinMs: 15_000 },
      },
      {
        do: "deploy",
        release: "other",
        manifests: [
          makeDeployment("patient", { "werf.io/failures-allowed-per-replica": "1" }, { image: flaky, spec: { minReadySeconds: 3 } }),
          makeConfigMap("next", weight("1")),
        ],
        expect: {
          order: ["deployment/patient ready < configmap/next created"],
          progressLines: [/^waiting await deployment\/patient: .*exit code 1/],
        },
      },
    ],
  },
  {
    name: "readiness probes may fail for as long as annotated, and no longer",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("patient", { "werf.io/ignore-readiness-probe-fails-for-main": "20s" }, { image: slow, container: probed }),
          makeConfigMap("next", weight("1")),
        ],
        expect: { order: ["deployment/patient ready < configmap/next created"] },
      },
      {
        do: "deploy",
        release: "other",
        manifests: [
          makeDeployment("strict", { "werf.io/ignore-readiness-probe-fails-for-main": "1s" }, { image: neverReady, container: probed }),
        ],
        expect: {
          status: "failed",
          because: /^deployment\/strict: .*container main: its readiness probe fails for longer than 1 s/,
          withinMs: 25_000,
        },
      },
    ],
  },
  {
    name: "werf.io/no-activity-timeout ends a wait in which nothing happens",
    acts: [
      {
        do: "deploy",
        manifests: [
          makeDeployment("still", { "werf.io/no-activity-timeout": "2s" }, { image: neverReady }),
          makeConfigMap("next", weight("1")),
        ],
        expect: { status: "failed", because: /^deployment\/still: /, never: ["configmap/next created"], withinMs: 15_000 },
      },
    ],
  },
];

import {
  booleanReader,
  durationReader,
  integerReader,
  nameListReader,
  natural,
  enumReader,
  regexReader,
  type AnnotationReader,
} from "./annotation-reader.ts";

/** werf's annotations for failure tracking and logs. */
export const trackingKeys: Readonly<Record<string, AnnotationReader>> = {
  "werf.io/track-termination-mode": enumReader({ WaitUntilResourceReady: true, NonBlocking: false }, (blocking) => ({
    tracking: { blocking },
  })),
  "werf.io/fail-mode": enumReader(
    {
      FailWholeDeployProcessImmediately: "fail",
      IgnoreAndContinueDeployProcess: "ignore",
      HopeUntilEndOfDeployProcess: "hope",
    } as const,
    (failMode) => ({ tracking: { failMode } }),
  ),
  "werf.io/failures-allowed-per-replica": integerReader(natural, (failuresAllowedPerReplica) => ({
    tracking: { failuresAllowedPerReplica },
  })),
  "werf.io/no-activity-timeout": durationReader("0 or more", (noActivityTimeoutMs) => ({ tracking: { noActivityTimeoutMs } })),
  "werf.io/log-regex": regexReader((text) => ({ keepLines: [{ pattern: text }] })),
  "werf.io/log-regex-skip": regexReader((text) => ({ dropLines: [{ pattern: text }] })),
  "werf.io/skip-logs": booleanReader((skip) => ({ logs: { skip } })),
  "werf.io/skip-logs-for-containers": nameListReader((skipContainers) => ({ logs: { skipContainers } })),
  "werf.io/show-logs-only-for-containers": nameListReader((onlyContainers) => ({ logs: { onlyContainers } })),
  "werf.io/show-logs-only-for-number-of-replicas": integerReader(natural, (replicas) => ({ logs: { replicas } })),
  "werf.io/show-service-messages": booleanReader((events) => ({ logs: { events } })),
};

export const trackingPatterns: readonly (readonly [RegExp, AnnotationReader])[] = [
  [
    /^werf\.io\/ignore-readiness-probe-fails-for-(.+)$/,
    durationReader("0 or more", (ms, { part: container }) => ({ probes: { [container]: ms } })),
  ],
  [/^werf\.io\/log-regex-for-(.+)$/, regexReader((text, { part: container }) => ({ keepLines: [{ container, pattern: text }] }))],
  [/^werf\.io\/log-regex-skip-for-(.+)$/, regexReader((text, { part: container }) => ({ dropLines: [{ container, pattern: text }] }))],
];

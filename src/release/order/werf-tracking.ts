import { boolean, duration, integer, names, natural, oneOf, pattern, type Reader } from "./reading.ts";

/** How werf is told what counts as trouble, and which logs to show. */
export const trackingKeys: Readonly<Record<string, Reader>> = {
  "werf.io/track-termination-mode": oneOf({ WaitUntilResourceReady: true, NonBlocking: false }, (blocking) => ({
    tracking: { blocking },
  })),
  "werf.io/fail-mode": oneOf(
    {
      FailWholeDeployProcessImmediately: "fail",
      IgnoreAndContinueDeployProcess: "ignore",
      HopeUntilEndOfDeployProcess: "hope",
    } as const,
    (failMode) => ({ tracking: { failMode } }),
  ),
  "werf.io/failures-allowed-per-replica": integer(natural, (failuresAllowedPerReplica) => ({ tracking: { failuresAllowedPerReplica } })),
  "werf.io/no-activity-timeout": duration("0 or more", (noActivityTimeoutMs) => ({ tracking: { noActivityTimeoutMs } })),
  "werf.io/log-regex": pattern((text) => ({ keepLines: [{ pattern: text }] })),
  "werf.io/log-regex-skip": pattern((text) => ({ dropLines: [{ pattern: text }] })),
  "werf.io/skip-logs": boolean((skip) => ({ logs: { skip } })),
  "werf.io/skip-logs-for-containers": names((skipContainers) => ({ logs: { skipContainers } })),
  "werf.io/show-logs-only-for-containers": names((onlyContainers) => ({ logs: { onlyContainers } })),
  "werf.io/show-logs-only-for-number-of-replicas": integer(natural, (replicas) => ({ logs: { replicas } })),
  "werf.io/show-service-messages": boolean((events) => ({ logs: { events } })),
};

export const trackingPatterns: readonly (readonly [RegExp, Reader])[] = [
  [
    /^werf\.io\/ignore-readiness-probe-fails-for-(.+)$/,
    duration("0 or more", (ms, { part: container }) => ({ probes: { [container]: ms } })),
  ],
  [/^werf\.io\/log-regex-for-(.+)$/, pattern((text, { part: container }) => ({ keepLines: [{ container, pattern: text }] }))],
  [/^werf\.io\/log-regex-skip-for-(.+)$/, pattern((text, { part: container }) => ({ dropLines: [{ container, pattern: text }] }))],
];

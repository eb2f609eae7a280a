import { parseJsonPath } from "../../core/object/index.ts";
import type { DeletePolicy } from "./claim.ts";
import { hookEvents, stagesOf, type Event } from "./helm.ts";
import { splitList } from "./pairs.ts";
import { anyInteger, boolean, integer, natural, oneOf, trimmed, wordsOf, type Dialect, type Reader } from "./reading.ts";
import { dependencyPatterns } from "./werf-dependency.ts";
import { trackingKeys, trackingPatterns } from "./werf-tracking.ts";

/** `uninstall` is how werf's documentation calls what its code calls `delete`. */
const deployEvents: Readonly<Record<string, Event>> = {
  ...hookEvents,
  install: ["install", "main"],
  upgrade: ["upgrade", "main"],
  rollback: ["rollback", "main"],
  delete: ["delete", "main"],
  uninstall: ["delete", "main"],
  "pre-uninstall": ["delete", "pre"],
  "post-uninstall": ["delete", "post"],
};

const deletePolicies: Readonly<Record<string, DeletePolicy>> = {
  "before-creation": "before-creation",
  "before-creation-if-immutable": "before-creation-if-immutable",
  succeeded: "succeeded",
  failed: "failed",
};

const keeps = {
  "skip-create": { create: true },
  "skip-update": { update: true },
  "skip-recreate": { recreate: true },
  "skip-delete": { delete: true },
  keep: { delete: true },
};

const sensitivePaths: Reader = (reading) => {
  const paths = splitList(reading.value).map((path) => path.trim());
  for (const path of paths) {
    if (path === "") return reading.refuse("JSONPaths, parted by commas, none of them empty, for example $.data.password");
    try {
      parseJsonPath(path);
    } catch (error) {
      return reading.refuse(
        `JSONPaths, parted by commas, and ${path} is none (${error instanceof Error ? error.message : String(error)}): for example $.data.password`,
      );
    }
  }
  return { sensitivePaths: paths };
};

const keys: Readonly<Record<string, Reader>> = {
  "werf.io/weight": integer(anyInteger, (value, { key }) => ({
    ranks: [{ key, value, gate: { until: "ready" } }],
    orderedBy: ["werf"],
  })),
  "werf.io/deploy-on": wordsOf(deployEvents, (events) => ({ deployOn: stagesOf(events) })),
  "werf.io/delete-policy": wordsOf(deletePolicies, (policies) => ({ deletePolicies: policies })),
  "werf.io/resource-policy": wordsOf(keeps, (kept) => ({ keep: Object.assign({}, ...kept) as { delete?: boolean } })),
  "werf.io/ownership": oneOf({ anyone: "anyone", release: "release" } as const, (ownership) => ({ ownership })),
  "werf.io/delete-propagation": oneOf({ Foreground: "foreground", Background: "background", Orphan: "orphan" } as const, (propagation) => ({
    propagation,
  })),
  "werf.io/replicas-on-creation": integer(natural, (replicasOnCreation) => ({ replicasOnCreation })),
  "werf.io/sensitive": boolean((sensitive) => ({ sensitive })),
  "werf.io/sensitive-paths": sensitivePaths,
  ...trackingKeys,
};

export const werf: Dialect = {
  name: "werf",
  owns: (key) => key.startsWith("werf.io/") || key.includes("dependency.werf.io"),
  keys: Object.fromEntries(Object.entries(keys).map(([key, read]) => [key, trimmed(read)])),
  patterns: [...dependencyPatterns, ...trackingPatterns].map(([key, read]) => [key, trimmed(read)] as const),
  silent: ["werf.io/version", "werf.io/release-channel"],
};

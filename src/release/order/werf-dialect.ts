import { parseJsonPath } from "../../core/object/index.ts";
import type { DeletePolicy } from "./ordering-constraints.ts";
import { hookEventStages, stagesByOperation, type OperationStage } from "./helm-dialect.ts";
import { splitList } from "./split-pairs.ts";
import {
  anyInteger,
  booleanReader,
  integerReader,
  natural,
  enumReader,
  trimmedReader,
  enumListReader,
  type Dialect,
  type AnnotationReader,
} from "./annotation-reader.ts";
import { dependencyPatterns } from "./werf-dependency-annotations.ts";
import { trackingKeys, trackingPatterns } from "./werf-tracking-annotations.ts";

/** werf's documentation says `uninstall` where its code says `delete`. */
const deployEvents: Readonly<Record<string, OperationStage>> = {
  ...hookEventStages,
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

const sensitivePaths: AnnotationReader = (annotation) => {
  const paths = splitList(annotation.value).map((path) => path.trim());
  for (const path of paths) {
    if (path === "") return annotation.refuse("JSONPaths, parted by commas, none of them empty, for example $.data.password");
    try {
      parseJsonPath(path);
    } catch (error) {
      return annotation.refuse(
        `JSONPaths, parted by commas, and ${path} is none (${error instanceof Error ? error.message : String(error)}): for example $.data.password`,
      );
    }
  }
  return { sensitivePaths: paths };
};

const keys: Readonly<Record<string, AnnotationReader>> = {
  "werf.io/weight": integerReader(anyInteger, (value, { key }) => ({
    ranks: [{ key, value, gate: { until: "ready" } }],
    orderedBy: ["werf"],
  })),
  "werf.io/deploy-on": enumListReader(deployEvents, (events) => ({ deployOn: stagesByOperation(events) })),
  "werf.io/delete-policy": enumListReader(deletePolicies, (policies) => ({ deletePolicies: policies })),
  "werf.io/resource-policy": enumListReader(keeps, (kept) => ({ keep: Object.assign({}, ...kept) as { delete?: boolean } })),
  "werf.io/ownership": enumReader({ anyone: "anyone", release: "release" } as const, (ownership) => ({ ownership })),
  "werf.io/delete-propagation": enumReader(
    { Foreground: "foreground", Background: "background", Orphan: "orphan" } as const,
    (propagation) => ({
      propagation,
    }),
  ),
  "werf.io/replicas-on-creation": integerReader(natural, (replicasOnCreation) => ({ replicasOnCreation })),
  "werf.io/sensitive": booleanReader((sensitive) => ({ sensitive })),
  "werf.io/sensitive-paths": sensitivePaths,
  ...trackingKeys,
};

export const werfDialect: Dialect = {
  name: "werf",
  owns: (key) => key.startsWith("werf.io/") || key.includes("dependency.werf.io"),
  keys: Object.fromEntries(Object.entries(keys).map(([key, read]) => [key, trimmedReader(read)])),
  patterns: [...dependencyPatterns, ...trackingPatterns].map(([key, read]) => [key, trimmedReader(read)] as const),
  silent: ["werf.io/version", "werf.io/release-channel"],
};

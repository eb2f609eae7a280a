import type { Fields } from "../../core/object/index.ts";

/** The identity of a release inside a cluster. */
export type Release = { readonly name: string; readonly namespace: string };

/** The state of a revision, in Helm's words. */
export type RevisionState =
  | "unknown"
  | "deployed"
  | "uninstalled"
  | "superseded"
  | "failed"
  | "uninstalling"
  | "pending-install"
  | "pending-upgrade"
  | "pending-rollback";

export const hookEvents = [
  "pre-install",
  "post-install",
  "pre-delete",
  "post-delete",
  "pre-upgrade",
  "post-upgrade",
  "pre-rollback",
  "post-rollback",
  "test",
] as const;
export type HookEvent = (typeof hookEvents)[number];

export const hookDeletePolicies = ["before-hook-creation", "hook-succeeded", "hook-failed"] as const;
export type HookDeletePolicy = (typeof hookDeletePolicies)[number];

export const hookOutputLogPolicies = ["hook-succeeded", "hook-failed"] as const;
export type HookOutputLogPolicy = (typeof hookOutputLogPolicies)[number];

export const hookPhases = ["", "Unknown", "Running", "Succeeded", "Failed"] as const;
/** The phase of a hook's last run; empty when it has not run. */
export type HookPhase = (typeof hookPhases)[number];

/** The last run of a hook in this revision. Times are RFC 3339. */
export type HookRun = {
  readonly phase: HookPhase;
  readonly startedAt?: string;
  readonly completedAt?: string;
  /**
   * The event it ran for. A hook of two events has only one last run, and a continued operation must know which event
   * it was. Helm ignores this field.
   */
  readonly event?: HookEvent;
};

export type Hook = {
  readonly name: string;
  readonly kind: string;
  /** Its source file. */
  readonly path: string;
  readonly manifest: string;
  readonly events: readonly HookEvent[];
  readonly weight: number;
  readonly deletePolicies: readonly HookDeletePolicy[];
  readonly outputLogPolicies: readonly HookOutputLogPolicy[];
  readonly lastRun: HookRun;
};

/** The kind of object that stores a record: Helm's two storage drivers. */
export type StorageKind = "Secret" | "ConfigMap";

/** The resourceVersion that a revision was read from, for optimistic concurrency. */
type StoredVersion = {
  readonly resourceVersion: string;
  /** The uid of the object that stores it: its recording is deleted with it. Absent in plans that older versions have saved. */
  readonly uid?: string;
  /** In seconds since 1970, as its labels say. */
  readonly createdAt?: string;
  readonly modifiedAt?: string;
  /** Who wrote it last. Helm holds no Lease, so its pending revisions may be at work although nobody holds one. */
  readonly writer: "sluice" | "helm";
};

/** One revision of a release, as its record stores it. Plain data that survives JSON. Times are RFC 3339. */
export type Revision = Release & {
  readonly revision: number;
  readonly state: RevisionState;
  /** The resources, each under its `# Source:` line, in one text. Without ownership metadata. */
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  /** The chart as Helm's JSON, unchanged: Helm reads more of it than Sluice does. */
  readonly chart: Fields;
  /** The user's values. */
  readonly config: Fields;
  readonly firstDeployed?: string;
  readonly lastDeployed?: string;
  readonly deleted?: string;
  readonly description: string;
  readonly notes: string;
  /** The user's labels, without the six that storage uses. */
  readonly labels: Readonly<Record<string, string>>;
  /** `ssa`: objects are applied server-side. Helm 3 leaves it out, which means `csa`. */
  readonly applyMethod?: "ssa" | "csa";
  /** Annotations of the object that stores the record, such as who manages the release. Helm leaves them out when it writes. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly storage: StorageKind;
  /** Absent on a revision that was never saved. */
  readonly stored?: StoredVersion;
};

export function isPending(state: RevisionState): state is "pending-install" | "pending-upgrade" | "pending-rollback" {
  return state.startsWith("pending-");
}

/** The revision with the highest number. */
export function latestOf(revisions: readonly Revision[]): Revision | undefined {
  return revisions.reduce<Revision | undefined>(
    (last, each) => (last === undefined || each.revision > last.revision ? each : last),
    undefined,
  );
}

/** The last deployed revision. Concurrent deploys may have left several. */
export function deployedOf(revisions: readonly Revision[]): Revision | undefined {
  return latestOf(revisions.filter(({ state }) => state === "deployed"));
}

/** `web in shop`, for messages. */
export function releaseText({ name, namespace }: Release): string {
  return `${name} in ${namespace}`;
}

/** Models helm pkg/chart/v2/util/validate_name.go: names that Helm refuses must not be recorded. */
const namePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const longestName = 53;

/** Why this is no valid release name; undefined when it is. */
export function objectionToName(name: string): string | undefined {
  if (name === "") return "a release needs a name";
  if (name.length > longestName) return `the release name ${name} has ${name.length} characters, and ${longestName} is the most`;
  if (namePattern.test(name)) return undefined;
  return `the release name ${JSON.stringify(name)} may have lower-case letters, digits, "-" and "." only, and begins and ends with a letter or digit`;
}

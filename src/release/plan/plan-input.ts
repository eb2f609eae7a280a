import type { Problem } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { Cure } from "../refusal/index.ts";
import type { Operation, Ordered } from "../order/index.ts";
import type { Plan } from "./plan.ts";

/** A desired manifest with its position (`web.yaml:12`). */
export type DesiredManifest = { readonly object: KubeObject; readonly at?: string };

/** The result of a server-side dry run. */
export type DryRunResult =
  | { readonly outcome: "created" | "updated" | "unchanged" }
  /** A field cannot be changed in place. */
  | ({ readonly outcome: "immutable" } & Refused)
  | { readonly outcome: "conflict"; readonly conflicts: readonly { readonly field: string; readonly manager: string }[] }
  | ({ readonly outcome: "refused" } & Refused);

/** What the API server says against an object, and the changes of other objects that may cure it. Default: none may. */
export type Refused = { readonly because: string; readonly cures?: readonly Cure[] };

/** What is known about a live object before anything changes. */
export type LiveFacts = {
  readonly exists: boolean;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The release that its annotations name as the owner, when that is gone. */
  readonly formerOwner?: { readonly name: string; readonly namespace: string };
  /** Its deletion has been requested; something still holds it. */
  readonly deleting?: boolean;
  /** What its deletion waits for, in words. */
  readonly deletion?: string;
  /** The object is ready. Unknown counts as false. */
  readonly ready?: boolean;
  /** Nobody has written its status since it was created, for long enough: it counts as ready. */
  readonly silent?: boolean;
  /** Undefined when no dry run was possible: the kind or namespace comes with the release. */
  readonly dryRun?: DryRunResult;
  /** Field managers that own fields by client-side apply, which are to be ours before the object is applied. Default none. */
  readonly clientSideManagers?: readonly string[];
  /** The keys (`keyOf`) of a CRD's custom resources. */
  readonly inhabitants?: readonly string[];
};

export type PlanOptions = {
  /**
   * `all`: waits until everything is ready; `hooks`: post hooks do not wait for the main resources, and the end waits
   * for hooks only; `none`: the end waits for nothing. Default `all`.
   */
  readonly wait?: "all" | "hooks" | "none";
  /** Takes over fields of other field managers, but not in objects of another release. Default false. */
  readonly force?: boolean;
  /** Adopts existing objects that belong to no release. Default false. */
  readonly takeOwnership?: boolean;
  /** Also deletes volume claims, and CRDs that still have custom resources. Default false. */
  readonly deleteData?: boolean;
};

export type PlanInput = {
  readonly operation: Operation;
  /** Without a release no records are written. */
  readonly release?: { readonly name: string; readonly namespace: string; readonly revision: number };
  /** Sorted as by `order`. For a deletion, its hooks. */
  readonly desired: readonly Ordered<DesiredManifest>[];
  /** The manifests of the previous revision, sorted the same way. */
  readonly previous?: readonly Ordered<DesiredManifest>[];
  /** By `keyOf`; what is missing does not exist. */
  readonly live?: ReadonlyMap<string, LiveFacts>;
  /** Hooks of this revision that have succeeded: `<stage>/<keyOf>`. */
  readonly hooksDone?: ReadonlySet<string>;
  /**
   * Deletes workloads in the background and waits for what their controllers made: the garbage collector needs several
   * times as long in the foreground. `continued`: a run before may have deleted workloads whose pods are still there.
   * Default: in the foreground, so that a workload itself stays as long as its pods.
   */
  readonly background?: { readonly continued: boolean };
  readonly options?: PlanOptions;
};

export type PlanResult = { readonly plan: Plan } | { readonly problems: readonly Problem[] };

import type { Problem } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { Operation, Ordered } from "../order/index.ts";
import type { Plan } from "./plan.ts";

/** A manifest to plan for, with where it stands (`web.yaml:12`). */
export type DesiredManifest = { readonly object: KubeObject; readonly at?: string };

/** What a dry run says of a manifest. */
export type DryRunResult =
  | { readonly outcome: "created" | "updated" | "unchanged" }
  /** A field cannot be changed in place. */
  | { readonly outcome: "immutable"; readonly because: string }
  | { readonly outcome: "conflict"; readonly conflicts: readonly { readonly field: string; readonly manager: string }[] }
  | { readonly outcome: "refused"; readonly because: string };

/** What is known of an object before anything is touched. */
export type LiveFacts = {
  readonly exists: boolean;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Its health is ready as it is. Unknown counts as no. */
  readonly ready?: boolean;
  /** Undefined where the cluster could not be asked: its kind or namespace comes with the release. */
  readonly dryRun?: DryRunResult;
  /** Of a CustomResourceDefinition: the keys (`keyOf`) of the objects of its kind that there are. */
  readonly inhabitants?: readonly string[];
};

export type PlanOptions = {
  /** `all`: until everything is ready; `hooks`: post hooks do not wait for the main resources, and nobody does at the end; `none`: nobody waits for hooks at the end either. Default `all`. */
  readonly wait?: "all" | "hooks" | "none";
  /** Takes fields over from other managers, but none of another release's objects. Default false. */
  readonly force?: boolean;
  /** Adopts objects that are there and of no release; never those of another. Default false. */
  readonly takeOwnership?: boolean;
  /** Claims, and definitions that still have objects, go too. Default false. */
  readonly deleteData?: boolean;
};

export type PlanInput = {
  readonly operation: Operation;
  /** Without one nothing is recorded. */
  readonly release?: { readonly name: string; readonly namespace: string; readonly revision: number };
  /** Sorted as `order` gives them. Of a deletion, its hooks. */
  readonly desired: readonly Ordered<DesiredManifest>[];
  /** What the last revision had, sorted the same way. */
  readonly previous?: readonly Ordered<DesiredManifest>[];
  /** By `keyOf`; what is not in it does not exist. */
  readonly live?: ReadonlyMap<string, LiveFacts>;
  /** Hooks of this revision that have run already: `<stage>/<keyOf>`. */
  readonly hooksDone?: ReadonlySet<string>;
  readonly options?: PlanOptions;
};

export type PlanResult = { readonly plan: Plan } | { readonly problems: readonly Problem[] };

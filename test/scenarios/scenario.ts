import type { Cluster } from "../../src/kube/index.ts";
import type { GroupVersionKind, KubeObject } from "../../src/core/object/index.ts";
import type { RunStatus } from "../../src/release/index.ts";
import type { DeployOptions, OperationPolicy } from "../../src/release/deploy/index.ts";

/** YAML text, or objects that are written as YAML. `$NS` is the scenario's namespace. */
export type Manifests = string | readonly KubeObject[];

/** The client of a third party, in the scenario's namespace. */
export type ThirdPartyClient = {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** Applies with another field manager; `$NS` is filled in. A status is applied too. */
  apply(...objects: readonly KubeObject[]): Promise<void>;
  pause(ms: number): Promise<void>;
};

/** What a third party does during an operation: after an observed change or a progress line, and a delay. Once per act. */
export type Meanwhile = {
  /** An observed change: `job/migrate created`. */
  readonly onChange?: string;
  /** A progress line: `waiting await secret/vault: …`. */
  readonly onProgress?: RegExp;
  readonly afterMs?: number;
  readonly work: (client: ThirdPartyClient) => Promise<unknown>;
};

/**
 * What must be true after an act. Observed changes are `<kind>/<name> <change>`, with `created`, `changed`, `ready`
 * (for a Job: complete), `failed`, `going` (deletion requested) and `gone`; `#2` is the second one in the act. An
 * object of another namespace is `secret/vault in $NS-other`.
 */
export type Expectation = {
  /** The result. Default: `deleted` for a deletion, otherwise `deployed`. */
  readonly status?: RunStatus;
  /** The reason in the result. */
  readonly because?: RegExp;
  /** It is refused with this message before anything changes. */
  readonly refused?: RegExp;
  /** `a created < b created, c created < d ready`: everything left of a sign was observed before everything right of it. */
  readonly order?: readonly string[];
  /** Changes that must not be observed, each with `*` or in full. */
  readonly never?: readonly string[];
  /** Progress lines: `failed await deployment/web: …`. */
  readonly progressLines?: readonly RegExp[];
  readonly unwantedLines?: readonly RegExp[];
  /** What containers write, all of it and in order, by object and container: `job/migrate main`. */
  readonly logs?: Readonly<Record<string, readonly string[]>>;
  readonly there?: readonly string[];
  readonly absent?: readonly string[];
  /** What the plan keeps although it left the release. */
  readonly kept?: readonly string[];
  /** The number and state of each revision of the act's release: `1 superseded`. */
  readonly records?: readonly string[];
  /** It took no longer than this, so it did not time out. */
  readonly withinMs?: number;
  readonly more?: (client: ThirdPartyClient) => Promise<void>;
};

type Common = {
  /** Default `app`. */
  readonly release?: string;
  /** The release's namespace. Default: that of the scenario. */
  readonly namespace?: string;
  readonly terms?: OperationPolicy;
  readonly options?: Partial<Omit<DeployOptions, "signal" | "identity">>;
  readonly meanwhile?: readonly Meanwhile[];
  readonly expect?: Expectation;
  /** Why a run after a kill may end otherwise. Default: it may not, and every kill is tried. */
  readonly differsAfterKill?: string;
};

export type Act =
  | (Common & { readonly do: "deploy"; readonly manifests: Manifests; readonly createNamespace?: boolean })
  | (Common & { readonly do: "rollback"; readonly to?: number })
  | (Common & { readonly do: "delete" })
  | (Common & { readonly do: "test" })
  | (Common & { readonly do: "apply"; readonly manifests: Manifests })
  /** No operation of Sluice: a third party prepares or breaks something. */
  | (Pick<Common, "expect" | "release" | "namespace"> & {
      readonly do: "others";
      readonly work: (client: ThirdPartyClient) => Promise<unknown>;
    });

export type ReleaseScenario = {
  /** The sentence that the scenario proves. */
  readonly name: string;
  readonly acts: readonly Act[];
  /** Further kinds to watch. */
  readonly also?: readonly GroupVersionKind[];
};

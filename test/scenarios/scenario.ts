import type { Cluster } from "../../src/kube/index.ts";
import type { GroupVersionKind, KubeObject } from "../../src/core/object/index.ts";
import type { RunStatus } from "../../src/release/index.ts";
import type { DeployOptions, OperationPolicy } from "../../src/release/deploy/index.ts";

/** YAML text, or objects that are written as YAML first. `$NS` in it is the scenario's namespace. */
export type Manifests = string | readonly KubeObject[];

/** What somebody else works with: a client of their own, whose namespace is the scenario's. */
export type ThirdPartyClient = {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** Applies as somebody else; `$NS` is filled in. An object with a status gets that too. */
  apply(...objects: readonly KubeObject[]): Promise<void>;
  pause(ms: number): Promise<void>;
};

/** What somebody else does while an operation is under way: when something was seen or told, and so much later. Once in an act. */
export type Meanwhile = {
  /** A sighting: `job/migrate created`. */
  readonly onChange?: string;
  /** A line of the story: `waiting await secret/vault: …`. */
  readonly onProgress?: RegExp;
  readonly afterMs?: number;
  readonly work: (client: ThirdPartyClient) => Promise<unknown>;
};

/**
 * What must be true after an act. Sightings are `<kind>/<name> <what>`, with `created`, `changed`, `ready` (of a Job:
 * complete), `failed`, `going` (its deletion was asked for) and `gone`; `#2` after one is the second time in the act. An object of another namespace
 * than the scenario's is `secret/vault in $NS-other`.
 */
export type Expectation = {
  /** How it ended. Default: `deleted` for a deletion, otherwise `deployed`. */
  readonly status?: RunStatus;
  /** What the end says. */
  readonly because?: RegExp;
  /** It is refused before anything is touched, in these words. */
  readonly refused?: RegExp;
  /** `a created < b created, c created < d ready`: everything left of a sign was seen before everything right of it. */
  readonly order?: readonly string[];
  /** Sightings that there were not, each a pattern of the form `job/*` or one in full. */
  readonly never?: readonly string[];
  /** Lines of the story: `failed await deployment/web: …`. */
  readonly progressLines?: readonly RegExp[];
  readonly unwantedLines?: readonly RegExp[];
  readonly there?: readonly string[];
  readonly absent?: readonly string[];
  /** What the plan says stays, although it left. */
  readonly kept?: readonly string[];
  /** Number and state of each revision of the act's release: `1 superseded`. */
  readonly records?: readonly string[];
  /** It took no longer than this, and so did not end by a time-out. */
  readonly withinMs?: number;
  readonly more?: (client: ThirdPartyClient) => Promise<void>;
};

type Common = {
  /** Default `app`. */
  readonly release?: string;
  /** Where the release lives. Default: in the scenario's namespace. */
  readonly namespace?: string;
  readonly terms?: OperationPolicy;
  readonly options?: Partial<Omit<DeployOptions, "signal" | "identity">>;
  readonly meanwhile?: readonly Meanwhile[];
  readonly expect?: Expectation;
};

export type Act =
  | (Common & { readonly do: "deploy"; readonly manifests: Manifests; readonly createNamespace?: boolean })
  | (Common & { readonly do: "rollback"; readonly to?: number })
  | (Common & { readonly do: "delete" })
  | (Common & { readonly do: "test" })
  | (Common & { readonly do: "apply"; readonly manifests: Manifests })
  /** Nothing of Sluice's: somebody else prepares or breaks something. */
  | (Pick<Common, "expect" | "release" | "namespace"> & {
      readonly do: "others";
      readonly work: (client: ThirdPartyClient) => Promise<unknown>;
    });

export type ReleaseScenario = {
  /** A sentence that the scenario proves. */
  readonly name: string;
  readonly acts: readonly Act[];
  /** Kinds to watch that no manifest is of. */
  readonly also?: readonly GroupVersionKind[];
};

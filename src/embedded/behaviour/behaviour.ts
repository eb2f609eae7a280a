import type { Duration } from "./duration.ts";

/** Which objects a rule matches. All given fields must match; patterns accept `*` and `?`. */
export type BehaviourMatch = {
  /** A container's image as the pod names it. */
  readonly image?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** The object's own kind or that of its controller; `Deployment` also for the pods of its ReplicaSets. */
  readonly kind?: string;
  /** The name of the object's controller, or its own name when it has none; the Deployment's also for the pods of its ReplicaSets. */
  readonly workload?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** A custom resource by the name of its CRD: `certificates.cert-manager.io`. */
  readonly crd?: string;
};

/** The delay until something happens, or the reason why it never does. */
export type Delay = { readonly after: Duration } | { readonly never: string };

export type ImagePull = {
  readonly after: Duration;
  /** The error of the registry that replaces the image. */
  readonly fail?: string;
  /** How many pulls fail before one succeeds. Default: all of them. */
  readonly times?: number;
  /** A node that has the image takes no time to pull it again. Default: false. */
  readonly cachedPerNode?: boolean;
  /** It tells how long a pull takes; whether the image can be pulled, its name says. Default: it can, without `fail`. */
  readonly timeOnly?: boolean;
};

/** How a container exits by itself. */
export type ContainerFailure = {
  readonly exitCode: number;
  /** After how long it ends. */
  readonly at: Duration;
  /** How many runs fail like this before one does not. Default: all of them. */
  readonly times?: number;
  /** Default: Completed for 0, otherwise Error. `OOMKilled` is exit code 137. */
  readonly reason?: string;
  readonly message?: string;
};

export type LogLine = { readonly after: number; readonly line: string };

export type CustomCondition = {
  readonly type: string;
  readonly status: string;
  readonly after: Duration;
  readonly reason?: string;
  readonly message?: string;
};

/** The differences from the defaults, for the objects that it matches. */
export type BehaviourRule = {
  readonly match: BehaviourMatch;
  /** It holds also where annotations of the object say otherwise. Default: they come first. */
  readonly overrules?: boolean;
  /** The delay until the pod is scheduled; never: the text is the reason. */
  readonly schedule?: Delay;
  readonly pull?: ImagePull;
  /** How long each init container runs. */
  readonly init?: Duration;
  /** From the pulled image to the running container. */
  readonly start?: Duration;
  /** Until a startup probe would succeed. */
  readonly startup?: Delay;
  /** Until a readiness probe would succeed; without a probe, until the container counts as ready. */
  readonly ready?: Delay;
  /** The liveness probe fails after this duration, this many times. */
  readonly liveness?: { readonly failAfter: Duration; readonly times?: number };
  readonly fail?: ContainerFailure;
  /** How long a container of a run-to-completion pod runs; never: until it is stopped. */
  readonly run?: Delay;
  /** How such a run ends. */
  readonly result?: { readonly exitCode: number; readonly succeedAfterAttempts?: number; readonly reason?: string };
  /** From the request to stop to the end of the process, within the pod's grace period. */
  readonly terminate?: { readonly after: Duration; readonly exitCode: number };
  readonly logs?: readonly LogLine[];
  /** The delay until a Service of type LoadBalancer has its address. */
  readonly address?: Delay;
  /** Until a PersistentVolumeClaim is provisioned and bound. */
  readonly bind?: Delay;
  /** The conditions written to a custom resource's status, and when. */
  readonly conditions?: readonly CustomCondition[];
};

/** The behaviour of a cluster: rules, of which the first that matches an object applies, over the defaults. Plain data. */
export type Behaviour = { readonly rules: readonly BehaviourRule[] };

/** The behaviour of objects that no rule overrides. */
export const defaultRule = {
  schedule: { after: { fixed: 0 } },
  pull: { after: { uniform: [500, 2000] } },
  init: { fixed: 1000 },
  start: { fixed: 200 },
  run: { after: { fixed: 2000 } },
  terminate: { after: { fixed: 500 }, exitCode: 0 },
  address: { after: { fixed: 1000 } },
  bind: { after: { fixed: 500 } },
} as const satisfies Partial<BehaviourRule>;

/** No rules: everything becomes ready soon. */
export const defaultBehaviour: Behaviour = { rules: [] };

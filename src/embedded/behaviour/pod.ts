import type { Fields, KubeObject } from "../../core/object/index.ts";

export type Probe = {
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly [handler: string]: unknown;
};

export type Container = {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly {
    readonly action: string;
    readonly exitCodes?: { readonly operator: string; readonly values?: readonly number[] };
  }[];
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly resources?: Fields;
  readonly resizePolicy?: readonly { readonly resourceName: string; readonly restartPolicy: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
};

export type Terminated = {
  readonly exitCode: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly containerID?: string;
};

export type ContainerState = {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt: string };
  readonly terminated?: Terminated;
};

export type ContainerStatus = {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly restartCount: number;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly resources?: Fields;
  readonly allocatedResources?: Fields;
  readonly volumeMounts?: readonly Fields[];
};

export type PodCondition = {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
  readonly lastProbeTime: string | null;
  readonly lastTransitionTime: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type PodStatus = {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly conditions?: readonly PodCondition[];
  readonly hostIP?: string;
  readonly hostIPs?: readonly { readonly ip: string }[];
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly startTime?: string;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly [field: string]: unknown;
};

type PodSpec = {
  readonly nodeName?: string;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly hostNetwork?: boolean;
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly [field: string]: unknown;
};

/** A Pod from the API server: its spec is valid, so its fields are trusted. */
export type Pod = KubeObject & { readonly spec: PodSpec; readonly status?: PodStatus };

/** Casts an object of kind Pod. */
export function asPod(object: KubeObject): Pod {
  return object as Pod;
}

export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

/** A pod as the kubelet prints it in messages: `web-0_default(7b1c…)`. Models pkg/kubelet/util/format/pod.go */
export function formatPod({ metadata }: KubeObject): string {
  return `${metadata.name}_${metadata.namespace ?? ""}(${metadata.uid ?? ""})`;
}

export { timeMs, timestampOf as timestamp } from "../timestamp.ts";

/** Whole controllers on an embedded fleet, in virtual time, each a replica that can stop and die, and something for them to do. */
import type { Exchange, Request } from "../../src/core/exchange/index.ts";
import { runController, type ControllerOptions } from "../../src/sveltos/controllers/index.ts";
import { Monitor } from "../../src/sveltos/telemetry/index.ts";
import { inProcess } from "../../src/sveltos/fleet/index.ts";
import { connect, ConnectionFault, type Cluster } from "../../src/kube/index.ts";
import type { EmbeddedFleet } from "./embedded-fleet.ts";

export type ReplicaOptions = {
  /** Told of every request to a cluster: `hub`, or a managed one by its name. */
  readonly heard?: (cluster: string, request: Request) => void;
  readonly installDefinitions?: boolean;
  readonly charts?: ControllerOptions["charts"];
};

/** One replica of a controller. While it is dead none of its requests is answered; when it comes back they have failed. */
export class Replica {
  readonly stop = new AbortController();
  readonly monitor: Monitor;
  readonly ended: Promise<void>;
  readonly log: string[] = [];
  #outage: AbortController | undefined;
  readonly #heard: NonNullable<ReplicaOptions["heard"]>;

  constructor(lab: EmbeddedFleet, identity: string, options: ReplicaOptions = {}) {
    const { heard = () => {}, installDefinitions = false, charts } = options;
    this.#heard = heard;
    this.monitor = new Monitor({ clock: lab.clock, write: (line) => this.log.push(line) });
    const open = inProcess((name) => this.#way(name, lab.managed(name)));
    const hub = this.#way("hub", lab.hub);
    const { surroundings } = lab.desk;
    const site = { hub, namespace: "projectsveltos", identity, open, surroundings, monitor: this.monitor, installDefinitions };
    this.ended = runController({ ...site, ...(charts === undefined ? {} : { charts }) }, this.stop.signal);
    this.ended.catch(() => undefined);
  }

  get isDead(): boolean {
    return this.#outage !== undefined;
  }

  set isDead(isDead: boolean) {
    this.#outage?.abort(new ConnectionFault("read ECONNRESET", { code: "ECONNRESET" }));
    this.#outage = isDead ? new AbortController() : undefined;
  }

  #way(name: string, { raw, clock, random }: Cluster): Cluster {
    const exchange: Exchange = (request) => {
      this.#heard(name, request);
      const { signal } = request;
      return this.#outage === undefined ? raw(request) : unanswered(AbortSignal.any([signal, this.#outage.signal]));
    };
    return connect(exchange, { clock, random });
  }
}

function unanswered(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

/** Stops replicas and waits until they have ended. */
export async function left(lab: EmbeddedFleet, ...replicas: readonly Replica[]): Promise<void> {
  for (const { stop } of replicas) stop.abort();
  await lab.until(Promise.all(replicas.map(({ ended }) => ended)));
}

/** A profile for the clusters with `env: fv`. */
export const content = `
apiVersion: v1
kind: ConfigMap
metadata: {name: content, namespace: default}
data:
  it.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: deployed, namespace: default}
---
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: it}
spec:
  clusterSelector: {matchLabels: {env: fv}}
  policyRefs: [{kind: ConfigMap, namespace: default, name: content}]
`;

/** A NetworkPolicy for each labelled Service, as seed 001 writes it. */
export const events = `
apiVersion: lib.projectsveltos.io/v1alpha1
kind: EventSource
metadata: {name: sveltos-service}
spec:
  collectResources: true
  group: ""
  version: v1
  kind: Service
  labelFilters: [{key: sveltos, operation: Equal, value: fv}]
---
apiVersion: lib.projectsveltos.io/v1alpha1
kind: EventBasedAddOn
metadata: {name: service-network-policy}
spec:
  sourceClusterSelector: env=fv
  eventSourceName: sveltos-service
  oneForEvent: true
  policyRefs: [{name: network-policy, namespace: default, kind: ConfigMap}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: network-policy, namespace: default}
data:
  networkpolicy.yaml: |
    kind: NetworkPolicy
    apiVersion: networking.k8s.io/v1
    metadata:
      name: front-{{ .Resource.metadata.name }}
      namespace: "{{ .Resource.metadata.namespace }}"
    spec:
      podSelector:
        matchLabels:
          {{- range $key, $value := .Resource.spec.selector }}
          {{ $key }}: "{{ $value }}"
          {{- end }}
`;

/** A Service that makes an event. */
export const service = (name: string) => `
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: default, labels: {sveltos: fv}}
spec: {selector: {app: ${name}}, ports: [{port: 80}]}
`;

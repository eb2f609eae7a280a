/** Replicas of all controllers on an embedded fleet in virtual time, and objects for them to reconcile. */
import type { Exchange, Request } from "../../src/core/exchange/index.ts";
import { runControllers, type ControllerOptions } from "../../src/sveltos/controllers/index.ts";
import { Monitor } from "../../src/sveltos/telemetry/index.ts";
import { inProcessOpener } from "../../src/sveltos/fleet/index.ts";
import { connect, ConnectionFault, type Cluster } from "../../src/kube/index.ts";
import type { EmbeddedFleet } from "./embedded-fleet.ts";

type ControllerReplicaOptions = {
  /** Called for every request to a cluster: `hub`, or a managed one by its name. */
  readonly onRequest?: (cluster: string, request: Request) => void;
  /** Called for every request too: what becomes of it. Default: it is answered. */
  readonly faultIn?: (cluster: string, request: Request) => RequestFault | undefined;
  readonly installCrds?: boolean;
  /** The tokens of ServiceAccounts by cluster, with which it comes there. Default: it may do everything. */
  readonly tokens?: Readonly<Record<string, string>>;
  readonly charts?: ControllerOptions["charts"];
  /** With it, what is deployed is recorded. Default: no traces and no recordings. */
  readonly traces?: ControllerOptions["traces"];
};

/** The request arrives late, or it arrives and its answer is lost. */
export type RequestFault = { readonly lateMs: number } | { readonly answer: "lost" };

/** One replica. While it is dead its requests hang; afterwards they have failed. */
export class ControllerReplica {
  readonly stop = new AbortController();
  readonly monitor: Monitor;
  readonly ended: Promise<void>;
  readonly log: string[] = [];
  #outage: AbortController | undefined;
  readonly #onRequest: NonNullable<ControllerReplicaOptions["onRequest"]>;
  readonly #tokens: Readonly<Record<string, string>>;
  readonly #faultIn: NonNullable<ControllerReplicaOptions["faultIn"]>;

  constructor(fixture: EmbeddedFleet, identity: string, options: ControllerReplicaOptions = {}) {
    const { onRequest = () => {}, faultIn = () => undefined, installCrds = false, tokens = {}, charts, traces } = options;
    this.#tokens = tokens;
    this.#onRequest = onRequest;
    this.#faultIn = faultIn;
    this.monitor = new Monitor({ clock: fixture.clock, write: (line) => this.log.push(line) });
    const open = inProcessOpener((name) => this.#connect(name, fixture.managed(name)));
    const hub = this.#connect("hub", fixture.hub);
    const { environment } = fixture.context;
    const controllerOptions = { hub, namespace: "projectsveltos", identity, open, environment, monitor: this.monitor, installCrds };
    const traced = traces === undefined ? {} : { traces, recording: true };
    this.ended = runControllers({ ...controllerOptions, ...traced, ...(charts === undefined ? {} : { charts }) }, this.stop.signal);
    this.ended.catch(() => undefined);
  }

  get isDead(): boolean {
    return this.#outage !== undefined;
  }

  set isDead(isDead: boolean) {
    this.#outage?.abort(new ConnectionFault("read ECONNRESET", { code: "ECONNRESET" }));
    this.#outage = isDead ? new AbortController() : undefined;
  }

  #connect(name: string, { raw, clock, random }: Cluster): Cluster {
    const exchange: Exchange = async (bare) => {
      const request = withToken(bare, this.#tokens[name]);
      this.#onRequest(name, request);
      const fault = this.isDead ? undefined : this.#faultIn(name, request);
      // What was sent arrives, whatever becomes of its sender.
      const sent = { ...request, signal: new AbortController().signal };
      if (fault !== undefined && "lateMs" in fault) await new Promise<void>((resolve) => clock.after(fault.lateMs, resolve));
      const answer = this.#outage === undefined || fault !== undefined ? await raw(fault === undefined ? request : sent) : undefined;
      if (answer !== undefined && !(fault !== undefined && "answer" in fault)) return answer;
      this.#outage ??= new AbortController();
      return unanswered(AbortSignal.any([request.signal, this.#outage.signal]));
    };
    return connect(exchange, { clock, random });
  }
}

/** A request as a ServiceAccount with this token sends it. */
export function withToken(request: Request, token: string | undefined): Request {
  return token === undefined ? request : { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

function unanswered(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

/** Stops replicas and waits until they have ended. */
export async function stopReplicas(fixture: EmbeddedFleet, ...replicas: readonly ControllerReplica[]): Promise<void> {
  for (const { stop } of replicas) stop.abort();
  await fixture.until(Promise.all(replicas.map(({ ended }) => ended)));
}

/** A profile for the clusters with `env: fv`. */
export const profileYaml = `
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
export const eventAddonYaml = `
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

/** A Service that matches the EventSource. */
export const serviceYaml = (name: string) => `
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: default, labels: {sveltos: fv}}
spec: {selector: {app: ${name}}, ports: [{port: 80}]}
`;

/** A tenant with a ClusterRole that allows nothing, in the clusters with `env: fv`. */
export const roleRequestYaml = `
apiVersion: v1
kind: ConfigMap
metadata: {name: roles, namespace: default}
data: {a: '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: a}, rules: []}'}
---
apiVersion: lib.projectsveltos.io/v1beta1
kind: RoleRequest
metadata: {name: access}
spec:
  serviceAccountName: alice
  serviceAccountNamespace: eng
  clusterSelector: {matchLabels: {env: fv}}
  roleRefs: [{kind: ConfigMap, namespace: default, name: roles}]
`;

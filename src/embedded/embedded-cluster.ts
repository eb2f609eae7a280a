import type { Cancel, Clock } from "../core/clock/index.ts";
import type { SendHttpsPost, Handler } from "../core/exchange/index.ts";
import type { KubeObject } from "../core/object/index.ts";
import { createCertificateAuthority, type CertificateKeyPair } from "../lang/x509/index.ts";
import { ApiServer, ResourceCatalog } from "./apiserver/index.ts";
import { validatingAdmissionPolicy } from "./admissionpolicy/index.ts";
import type { ResourceAttributes } from "./apiserver/admission.ts";
import { defaultAdmission } from "./apiserver/default-admission.ts";
import { generateUid } from "./apiserver/generate-name.ts";
import { ComponentEventRecorder } from "./apiserver/component-event-recorder.ts";
import { ServiceAccountTokens } from "./authentication/index.ts";
import {
  alwaysAllow,
  checkEscalation,
  checkSignerPermission,
  createBootstrapPolicy,
  RbacAuthorizer,
  type Authorizer,
} from "./authorization/index.ts";
import { defaultBehaviour, containerLogsOf, nextLineAt, type Behaviour } from "./behaviour/index.ts";
import { bootstrapObjects } from "./bootstrap-objects.ts";
import {
  embeddedControllers,
  nodeTemplates,
  ControllerWorkQueue,
  type CertificateSigner,
  type EmbeddedControllerContext,
} from "./controller/index.ts";
import { createRecordedObjects } from "./create-recorded-objects.ts";
import { restoreObjects } from "./restore-objects.ts";
import { seededRandom } from "./seeded-random.ts";
import { StatusError } from "./status-error.ts";
import { exchangeOf, type PodLogSource } from "./rest/index.ts";
import { compactHistory, ObjectStorage, type ClusterData } from "./storage/index.ts";
import { syncedExchange } from "./synced-exchange.ts";
import { mutatingWebhooks, validatingWebhooks, WebhookRunner } from "./webhook/index.ts";
import { extensionContextOf } from "./apiserver/extension-context.ts";

/** As in kube-apiserver --authorization-mode. */
export type AuthorizationMode = "RBAC" | "AlwaysAllow";

type EmbeddedClusterOptions = {
  readonly clock: Clock;
  /** The same seed gives the same run. Default 1. */
  readonly seed?: number;
  /** Where uids, generated names and ports come from. Default: the seed. */
  readonly random?: () => number;
  /** How pods, volumes and load balancers behave. Default: everything starts within seconds and works. */
  readonly behaviour?: Behaviour;
  /** How many nodes there are beside those among `objects`. Default 1; with `objects` none. */
  readonly nodes?: number;
  /** What the cluster begins with, as another cluster had it: with uids, times and statuses. Default: only what every cluster has. */
  readonly objects?: readonly KubeObject[];
  /**
   * The authority of the server: every namespace's kube-root-ca.crt holds its certificate, and it signs certificates. Default:
   * none, and one that nobody knows signs.
   */
  readonly authority?: CertificateKeyPair;
  /** Who may do what: `RBAC`, or everything to everybody who is known. Default RBAC. */
  readonly authorization?: AuthorizationMode;
  /** Calls webhooks, which are outside of this process. Default: none can be reached. */
  readonly callWebhook?: SendHttpsPost;
  /** How many events of one resource are kept for watches at least while they are young; with `data`, its own count. Default 5000. */
  readonly keptEvents?: number;
  /** What the cluster has kept when it last ran, and where it goes on to keep everything. Default: nothing outlives it. */
  readonly data?: ClusterData;
  /** The private key that signs tokens of service accounts, in PEM. Default: a new one. */
  readonly tokenKey?: string;
};

/** A cluster in this process. */
export type EmbeddedCluster = {
  /** An Exchange, which also takes bodies that are still on their way. */
  readonly exchange: Handler;
  /** Those of the given objects whose kinds it does not serve. */
  readonly unserved: readonly KubeObject[];
  /** Stops its controllers and timers. Stored objects can still be read. */
  readonly stop: Cancel;
};

/** A cluster that was given no way to call webhooks cannot connect to them. */
const unreachableWebhook: SendHttpsPost = async ({ url, address = new URL(url).host }) => ({
  error: `Post ${JSON.stringify(url)}: dial tcp ${address}: connect: network is unreachable`,
});

/** Starts a cluster in this process: an API server with the controllers that a rollout needs, on the given clock. */
export function startEmbeddedCluster(options: EmbeddedClusterOptions): EmbeddedCluster {
  const { clock, seed = 1, behaviour = defaultBehaviour, objects, authority, keptEvents = 5000 } = options;
  const { nodes = objects === undefined ? 1 : 0 } = options;
  const { random = seededRandom(seed) } = options;
  const { data } = options;
  const isNew = data?.isNew ?? true;
  const store = data?.storage ?? new ObjectStorage({ keptEvents });
  if (!isNew) data?.begin(clock);
  const catalog = new ResourceCatalog();
  const unserved = restoreObjects(store, catalog, objects ?? []);
  const rbac = new RbacAuthorizer(store);
  const authorizer = options.authorization === "AlwaysAllow" ? alwaysAllow : rbac;
  const checkPolicy = authorizer === rbac ? (write: ResourceAttributes) => checkWrite(write, rbac) : undefined;
  const runner = new WebhookRunner({
    call: options.callWebhook ?? unreachableWebhook,
    random,
    newUid: () => generateUid(random),
    now: () => clock.now(),
  });
  const plugins = extensionContextOf(() => server, authorizer, runner);
  const extensions = [mutatingWebhooks(plugins), validatingAdmissionPolicy(plugins), validatingWebhooks(plugins)];
  const server: ApiServer = new ApiServer({
    store,
    catalog,
    clock,
    random: runner.random,
    runner,
    admission: defaultAdmission(() => server, runner.random, { checkPolicy, extensions }),
  });
  const recorder = new ComponentEventRecorder(store, () => clock.now(), random);
  const context: EmbeddedControllerContext = {
    api: server.components,
    clock: { now: runner.now, after: (ms, fire, more) => clock.after(ms, fire, more) },
    random: runner.random,
    record: (about, occurrence) => recorder.record(about, occurrence),
    resources: () => catalog.all().map(({ key, namespaced }) => ({ resource: key, namespaced })),
  };
  for (const { resource, object } of bootstrapObjects())
    if (store.read(resource, object.metadata.namespace ?? "", object.metadata.name) === undefined)
      server.components.create(resource, object, "kube-apiserver");
  // Their uids have a source of their own, so that other objects have the same ones with and without them.
  const policyUids = options.random ?? seededRandom(~seed);
  const made = { time: server.timestamp(), newUid: () => generateUid(policyUids) };
  createBootstrapPolicy(store, made);
  createRecordedObjects(store, made);
  const tokens = new ServiceAccountTokens({
    read: (resource, namespace, name) => server.read(resource, namespace, name),
    saveUse: (secret) => saveTokenUse(server, secret),
    now: () => clock.now(),
    newId: () => generateUid(random),
    ...(options.tokenKey === undefined ? {} : { key: options.tokenKey }),
  });
  const signer = certificateSigner(authority, authorizer, clock);
  const certificate = authority?.certificate ?? "";
  const issueToken = (account: KubeObject, secret: KubeObject) => tokens.issueForSecret(account, secret);
  const controllers = embeddedControllers({
    behaviour,
    nodes: nodeTemplates(nodes),
    seed,
    catalog,
    certificate,
    isNew: isNew && objects === undefined,
    signer,
    issueToken,
  });
  const queues = controllers.map((make) => new ControllerWorkQueue(make(context), clock, runner));
  if (isNew) {
    // Watches begin after the objects of a new cluster, which is kept as a whole or not at all.
    store.compact(store.revision);
    data?.begin(clock);
  }
  const stops = [...queues.map((queue) => queue.start(store)), compactHistory(store, clock)];
  const logs: PodLogSource = {
    printed: (pod, asked) => containerLogsOf(pod, asked, behaviour, clock.now()),
    nextAt: (pod, container) => nextLineAt(pod, container, behaviour, clock.now()),
  };
  // A source of its own again: how many requests there are must change no object.
  const auditIds = options.random ?? seededRandom(seed ^ 0x55555555);
  const exchange = exchangeOf(server, { logs, tokens, authorizer, runner, newAuditId: () => generateUid(auditIds) });
  return {
    exchange: data === undefined ? exchange : syncedExchange(exchange, () => data.sync()),
    unserved,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** The day on which a Secret's token was used is worth no request: a refusal leaves it as it is. */
function saveTokenUse(server: ApiServer, secret: KubeObject): void {
  try {
    server.components.update("secrets", secret, "kube-apiserver");
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
}

/** What a write may not do, whoever may make it. */
function checkWrite(write: ResourceAttributes, rbac: RbacAuthorizer): void {
  checkEscalation(write, rbac);
  checkSignerPermission(write, rbac);
}

const yearMs = 365 * 24 * 3_600_000;

function certificateSigner(given: CertificateKeyPair | undefined, authorizer: Authorizer, clock: Clock): CertificateSigner {
  let authority = given;
  return {
    authority: () => {
      const now = clock.now();
      return (authority ??= createCertificateAuthority("kubernetes", { notBefore: new Date(now), notAfter: new Date(now + 10 * yearMs) }));
    },
    mayCreate: (user, subresource) => {
      const attributes = { group: "certificates.k8s.io", resource: "certificatesigningrequests", subresource, namespace: "", name: "" };
      return authorizer.authorize({ user, verb: "create", ...attributes }).allowed;
    },
  };
}

import { sveltosNamespace } from "../api/index.ts";
import { withTimeout } from "../../core/clock/index.ts";
import { doing, Fault } from "../../core/fault/index.ts";
import { newInformer, isAlreadyExists, isNotFound, type Cluster } from "../../kube/index.ts";
import { mapAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { writeYaml } from "../../lang/yaml/index.ts";
import { requestToken } from "./request-token.ts";

type GenerateKubeconfigOptions = {
  /** The URL of the API server as the management cluster reaches it. */
  readonly server: string;
  /** Default `projectsveltos`, as for `serviceAccount`. */
  readonly namespace?: string;
  readonly serviceAccount?: string;
  /** Create the ServiceAccount with cluster-admin rights if it is absent. Default false: it must exist. */
  readonly create?: boolean;
  /** The lifetime of the token. Default: the API server's. */
  readonly expirationSeconds?: number;
  /** Use the token of a service-account-token Secret, which never expires. Default false: a TokenRequest. */
  readonly lasting?: boolean;
  /** Is told what is waited for. Default: nobody is. */
  readonly onWait?: (text: string) => void;
  readonly signal: AbortSignal;
};

/** The controllers that write what is waited for do so within a second where they run. */
const publishTimeoutMs = 30_000;

type Account = { readonly namespace: string; readonly name: string };

/** Generates a kubeconfig with the token of a ServiceAccount, for a fleet to manage the cluster. Its layout is sveltosctl's. */
export async function generateKubeconfig(cluster: Cluster, options: GenerateKubeconfigOptions): Promise<string> {
  const { server, create = false, lasting = false, signal } = options;
  const account = { namespace: options.namespace ?? sveltosNamespace, name: options.serviceAccount ?? "projectsveltos" };
  return doing(`generate a kubeconfig for service account ${account.namespace}/${account.name}`, async () => {
    if (create) for (const object of accountObjects(account)) await createIfAbsent(cluster, object, signal);
    const token = lasting ? await secretToken(cluster, account, options) : await temporaryToken(cluster, account, options);
    const authority = await waitForAuthority(cluster, account.namespace, options);
    return writeYaml(kubeconfigOf(server, authority, account.name, token));
  });
}

/** The ServiceAccount and a binding to all rights, as sveltosctl creates them. */
function accountObjects({ namespace, name }: Account): readonly KubeObject[] {
  const rbac = "rbac.authorization.k8s.io";
  const everything = [
    { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
    { nonResourceURLs: ["*"], verbs: ["*"] },
  ];
  const subjects = [{ kind: "ServiceAccount", namespace, name }];
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } },
    { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name }, rules: everything },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
      subjects,
    },
  ];
}

async function createIfAbsent(cluster: Cluster, object: KubeObject, signal: AbortSignal): Promise<void> {
  await cluster.create(object, { signal }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

async function temporaryToken(cluster: Cluster, account: Account, options: GenerateKubeconfigOptions): Promise<string> {
  try {
    return (await requestToken(cluster, account, options)).token;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw noAccount();
  }
}

function noAccount(): Fault {
  return new Fault("there is no such service account: add --create to make it", undefined, { final: true });
}

const accountAnnotation = "kubernetes.io/service-account.name";
const tokenType = "kubernetes.io/service-account-token";

/** Creates a service-account-token Secret and waits for the token controller to fill it. */
async function secretToken(cluster: Cluster, { namespace, name }: Account, options: GenerateKubeconfigOptions): Promise<string> {
  const { signal } = options;
  const account = { group: "", version: "v1", kind: "ServiceAccount", namespace, name };
  // The token controller deletes the Secret of an account that is not there.
  if ((await cluster.find(account, { signal })) === undefined) throw noAccount();
  const annotations = { [accountAnnotation]: name };
  const type = tokenType;
  await createIfAbsent(cluster, { apiVersion: "v1", kind: "Secret", metadata: { name, namespace, annotations }, type }, signal);
  return waitFor(
    cluster,
    { kind: "Secret", namespace, name, content: "token", writer: "the token controller of kube-controller-manager" },
    (secret) => {
      if (stringAt(secret, "type") !== tokenType || secret.metadata.annotations?.[accountAnnotation] !== name)
        throw new Fault(
          `Secret ${namespace}/${name} is there and holds no token of this service account: delete it, or choose another --serviceaccount`,
          undefined,
          { final: true },
        );
      const token = mapAt(secret, "data")["token"];
      return token === undefined ? undefined : Buffer.from(token, "base64").toString("utf8");
    },
    options,
  );
}

/** Waits for the ConfigMap with the CA certificate, which the cluster publishes in every namespace. */
function waitForAuthority(cluster: Cluster, namespace: string, options: GenerateKubeconfigOptions): Promise<string> {
  const writer = "the root-ca-cert-publisher of kube-controller-manager";
  const awaited = { kind: "ConfigMap", namespace, name: "kube-root-ca.crt", content: "CA certificate", writer };
  return waitFor(cluster, awaited, (map) => mapAt(map, "data")["ca.crt"] || undefined, options);
}

type WaitedObject = {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly content: string;
  /** The controller that writes the content. */
  readonly writer: string;
};

async function waitFor<T>(
  cluster: Cluster,
  { kind, namespace, name, content, writer }: WaitedObject,
  read: (object: KubeObject) => T | undefined,
  { onWait = () => {}, signal }: GenerateKubeconfigOptions,
): Promise<T> {
  const title = `${kind} ${namespace}/${name}`;
  const seconds = publishTimeoutMs / 1000;
  const late = new Fault(
    `${title} has had no ${content} for ${seconds} s, which ${writer} writes: see whether it runs, or register the cluster with another kubeconfig, such as one with a client certificate`,
    undefined,
    { final: true },
  );
  const published = async (until: AbortSignal) => {
    const selection = { namespace, fieldSelector: `metadata.name=${name}`, signal: until };
    for await (const change of newInformer(cluster, { group: "", version: "v1", kind }, selection)) {
      if (change.type === "interrupted") throw change.because;
      const found = change.type === "added" || change.type === "modified" ? read(change.object) : undefined;
      if (found !== undefined) return found;
      if (change.type === "synced") onWait(`waiting up to ${seconds} s for the ${content} in ${title}, which ${writer} writes`);
    }
    until.throwIfAborted();
    throw new Fault(`${title} cannot be watched`);
  };
  return withTimeout(cluster.clock, publishTimeoutMs, late, published, { signal });
}

function kubeconfigOf(server: string, authority: string, user: string, token: string) {
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "local", cluster: { server, "certificate-authority-data": Buffer.from(authority).toString("base64") } }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: "sveltos-context", context: { cluster: "local", user } }],
    "current-context": "sveltos-context",
  };
}

import { sveltosNamespace } from "../api/index.ts";
import { doing, Fault } from "../../core/fault/index.ts";
import { newInformer, isAlreadyExists, isNotFound, type Cluster } from "../../kube/index.ts";
import { mapAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { writeYaml } from "../../lang/yaml/index.ts";

export type GenerateKubeconfigOptions = {
  /** The cluster's address, as others reach it. */
  readonly server: string;
  /** Default `projectsveltos`, both. */
  readonly namespace?: string;
  readonly serviceAccount?: string;
  /** Make the account, with all rights, where it is not there. Default false: it must be there. */
  readonly create?: boolean;
  /** For how long the token is good. Default: as long as the server likes. */
  readonly expirationSeconds?: number;
  /** A token that never expires, kept in a Secret, instead of one that does. Default false. */
  readonly lasting?: boolean;
  readonly signal: AbortSignal;
};

type Account = { readonly namespace: string; readonly name: string };

/** Makes a kubeconfig by which a fleet can manage the cluster: a ServiceAccount's, with its token. Laid out as sveltosctl's. */
export async function generateKubeconfig(cluster: Cluster, options: GenerateKubeconfigOptions): Promise<string> {
  const { server, create = false, lasting = false, signal } = options;
  const account = { namespace: options.namespace ?? sveltosNamespace, name: options.serviceAccount ?? "projectsveltos" };
  return doing(`generate a kubeconfig for service account ${account.namespace}/${account.name}`, async () => {
    if (create) for (const object of accountObjects(account)) await createIfAbsent(cluster, object, signal);
    const token = lasting ? await secretToken(cluster, account, signal) : await requestToken(cluster, account, options);
    const authority = await waitForAuthority(cluster, account.namespace, signal);
    return writeYaml(kubeconfigOf(server, authority, account.name, token));
  });
}

/** The account with all rights there are, as sveltosctl grants them. */
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

async function requestToken(
  cluster: Cluster,
  { namespace, name }: Account,
  { expirationSeconds, signal }: GenerateKubeconfigOptions,
): Promise<string> {
  const under = { group: "", version: "v1", kind: "ServiceAccount", namespace, name };
  const spec = expirationSeconds === undefined ? {} : { expirationSeconds };
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: { name }, spec };
  try {
    const answer = await cluster.create(request, { under, subresource: "token", signal });
    return stringAt(answer, "status.token") ?? "";
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new Fault("there is no such service account: add --create to make it", undefined, { final: true });
  }
}

/** The token that the cluster puts into a Secret made for it. */
async function secretToken(cluster: Cluster, { namespace, name }: Account, signal: AbortSignal): Promise<string> {
  const annotations = { "kubernetes.io/service-account.name": name };
  const type = "kubernetes.io/service-account-token";
  await createIfAbsent(cluster, { apiVersion: "v1", kind: "Secret", metadata: { name, namespace, annotations }, type }, signal);
  return waitFor(
    cluster,
    { kind: "Secret", namespace, name },
    (secret) => {
      const token = mapAt(secret, "data")["token"];
      return token === undefined ? undefined : Buffer.from(token, "base64").toString("utf8");
    },
    signal,
  );
}

/** Every namespace gets the certificate of whoever vouches for the server, soon after it is made. */
function waitForAuthority(cluster: Cluster, namespace: string, signal: AbortSignal): Promise<string> {
  return waitFor(cluster, { kind: "ConfigMap", namespace, name: "kube-root-ca.crt" }, (map) => mapAt(map, "data")["ca.crt"], signal);
}

type WaitedObject = { readonly kind: string; readonly namespace: string; readonly name: string };

async function waitFor<T>(
  cluster: Cluster,
  { kind, namespace, name }: WaitedObject,
  read: (object: KubeObject) => T | undefined,
  signal: AbortSignal,
): Promise<T> {
  const options = { namespace, fieldSelector: `metadata.name=${name}`, signal };
  for await (const change of newInformer(cluster, { group: "", version: "v1", kind }, options)) {
    if (change.type === "interrupted") throw change.because;
    const found = change.type === "added" || change.type === "modified" ? read(change.object) : undefined;
    if (found !== undefined) return found;
  }
  signal.throwIfAborted();
  throw new Fault(`${kind} ${namespace}/${name} cannot be watched`);
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

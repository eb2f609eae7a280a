import { gvkOf, libGroup, ownVersion, type ClusterId } from "../api/index.ts";
import { clusterUidAnnotation, findRegisteredNames } from "./registered-names.ts";
import { doing, Fault } from "../../core/fault/index.ts";
import { isAlreadyExists, type Cluster } from "../../kube/index.ts";
import { labelKeyProblems, labelValueProblems, stringAt, subdomainProblems } from "../../core/object/index.ts";

type Registration = {
  readonly namespace: string;
  readonly name: string;
  /** The text of a kubeconfig that names no files: see `flattenKubeconfig`. */
  readonly kubeconfig: string;
  /** Labels of the SveltosCluster, for selectors, instead of those of an earlier registration. Default: it keeps those it has. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Which cluster it is: see `readClusterIdentity`. Default: unknown. */
  readonly uid?: string;
  /** Registers a cluster under a second name. Default: it is refused. */
  readonly allowDuplicate?: boolean;
};

const key = "kubeconfig";
const secretKind = { group: "", version: "v1", kind: "Secret" };

/** Creates or updates the kubeconfig Secret and the SveltosCluster of a cluster, as sveltosctl does. */
export async function register(
  hub: Cluster,
  { namespace, name, kubeconfig, labels, uid, allowDuplicate = false }: Registration,
  signal: AbortSignal,
): Promise<"registered" | "updated"> {
  const problems = problemsOf(name, labels ?? {});
  if (problems.length > 0) throw new Fault(`register cluster ${name}`, problems.join("; "), { final: true });
  return doing(`register cluster ${namespace}/${name}`, async () => {
    const existing = await hub.find({ ...gvkOf("SveltosCluster"), namespace, name }, { signal });
    // A second name that was asked for before stays one.
    const isKnown = existing?.metadata.annotations?.[clusterUidAnnotation] === uid;
    if (uid !== undefined && !allowDuplicate && !isKnown) await refuseSecondName(hub, uid, { namespace, name }, signal);
    await makeNamespace(hub, namespace, signal);
    // A SveltosCluster that names another Secret keeps that name.
    const secret = stringAt(existing, "spec.kubeconfigName") || secretNameOf(name);
    const data = { [key]: Buffer.from(kubeconfig).toString("base64") };
    const options = { force: true, signal };
    await hub.apply({ apiVersion: "v1", kind: "Secret", metadata: { name: secret, namespace }, data }, options);
    const spec = { kubeconfigKeyName: key };
    const annotations = uid === undefined ? {} : { annotations: { [clusterUidAnnotation]: uid } };
    if (existing !== undefined && labels === undefined) {
      // Without its labels no selector would find the cluster, and all that is deployed there would be withdrawn.
      await hub.patch(
        { ...gvkOf("SveltosCluster"), namespace, name },
        { type: "merge", patch: { metadata: annotations, spec } },
        { signal },
      );
      return "updated";
    }
    const metadata = { name, namespace, ...annotations, ...(labels === undefined ? {} : { labels }) };
    await hub.apply({ apiVersion: `${libGroup}/${ownVersion}`, kind: "SveltosCluster", metadata, spec }, options);
    return existing === undefined ? "registered" : "updated";
  });
}

/** Deletes the SveltosCluster and its kubeconfig Secret. Returns whether there was one. */
export async function deregister(hub: Cluster, { namespace, name }: Omit<ClusterId, "type">, signal: AbortSignal): Promise<boolean> {
  return doing(`deregister cluster ${namespace}/${name}`, async () => {
    const ref = { ...gvkOf("SveltosCluster"), namespace, name };
    const existing = await hub.find(ref, { signal });
    if (existing !== undefined) await hub.delete(ref, { signal });
    // Deletes only the Secret that `register` creates; one of another name belongs to the user.
    const secret = { ...secretKind, namespace, name: secretNameOf(name) };
    const hasSecret = (await hub.find(secret, { signal })) !== undefined;
    if (hasSecret) await hub.delete(secret, { signal });
    return existing !== undefined || hasSecret;
  });
}

/** Two names of one cluster are mostly a mistake: everything that matches both is deployed there twice. */
async function refuseSecondName(hub: Cluster, uid: string, own: Omit<ClusterId, "type">, signal: AbortSignal): Promise<void> {
  const names = await findRegisteredNames(hub, uid, signal);
  const other = names.find(({ type, namespace, name }) => type !== "Sveltos" || namespace !== own.namespace || name !== own.name);
  if (other === undefined) return;
  throw new Fault(
    `it is registered already, as ${other.namespace}/${other.name}: both have the uid ${uid} in their namespace kube-system. ` +
      `Name that one to renew its credentials or labels, deregister it first to rename it, or add --allow-duplicate to give the cluster a second name`,
    undefined,
    { final: true },
  );
}

function secretNameOf(cluster: string): string {
  return `${cluster}-sveltos-kubeconfig`;
}

async function makeNamespace(hub: Cluster, name: string, signal: AbortSignal): Promise<void> {
  if ((await hub.find({ group: "", version: "v1", kind: "Namespace", namespace: "", name }, { signal })) !== undefined) return;
  await hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } }, { signal }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

function problemsOf(name: string, labels: Readonly<Record<string, string>>): readonly string[] {
  return [
    ...subdomainProblems(name).map((problem) => `the name: ${problem}`),
    ...Object.entries(labels).flatMap(([label, value]) =>
      [...labelKeyProblems(label), ...labelValueProblems(value)].map((problem) => `label ${label}=${value}: ${problem}`),
    ),
  ];
}

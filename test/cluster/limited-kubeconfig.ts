import { readFile, writeFile } from "node:fs/promises";
import type { Cluster } from "../../src/kube/index.ts";
import { listAt, stringAt } from "../../src/core/object/index.ts";
import { readYaml } from "../../src/lang/yaml/index.ts";

/** A ServiceAccount and what it may do in its namespace. */
type Account = { readonly namespace: string; readonly name: string; readonly rules: readonly object[] };

/** Creates a ServiceAccount with these rights, and writes its kubeconfig to `path`. `kubeconfig` is that of the cluster. */
export async function writeLimitedKubeconfig(cluster: Cluster, kubeconfig: string, account: Account, path: string): Promise<void> {
  const { namespace, name, rules } = account;
  const metadata = { name, namespace };
  const rbac = "rbac.authorization.k8s.io";
  await cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata });
  await cluster.create({ apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules });
  await cluster.create({
    apiVersion: `${rbac}/v1`,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: rbac, kind: "Role", name },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
  });
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: { name: "" }, spec: {} };
  const under = { group: "", version: "v1", kind: "ServiceAccount", namespace, name };
  const token = stringAt(await cluster.create(request, { under, subresource: "token" }), "status.token", "");
  const [entry] = listAt(readYaml(await readFile(kubeconfig, "utf8"), kubeconfig), "clusters");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: entry?.["cluster"] }],
    users: [{ name: "u", user: { token } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace } }],
    "current-context": "x",
  };
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
}

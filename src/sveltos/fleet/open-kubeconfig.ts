import type { Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { openCluster, type Cluster, type Machine, type WriteGate } from "../../kube/index.ts";
import { listAt, stringAt } from "../../core/object/index.ts";
import { readYaml } from "../../lang/yaml/index.ts";

/** An open cluster and the function that closes its connections. */
export type ClusterHandle = { readonly cluster: Cluster; close(): void };

/**
 * Opens the cluster of a kubeconfig. It may send no request yet. Throws if the kubeconfig is invalid. Over a network,
 * every write goes through the gate.
 */
export type OpenKubeconfig = (kubeconfig: string, title: string, writeGate?: WriteGate) => Promise<ClusterHandle>;

/**
 * Opens clusters over the network. A kubeconfig from a Secret is untrusted input: it may carry certificates, keys, tokens
 * and passwords, but must not read files of this machine or run programs on it.
 */
export function networkOpener(machine: Machine, clock: Clock): OpenKubeconfig {
  return async (kubeconfig, title, writeGate) => {
    const name = `/${title}`;
    const refuse = (what: string) => new Fault(`the kubeconfig of ${title} ${what}`, undefined, { final: true });
    const closed: Machine = {
      ...machine,
      read: (path) =>
        path === name ? Promise.resolve(kubeconfig) : Promise.reject(refuse(`names the file ${path}: put its content into the kubeconfig`)),
      write: () => Promise.reject(refuse("wants to keep something on this machine: use a token or a certificate")),
      run: ({ program }) => Promise.reject(refuse(`wants to run ${program}: use a token or a certificate`)),
    };
    const problem = kubeconfigProblem(readYaml(kubeconfig, `the kubeconfig of ${title}`));
    if (problem !== undefined) throw refuse(problem);
    const { cluster, close } = await openCluster({ kubeconfig: name, machine: closed, clock, ...(writeGate && { writeGate }) });
    return { cluster, close };
  };
}

/** Why a kubeconfig cannot be used, in words for the author of the Secret, who cannot select a context by a flag. */
function kubeconfigProblem(config: unknown): string | undefined {
  if (stringAt(config, "kind") !== "Config") return 'is none: it should say "kind: Config"';
  const current = stringAt(config, "current-context", "");
  if (current === "") return "has no current-context";
  const isThere = listAt(config, "contexts").some((context) => stringAt(context, "name") === current);
  return isThere ? undefined : `has no context ${current}, which is its current one`;
}

const scheme = "embedded://";

/** A kubeconfig for an embedded cluster of this process, for `inProcessOpener`. */
export function embeddedKubeconfig(name: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server: `${scheme}${name}` } }],
    contexts: [{ name, context: { cluster: name, user: "" } }],
  });
}

/** Opens embedded clusters by the name in their `embeddedKubeconfig`. Hands any other kubeconfig to `otherwise`, if given. */
export function inProcessOpener(clusters: (name: string) => Cluster | undefined, otherwise?: OpenKubeconfig): OpenKubeconfig {
  return async (kubeconfig, title, writeGate) => {
    const server = stringAt(listAt(readYaml(kubeconfig, `the kubeconfig of ${title}`), "clusters")[0], "cluster.server", "");
    if (!server.startsWith(scheme) && otherwise !== undefined) return otherwise(kubeconfig, title, writeGate);
    const cluster = server.startsWith(scheme) ? clusters(server.slice(scheme.length)) : undefined;
    if (cluster === undefined) throw new Fault(`the kubeconfig of ${title} leads to ${server || "no server"}, which is not here`);
    return { cluster, close: () => {} };
  };
}

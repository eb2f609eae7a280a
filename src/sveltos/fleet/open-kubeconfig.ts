import type { Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { openCluster, type Cluster, type Machine } from "../../kube/index.ts";
import { listAt, stringAt } from "../../core/object/index.ts";
import { readYaml } from "../../lang/yaml/index.ts";

/** A way to a cluster that is open, and how to close it. */
export type ClusterHandle = { readonly cluster: Cluster; close(): void };

/** Opens the cluster that a kubeconfig leads to. Nothing needs to be sent yet. Throws when the kubeconfig is no good. */
export type OpenKubeconfig = (kubeconfig: string, about: string) => Promise<ClusterHandle>;

/**
 * Opens clusters over the network. A kubeconfig from a Secret is somebody else's word: it may carry certificates, keys,
 * tokens and passwords, but it reads no file of this machine and runs no program on it.
 */
export function networkOpener(machine: Machine, clock: Clock): OpenKubeconfig {
  return async (kubeconfig, about) => {
    const name = `/${about}`;
    const refuse = (what: string) => new Fault(`the kubeconfig of ${about} ${what}`, undefined, { final: true });
    const closed: Machine = {
      ...machine,
      read: (path) =>
        path === name ? Promise.resolve(kubeconfig) : Promise.reject(refuse(`names the file ${path}: put its content into the kubeconfig`)),
      write: () => Promise.reject(refuse("wants to keep something on this machine: use a token or a certificate")),
      run: ({ program }) => Promise.reject(refuse(`wants to run ${program}: use a token or a certificate`)),
    };
    const problem = kubeconfigProblem(readYaml(kubeconfig, `the kubeconfig of ${about}`));
    if (problem !== undefined) throw refuse(problem);
    const { cluster, close } = await openCluster({ kubeconfig: name, machine: closed, clock });
    return { cluster, close };
  };
}

/** Why a kubeconfig leads nowhere, in words for whoever wrote the Secret: it has no flags to choose by. */
function kubeconfigProblem(config: unknown): string | undefined {
  if (stringAt(config, "kind") !== "Config") return 'is none: it should say "kind: Config"';
  const current = stringAt(config, "current-context", "");
  if (current === "") return "has no current-context";
  const isThere = listAt(config, "contexts").some((context) => stringAt(context, "name") === current);
  return isThere ? undefined : `has no context ${current}, which is its current one`;
}

const scheme = "embedded://";

/** A kubeconfig that leads to a cluster of this process, for `inProcess`. */
export function embeddedKubeconfig(name: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server: `${scheme}${name}` } }],
    contexts: [{ name, context: { cluster: name, user: "" } }],
  });
}

/** Opens clusters of this process by the names that `embeddedKubeconfig` was given; anything else in the other way, if there is one. */
export function inProcessOpener(clusters: (name: string) => Cluster | undefined, otherwise?: OpenKubeconfig): OpenKubeconfig {
  return async (kubeconfig, about) => {
    const server = stringAt(listAt(readYaml(kubeconfig, `the kubeconfig of ${about}`), "clusters")[0], "cluster.server", "");
    if (!server.startsWith(scheme) && otherwise !== undefined) return otherwise(kubeconfig, about);
    const cluster = server.startsWith(scheme) ? clusters(server.slice(scheme.length)) : undefined;
    if (cluster === undefined) throw new Fault(`the kubeconfig of ${about} leads to ${server || "no server"}, which is not here`);
    return { cluster, close: () => {} };
  };
}

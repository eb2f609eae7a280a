import { readFileSync } from "node:fs";
import { readYaml } from "../../src/lang/yaml/index.ts";
import { programFile } from "../../tools/package/oci-archive.ts";
import { user } from "../../tools/package/image-files.ts";
import type { SluiceCommand } from "../built/run-process.ts";

/**
 * Makes a root file system that may only be read, but for `/tmp`, and becomes the program in it, as somebody who may do
 * nothing. All of it is seen by this process alone, and is gone with it.
 */
const script = `
set -e
root=$1 kubeconfig=$2
shift 2
mkdir -p "$root/proc" "$root/dev"
mount --make-rprivate /
mount --bind "$root" "$root"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
cp "$kubeconfig" "$root/tmp/kubeconfig"
mount -o remount,bind,ro "$root"
exec chroot --userspec=${user}:${user} "$root" /${programFile} "$@"
`;

/** The program of an unpacked image, run as a kubelet runs it, with a kubeconfig in its `/tmp`. This needs root's rights. */
export function runInImage(root: string, kubeconfig: string): SluiceCommand {
  return {
    command: ["unshare", "--mount", "sh", "-c", script, "sh", root, kubeconfig],
    env: { HOME: "/tmp", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  };
}

/** How to reach the same cluster as the bearer of a token. */
export function kubeconfigFor(admin: string, token: string): string {
  const { clusters } = readYaml(readFileSync(admin, "utf8"), admin) as { clusters: readonly { readonly name: string }[] };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters,
    users: [{ name: "bearer", user: { token } }],
    contexts: [{ name: "it", context: { cluster: clusters[0]?.name, user: "bearer" } }],
    "current-context": "it",
  });
}

/** A profile that deploys one ConfigMap. */
export const profile = `
apiVersion: v1
kind: ConfigMap
metadata: {name: content, namespace: default}
data:
  it.yaml: |
    {apiVersion: v1, kind: ConfigMap, metadata: {name: from-the-image, namespace: default}, data: {by: sluice}}
---
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: it}
spec: {clusterSelector: {matchLabels: {env: fv}}, policyRefs: [{kind: ConfigMap, namespace: default, name: content}]}
`;

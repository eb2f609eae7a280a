import { listAt, stringAt } from "../../src/core/object/index.ts";
import type { WireTarget } from "./send-raw.ts";

/** Where the cluster of a kubeconfig is. That of a real control plane is JSON, with everything in it. */
export function wireTargetOf(kubeconfig: string): WireTarget {
  const config: unknown = JSON.parse(kubeconfig);
  const [cluster] = listAt(config, "clusters");
  const [user] = listAt(config, "users");
  return {
    server: stringAt(cluster, "cluster.server", ""),
    ca: decoded(cluster, "cluster.certificate-authority-data"),
    cert: decoded(user, "user.client-certificate-data"),
    key: decoded(user, "user.client-key-data"),
  };
}

function decoded(value: unknown, path: string): string {
  return Buffer.from(stringAt(value, path, ""), "base64").toString();
}

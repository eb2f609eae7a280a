import { join } from "node:path";
import { Fault } from "../../core/fault/index.ts";
import type { Machine } from "./machine.ts";

const folder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The API server and service account of the pod this runs in. */
type InClusterConfig = {
  readonly server: string;
  readonly authority: string;
  readonly tokenFile: string;
  readonly namespace: string;
};

/** Reads the service account of a pod. Undefined outside of a cluster. Models client-go rest/config.go InClusterConfig */
export async function readInClusterConfig(machine: Machine): Promise<InClusterConfig | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = machine.env;
  if (!host || !port) return undefined;
  try {
    const authority = await machine.read(join(folder, "ca.crt"));
    const namespace = await machine.read(join(folder, "namespace")).catch(() => "default"); // older clusters have none
    return {
      server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
      authority,
      tokenFile: join(folder, "token"),
      namespace: namespace.trim(),
    };
  } catch (cause) {
    throw new Fault(`read the service account of this pod in ${folder}`, cause, { final: true });
  }
}

import { conflictError, type StatusError } from "../status-error.ts";
import type { ServedResource } from "./served-resource.ts";

/** Resources that etcd has under another name. Models kubernetes pkg/kubeapiserver/default_storage_factory_builder.go */
const prefixes: Readonly<Record<string, string>> = {
  endpoints: "services/endpoints",
  "ingresses.networking.k8s.io": "ingress",
  nodes: "minions",
  replicationcontrollers: "controllers",
  services: "services/specs",
};

/** Groups whose API servers put the group in front, as it is for custom resources. */
const ownServers: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

type Target = {
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly uid?: string | undefined;
  /** A dry run names the key without the prefix of its storage. Default false. */
  readonly dryRun?: boolean;
};

/** The conflict of a write to an object with another uid, or to one that is not there. Models apiserver pkg/storage/errors.go */
export function uidConflict(
  resource: ServedResource,
  { namespace = "", name, uid = "", dryRun = false }: Target,
  wanted: string,
): StatusError {
  const { group, plural, key, custom } = resource;
  const prefix = custom !== undefined || ownServers.has(group) ? `${group}/${plural}` : (prefixes[key] ?? plural);
  const place = [dryRun ? "" : "/registry", prefix, namespace, name].filter((part, index) => index === 0 || part !== "").join("/");
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`;
  return conflictError(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${place}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

import { booleanAt, listAt, numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";

type Selectable = (object: KubeObject) => Readonly<Record<string, string>>;

const strings =
  (...paths: readonly string[]): Selectable =>
  (object) =>
    Object.fromEntries(paths.map((path) => [path, stringAt(object, path, "")]));

function event(object: KubeObject): Readonly<Record<string, string>> {
  const about = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map((name) => `involvedObject.${name}`);
  const reporter = stringAt(object, "reportingComponent", "");
  return {
    ...strings(...about, "reason", "type")(object),
    reportingComponent: reporter,
    source: stringAt(object, "source.component") ?? reporter,
  };
}

/** The same event by the names of events.k8s.io. It is stored in the core group. */
function eventOfItsGroup(object: KubeObject): Readonly<Record<string, string>> {
  const about = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];
  const regarding = Object.fromEntries(about.map((name) => [`regarding.${name}`, stringAt(object, `involvedObject.${name}`, "")]));
  return { ...regarding, ...strings("reason", "type")(object), reportingController: stringAt(object, "reportingComponent", "") };
}

function pod(object: KubeObject): Readonly<Record<string, string>> {
  const fields = strings(
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "status.phase",
    "status.nominatedNodeName",
  );
  const ip = stringAt(listAt(object, "status.podIPs")[0], "ip") ?? stringAt(object, "status.podIP", "");
  // The name that spec.nodeName had in v1beta1.
  const host = { "spec.host": stringAt(object, "spec.nodeName", "") };
  return {
    ...fields(object),
    ...host,
    "spec.hostNetwork": String(booleanAt(object, "spec.hostNetwork")),
    "status.podIP": ip,
    "status.podIPs": ip,
  };
}

// Models the SelectableFields functions of pkg/registry and the field label conversions of pkg/apis/*/v1/conversion.go
const byKind: Readonly<Record<string, Selectable>> = {
  "/Pod": pod,
  "/Event": event,
  "events.k8s.io/Event": eventOfItsGroup,
  "/Secret": strings("type"),
  "/Node": (object) => ({ "spec.unschedulable": String(booleanAt(object, "spec.unschedulable")) }),
  "/Namespace": strings("status.phase"),
  "/Service": strings("spec.clusterIP", "spec.type"),
  "/ReplicationController": (object) => ({ "status.replicas": String(numberAt(object, "status.replicas", 0)) }),
  "batch/Job": (object) => ({ "status.successful": String(numberAt(object, "status.succeeded", 0)) }),
  "certificates.k8s.io/CertificateSigningRequest": strings("spec.signerName"),
  "resource.k8s.io/ResourceSlice": strings("spec.nodeName", "spec.driver"),
};

/** Models apiserver pkg/registry/generic ObjectMetaFieldsSet, then the fields of the kind. */
export function selectableFieldsOf(key: string): Selectable {
  const own = byKind[key];
  return (object) => {
    const { name, namespace } = object.metadata;
    const general = namespace === undefined ? { "metadata.name": name } : { "metadata.name": name, "metadata.namespace": namespace };
    return own ? { ...general, ...own(object) } : general;
  };
}

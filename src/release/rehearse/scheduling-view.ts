import { listAt, fieldsAt, type Fields, type KubeObject } from "../../core/object/index.ts";

const specFields = ["affinity", "hostNetwork", "nodeName", "overhead", "priority", "tolerations", "topologySpreadConstraints"];
const containerFields = ["image", "name", "ports", "resources"];
const statusFields = ["conditions", "hostIP", "phase", "podIP", "podIPs", "startTime"];
const containerStatusFields = ["image", "imageID", "lastState", "name", "ready", "restartCount", "started", "state"];

/** What a scheduler needs of a pod: where it is, the room that it takes, and whom it avoids. Neither commands nor variables. */
export function schedulingViewOf({ apiVersion, kind, metadata, ...pod }: KubeObject): KubeObject {
  const { name, namespace, uid, creationTimestamp, deletionTimestamp, labels } = metadata;
  const containersIn = (field: string) => listAt(pod, `spec.${field}`).map((container) => picked(container, containerFields));
  const initContainers = containersIn("initContainers");
  const statuses = listAt(pod, "status.containerStatuses").map((status) => picked(status, containerStatusFields));
  return {
    apiVersion,
    kind,
    metadata: { name, ...defined({ namespace, uid, creationTimestamp, deletionTimestamp, labels }) },
    spec: {
      ...picked(fieldsAt(pod, "spec"), specFields),
      containers: containersIn("containers"),
      ...(initContainers.length === 0 ? {} : { initContainers }),
      // Whether a Job ends meanwhile is not rehearsed: its pod goes on to take its room.
      restartPolicy: "Always",
    },
    status: { ...picked(fieldsAt(pod, "status"), statusFields), ...(statuses.length === 0 ? {} : { containerStatuses: statuses }) },
  };
}

function picked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));
}

function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

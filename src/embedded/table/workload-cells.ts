import { findCondition, isDeleting, numberAt, stringAt, stringsAt, valueAt, listAt, type KubeObject } from "../../core/object/index.ts";
import {
  age,
  containerImages,
  containerNames,
  count,
  integer,
  labels,
  name,
  none,
  row,
  selector,
  selectorText,
  since,
  text,
  unset,
  type PrintCell,
  type PrintCells,
} from "./cell.ts";

const template = "spec.template.spec.containers";
const containers = [containerNames(template), containerImages(template)] as const;

/** `READY/DESIRED` of a workload. */
const readyOf: PrintCell = (object) => `${numberAt(object, "status.readyReplicas", 0)}/${numberAt(object, "spec.replicas", 0)}`;

const replicas = [integer("spec.replicas"), integer("status.replicas"), integer("status.readyReplicas")] as const;

const completions: PrintCell = (job) => {
  const succeeded = numberAt(job, "status.succeeded", 0);
  const wanted = numberAt(job, "spec.completions");
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallelism = numberAt(job, "spec.parallelism", 0);
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
};

const duration: PrintCell = (job, now) => {
  const start = stringAt(job, "status.startTime");
  if (start === undefined) return "";
  const end = stringAt(job, "status.completionTime");
  return since(start, end === undefined ? now : Date.parse(end));
};

const jobStatus: PrintCell = (job) => {
  const has = (type: string) => findCondition(job, type, "True") !== undefined;
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (isDeleting(job)) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
};

const suspended: PrintCell = (cronJob) => {
  const value = valueAt(cronJob, "spec.suspend");
  return value === undefined ? unset : value === true ? "True" : "False";
};

const lastSchedule: PrintCell = (cronJob, now) => {
  const time = stringAt(cronJob, "status.lastScheduleTime");
  return time === undefined ? none : since(time, now);
};

const cronTemplate = "spec.jobTemplate.spec.template.spec.containers";

const controller: PrintCell = ({ metadata }) => {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (owner === undefined) return none;
  const group = owner.apiVersion.includes("/") ? `.${owner.apiVersion.split("/", 1)[0]}` : "";
  return `${owner.kind}${group}`.toLowerCase() + `/${owner.name}`;
};

/** A number or a percentage of a disruption budget. */
const bound =
  (path: string): PrintCell =>
  (object) =>
    String(valueAt(object, path) ?? "N/A");

/** Models pkg/printers/internalversion/printers.go */
export const workloadCells: Readonly<Record<string, PrintCells>> = {
  Deployment: row(
    name,
    readyOf,
    integer("status.updatedReplicas"),
    integer("status.availableReplicas"),
    age,
    ...containers,
    (object: KubeObject) => selectorText(object, "spec.selector"),
  ),
  ReplicaSet: row(name, ...replicas, age, ...containers, selector("spec.selector")),
  ReplicationController: row(name, ...replicas, age, ...containers, labels("spec.selector")),
  StatefulSet: row(name, readyOf, age, ...containers),
  DaemonSet: row(
    name,
    integer("status.desiredNumberScheduled"),
    integer("status.currentNumberScheduled"),
    integer("status.numberReady"),
    integer("status.updatedNumberScheduled"),
    integer("status.numberAvailable"),
    labels("spec.template.spec.nodeSelector"),
    age,
    ...containers,
    selector("spec.selector"),
  ),
  Job: row(name, jobStatus, completions, duration, age, ...containers, selector("spec.selector")),
  CronJob: row(
    name,
    text("spec.schedule"),
    text("spec.timeZone", none),
    suspended,
    count("status.active"),
    lastSchedule,
    age,
    containerNames(cronTemplate),
    containerImages(cronTemplate),
    selector("spec.jobTemplate.spec.selector"),
  ),
  ControllerRevision: row(name, controller, integer("revision"), age),
  PodTemplate: row(
    name,
    containerNames("template.spec.containers"),
    containerImages("template.spec.containers"),
    labels("template.metadata.labels"),
  ),
  PodDisruptionBudget: row(name, bound("spec.minAvailable"), bound("spec.maxUnavailable"), integer("status.disruptionsAllowed"), age),
  Scale: row(name, integer("spec.replicas"), integer("status.replicas"), age),
  ResourceClaim: row(name, claimState, age),
  DeviceClass: row(name, age),
  ResourceClaimTemplate: row(name, age),
  ResourceSlice: row(name, text("spec.nodeName"), text("spec.driver"), text("spec.pool.name"), age),
  PriorityClass: row(name, integer("value"), (object) => valueAt(object, "globalDefault") === true, age, text("preemptionPolicy")),
  RuntimeClass: row(name, text("handler"), age),
};

function claimState(claim: KubeObject): string {
  const deleted = isDeleting(claim) ? ["deleted"] : [];
  if (valueAt(claim, "status.allocation") === undefined) return deleted.length > 0 ? "deleted" : "pending";
  const reserved = listAt(claim, "status.reservedFor").length > 0 || stringsAt(claim, "status.reservedFor").length > 0;
  return [...deleted, "allocated", ...(reserved ? ["reserved"] : [])].join(",");
}

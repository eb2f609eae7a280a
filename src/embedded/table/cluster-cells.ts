import {
  ageText,
  booleanAt,
  fieldsAt,
  findCondition,
  isFields,
  listAt,
  numberAt,
  stringAt,
  valueAt,
  type KubeObject,
} from "../../core/object/index.ts";
import { autoscalerCells } from "./autoscaler-cells.ts";
import {
  age,
  count,
  filledText,
  integer,
  name,
  none,
  row,
  since,
  text,
  unset,
  type Cell,
  type PrintCell,
  type PrintCells,
} from "./cell.ts";

const nodeStatus: PrintCell = (node) => {
  const ready = findCondition(node, "Ready")?.status;
  const state = ready === undefined ? "Unknown" : ready === "True" ? "Ready" : "NotReady";
  return booleanAt(node, "spec.unschedulable") ? `${state},SchedulingDisabled` : state;
};

/** Models pkg/printers/internalversion/printers.go printComponentStatus */
const health: PrintCell = (component) => {
  const status = stringAt(healthyCondition(component), "status");
  return status === "True" ? "Healthy" : status === "False" ? "Unhealthy" : "Unknown";
};

const healthText =
  (field: string): PrintCell =>
  (component) =>
    stringAt(healthyCondition(component), field, "");

function healthyCondition(component: KubeObject): unknown {
  return listAt(component, "conditions").find(({ type }) => type === "Healthy");
}

const rolePrefix = "node-role.kubernetes.io/";

const roles: PrintCell = ({ metadata }) => {
  const found = Object.entries(metadata.labels ?? {}).map(([key, value]) =>
    key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : key === "kubernetes.io/role" ? value : "",
  );
  return [...new Set(found.filter((role) => role !== ""))].toSorted().join(",") || none;
};

const addressOf =
  (type: string): PrintCell =>
  (node) =>
    stringAt(
      listAt(node, "status.addresses").find((address) => address["type"] === type),
      "address",
      none,
    );

function eventCells(event: KubeObject, now: number): readonly Cell[] {
  const first = since(stringAt(event, "firstTimestamp") ?? stringAt(event, "eventTime"), now);
  const last = stringAt(event, "lastTimestamp");
  const series = valueAt(event, "series");
  const involved = stringAt(event, "involvedObject.name", "");
  const kind = stringAt(event, "involvedObject.kind", "").toLowerCase();
  const host = stringAt(event, "source.host", "") || stringAt(event, "reportingInstance", "");
  const component = stringAt(event, "source.component", "") || stringAt(event, "reportingComponent", "");
  return [
    isFields(series) ? since(series["lastObservedTime"], now) : last === undefined ? first : since(last, now),
    stringAt(event, "type", ""),
    stringAt(event, "reason", ""),
    involved === "" ? kind : `${kind}/${involved}`,
    stringAt(event, "involvedObject.fieldPath", ""),
    host === "" ? component : `${component}, ${host}`,
    stringAt(event, "message", "").trim(),
    first,
    isFields(series) ? numberAt(series, "count", 0) : numberAt(event, "count", 0) || 1,
    event.metadata.name,
  ];
}

/** Used and hard amounts; `limits` tells which of the two columns. */
const amounts =
  (limits: boolean): PrintCell =>
  (quota) => {
    const used = fieldsAt(quota, "status.used");
    return Object.entries(fieldsAt(quota, "status.hard"))
      .filter(([resource]) => resource.startsWith("limits.") === limits)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([resource, hard]) => `${resource}: ${String(used[resource] ?? "0")}/${String(hard)}`)
      .join(", ");
  };

const requestStatus: PrintCell = (request) => {
  const has = (type: string) => findCondition(request, type) !== undefined;
  const decided = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  return `${decided}${has("Failed") ? ",Failed" : ""}${stringAt(request, "status.certificate", "") === "" ? "" : ",Issued"}`;
};

const requestedDuration: PrintCell = (request) => {
  const seconds = numberAt(request, "spec.expirationSeconds");
  return seconds === undefined ? none : ageText(seconds * 1000);
};

const roleRef: PrintCell = (binding) => `${stringAt(binding, "roleRef.kind", "")}/${stringAt(binding, "roleRef.name", "")}`;

const subjects =
  (kind: string): PrintCell =>
  (binding) =>
    listAt(binding, "subjects")
      .filter((subject) => subject["kind"] === kind)
      .map((subject) => (kind === "ServiceAccount" ? `${stringAt(subject, "namespace", "")}/` : "") + stringAt(subject, "name", ""))
      .join(", ");

const bindingCells = row(name, roleRef, age, subjects("User"), subjects("Group"), subjects("ServiceAccount"));

const paramKind: PrintCell = (policy) => {
  const kind = valueAt(policy, "spec.paramKind");
  return kind === undefined ? unset : `${stringAt(kind, "apiVersion", "")}/${stringAt(kind, "kind", "")}`;
};

const paramRef: PrintCell = (binding) => {
  const reference = valueAt(binding, "spec.paramRef");
  const referent = stringAt(reference, "name", "");
  if (referent !== "") return `${stringAt(reference, "namespace", "") || "*"}/${referent}`;
  const selector = valueAt(reference, "selector");
  return isFields(selector) ? selectorAsGoPrints(selector) : unset;
};

/** A label selector as Go's protobuf types print themselves. */
function selectorAsGoPrints(selector: unknown): string {
  const labels = Object.entries(fieldsAt(selector, "matchLabels")).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const expressions = listAt(selector, "matchExpressions").map((item) => {
    const values = valueAt(item, "values");
    return `LabelSelectorRequirement{Key:${String(item["key"])},Operator:${String(item["operator"])},Values:[${Array.isArray(values) ? values.join(" ") : ""}],},`;
  });
  const map = labels.map(([key, value]) => `${key}: ${String(value)},`).join("");
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}

const available: PrintCell = (service) => {
  const condition = findCondition(service, "Available");
  if (condition === undefined) return "Unknown";
  return condition.status === "True" || !condition.reason ? condition.status : `${condition.status} (${condition.reason})`;
};

const hostedBy: PrintCell = (service) => {
  const host = valueAt(service, "spec.service");
  return host === undefined ? "Local" : `${stringAt(host, "namespace", "")}/${stringAt(host, "name", "")}`;
};

const limited =
  (path: string): PrintCell =>
  (level) =>
    numberAt(level, `spec.limited.${path}`) ?? none;

/** Models pkg/printers/internalversion/printers.go and kube-aggregator pkg/registry/apiservice */
export const clusterCells: Readonly<Record<string, PrintCells>> = {
  Node: row(
    name,
    nodeStatus,
    roles,
    age,
    text("status.nodeInfo.kubeletVersion"),
    addressOf("InternalIP"),
    addressOf("ExternalIP"),
    filledText("status.nodeInfo.osImage", "<unknown>"),
    filledText("status.nodeInfo.kernelVersion", "<unknown>"),
    filledText("status.nodeInfo.containerRuntimeVersion", "<unknown>"),
  ),
  ComponentStatus: row(name, health, healthText("message"), healthText("error")),
  Namespace: row(name, text("status.phase"), age),
  Event: eventCells,
  ConfigMap: row(name, (map) => [fieldsAt(map, "data"), fieldsAt(map, "binaryData")].flatMap(Object.keys).length, age),
  Secret: row(name, text("type"), (secret) => Object.keys(fieldsAt(secret, "data")).length, age),
  ServiceAccount: row(name, age),
  ResourceQuota: row(name, amounts(false), amounts(true), age),
  Lease: row(name, text("spec.holderIdentity"), age),
  HorizontalPodAutoscaler: autoscalerCells,
  RoleBinding: bindingCells,
  ClusterRoleBinding: bindingCells,
  CertificateSigningRequest: row(name, age, filledText("spec.signerName", none), text("spec.username"), requestedDuration, requestStatus),
  MutatingWebhookConfiguration: row(name, count("webhooks"), age),
  ValidatingWebhookConfiguration: row(name, count("webhooks"), age),
  ValidatingAdmissionPolicy: row(name, count("spec.validations"), paramKind, age),
  ValidatingAdmissionPolicyBinding: row(name, text("spec.policyName"), paramRef, age),
  APIService: row(name, hostedBy, available, age),
  FlowSchema: row(
    name,
    text("spec.priorityLevelConfiguration.name"),
    integer("spec.matchingPrecedence"),
    text("spec.distinguisherMethod.type", none),
    age,
    (schema) => findCondition(schema, "Dangling")?.status ?? "?",
  ),
  PriorityLevelConfiguration: row(
    name,
    text("spec.type"),
    limited("nominalConcurrencyShares"),
    limited("limitResponse.queuing.queues"),
    limited("limitResponse.queuing.handSize"),
    limited("limitResponse.queuing.queueLengthLimit"),
    age,
  ),
};

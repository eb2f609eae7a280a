import { booleanAt, fieldsAt, listAt, mapAt, numberAt, stringAt, type Fields, type KubeObject } from "../../../object/index.ts";
import { changed, changedItems, isUnset, withField } from "../edit.ts";
import { isWriteOf, refuse, type Admission, type AdmissionRequest } from "./request.ts";

function withSpec(pod: KubeObject, change: (spec: Fields) => Fields): Admission {
  return { object: changed(pod, "spec", change) };
}

const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const tokenPrefix = "kube-api-access-";

const tokenSource = {
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    { downwardAPI: { items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }] } },
  ],
  defaultMode: 420,
};

function mountsToken(account: KubeObject, spec: Fields): boolean {
  const own = spec["automountServiceAccountToken"] ?? account["automountServiceAccountToken"];
  return own !== false;
}

function withToken(spec: Fields, suffix: () => string): Fields {
  const known = listAt(spec, "volumes").find((volume) => stringAt(volume, "name", "").startsWith(tokenPrefix));
  const name = stringAt(known, "name") ?? `${tokenPrefix}${suffix()}`;
  const mount = (container: Fields): Fields => {
    const mounts = listAt(container, "volumeMounts");
    if (mounts.some((each) => each["mountPath"] === tokenPath)) return container;
    return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath: tokenPath }] };
  };
  const mounted = changedItems(changedItems(spec, "initContainers", mount), "containers", mount);
  if (known !== undefined || mounted === spec) return mounted;
  return { ...mounted, volumes: [...listAt(spec, "volumes"), { name, projected: tokenSource }] };
}

const mirror = "kubernetes.io/config.mirror";

/** Models plugin/pkg/admission/serviceaccount/admission.go */
export function serviceAccount(request: AdmissionRequest): Admission {
  const { object, operation, reader, suffix } = request;
  if (!isWriteOf(request, "", "Pod") || operation !== "create" || mapAt(object, "metadata.annotations")[mirror] !== undefined)
    return { object };
  const namespace = object.metadata.namespace ?? "";
  const name = stringAt(object, "spec.serviceAccountName") ?? stringAt(object, "spec.serviceAccount") ?? "default";
  const account = reader.read("", "ServiceAccount", namespace, name);
  if (account === undefined)
    return refuse(request, `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`);
  return withSpec(object, (spec) => {
    const named = withField(withField(spec, "serviceAccountName", name), "serviceAccount", name);
    const secrets = listAt(account, "imagePullSecrets").map((secret) => ({ name: stringAt(secret, "name") }));
    const pulling = listAt(spec, "imagePullSecrets").length === 0 && secrets.length > 0 ? { ...named, imagePullSecrets: secrets } : named;
    return mountsToken(account, spec) ? withToken(pulling, suffix) : pulling;
  });
}

type PriorityFacts = { readonly name?: string; readonly value: number; readonly preemptionPolicy: string };

function factsOf(priorityClass: KubeObject): PriorityFacts {
  return {
    name: priorityClass.metadata.name,
    value: numberAt(priorityClass, "value", 0),
    preemptionPolicy: stringAt(priorityClass, "preemptionPolicy", "PreemptLowerPriority"),
  };
}

/** Of several classes that want to be the default, the lowest is. */
function defaultPriority({ reader }: AdmissionRequest): PriorityFacts {
  const candidates = reader.list("scheduling.k8s.io", "PriorityClass", "").filter((each) => booleanAt(each, "globalDefault"));
  const [lowest] = candidates.map(factsOf).toSorted((a, b) => a.value - b.value);
  return lowest ?? { value: 0, preemptionPolicy: "PreemptLowerPriority" };
}

/** Models plugin/pkg/admission/priority/admission.go */
export function priority(request: AdmissionRequest): Admission {
  const { object, operation, live, reader } = request;
  if (!isWriteOf(request, "", "Pod")) return { object };
  if (operation === "update") {
    const before = fieldsAt(live, "spec");
    return withSpec(object, (spec) =>
      ["priority", "preemptionPolicy"].reduce(
        (fields, name) => (isUnset(fields[name]) ? withField(fields, name, before[name]) : fields),
        spec,
      ),
    );
  }
  const name = stringAt(object, "spec.priorityClassName", "");
  const named = name === "" ? undefined : reader.read("scheduling.k8s.io", "PriorityClass", "", name);
  if (name !== "" && named === undefined) return refuse(request, `no PriorityClass with name ${name} was found`);
  return prioritized(request, named === undefined ? defaultPriority(request) : factsOf(named));
}

function prioritized(request: AdmissionRequest, facts: PriorityFacts): Admission {
  const spec = fieldsAt(request.object, "spec");
  const [asked, policy] = [numberAt(spec, "priority"), stringAt(spec, "preemptionPolicy")];
  const computed = "must not be provided in pod spec; priority admission controller computed";
  if (asked !== undefined && asked !== facts.value) {
    return refuse(request, `the integer value of priority (${asked}) ${computed} ${facts.value} from the given PriorityClass name`);
  }
  if (policy !== undefined && policy !== facts.preemptionPolicy) {
    return refuse(
      request,
      `the string value of PreemptionPolicy (${policy}) ${computed} ${facts.preemptionPolicy} from the given PriorityClass name`,
    );
  }
  const settled = { ...spec, priority: facts.value, preemptionPolicy: facts.preemptionPolicy };
  return { object: { ...request.object, spec: facts.name === undefined ? settled : { ...settled, priorityClassName: facts.name } } };
}

const taints = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** Models plugin/pkg/admission/defaulttolerationseconds/admission.go */
export function defaultTolerations(request: AdmissionRequest): Admission {
  const { object } = request;
  if (!isWriteOf(request, "", "Pod")) return { object };
  const tolerations = listAt(object, "spec.tolerations");
  const covers = (toleration: Fields, key: string): boolean => {
    const [own, effect] = [stringAt(toleration, "key", ""), stringAt(toleration, "effect", "")];
    return (own === key || own === "") && (effect === "NoExecute" || effect === "");
  };
  const missing = taints.filter((key) => !tolerations.some((toleration) => covers(toleration, key)));
  if (missing.length === 0) return { object };
  const added = missing.map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 }));
  return withSpec(object, (spec) => ({ ...spec, tolerations: [...tolerations, ...added] }));
}

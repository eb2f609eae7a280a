import { booleanAt, fieldsAt, isFields, numberAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { changed, changedItems, filled, isUnset, oncePerValue, withoutFields, withField } from "../field-edits.ts";
import { podLevelDefaults } from "../pod-resources.ts";
import { containerDefaults } from "./container.ts";
import { volumeDefaults } from "./volume.ts";

/** `serviceAccount` is an alias of serviceAccountName that is always written beside it. Models pkg/apis/core/v1/conversion.go */
function withServiceAccountAlias(spec: Fields): Fields {
  const name = stringAt(spec, "serviceAccountName") ?? stringAt(spec, "serviceAccount");
  return name === undefined ? spec : withField(withField(spec, "serviceAccountName", name), "serviceAccount", name);
}

/** Models pkg/apis/core/v1/defaults.go SetDefaults_PodSpec and the defaults of everything in the spec. */
const podSpecDefaults = oncePerValue((spec: Fields): Fields => {
  const own = filled(withServiceAccountAlias(spec), {
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: "default-scheduler",
  });
  const mounted = changedItems(own, "volumes", volumeDefaults);
  return ["initContainers", "containers", "ephemeralContainers"].reduce(
    (fields, name) => changedItems(fields, name, containerDefaults),
    mounted,
  );
});

const initContainerAnnotations = [
  "pod.beta.kubernetes.io/init-containers",
  "pod.alpha.kubernetes.io/init-containers",
  "pod.beta.kubernetes.io/init-container-statuses",
  "pod.alpha.kubernetes.io/init-container-statuses",
];

function withoutOldAnnotations(metadata: Fields): Fields {
  const kept = changed(metadata, "annotations", (annotations) => withoutFields(annotations, ...initContainerAnnotations));
  return Object.keys(fieldsAt(kept, "annotations")).length === 0 ? withoutFields(kept, "annotations") : kept;
}

export function podTemplateDefaults(template: Fields): Fields {
  return changed(changed(template, "metadata", withoutOldAnnotations), "spec", podSpecDefaults);
}

/** The defaults of the template at `spec.template` of a workload. */
export function withTemplateDefaults(spec: Fields): Fields {
  return changed(spec, "template", podTemplateDefaults);
}

// Limits default the requests of Pods only, never of templates.
function requestsFromLimits(container: Fields): Fields {
  return changed(container, "resources", (resources) => {
    const limits = resources["limits"];
    if (!isFields(limits)) return resources;
    const requests = filled(fieldsAt(resources, "requests"), limits);
    return requests === resources["requests"] ? resources : { ...resources, requests };
  });
}

function hostPorts(container: Fields): Fields {
  return changedItems(container, "ports", (port) => filled(port, { hostPort: port["containerPort"] }));
}

function podOnly(spec: Fields): Fields {
  const requested = ["containers", "initContainers"].reduce((fields, name) => changedItems(fields, name, requestsFromLimits), spec);
  const linked = filled(podLevelDefaults(requested), { enableServiceLinks: true });
  if (!booleanAt(linked, "hostNetwork")) return linked;
  return ["containers", "initContainers"].reduce((fields, name) => changedItems(fields, name, hostPorts), linked);
}

function positiveGrace(spec: Fields): Fields {
  return numberAt(spec, "terminationGracePeriodSeconds", 0) < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
}

/** Models SetDefaults_Pod, then what the conversion of a Pod adds. */
export function podDefaults(pod: KubeObject): KubeObject {
  const spec = changed(pod, "spec", (fields) => positiveGrace(podSpecDefaults(podOnly(fields))));
  return changed(changed(spec, "metadata", withoutOldAnnotations), "status", podIps);
}

/** podIP and the first of podIPs are one field in the server; podIP wins. */
function podIps(status: Fields): Fields {
  const ip = stringAt(status, "podIP");
  const ips = status["podIPs"];
  const first: unknown = Array.isArray(ips) ? ips[0] : undefined;
  if (isUnset(ip)) return isFields(first) && !isUnset(first["ip"]) ? { ...status, podIP: first["ip"] } : status;
  return isFields(first) && first["ip"] === ip ? status : { ...status, podIPs: [{ ip }] };
}

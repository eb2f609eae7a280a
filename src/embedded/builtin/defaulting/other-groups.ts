import { listAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { changed, changedItems, filled, isUnset } from "../field-edits.ts";
import { withoutConversionAnnotations } from "../conversion/autoscaler-conversion.ts";
import { withServicePort } from "./core.ts";

// Models pkg/apis/networking/v1/defaults.go

const policyPort = (rule: Fields): Fields => changedItems(rule, "ports", (port) => filled(port, { protocol: "TCP" }));

export function networkPolicyDefaults(policy: KubeObject): KubeObject {
  return changed(policy, "spec", (spec) => {
    const ported = changedItems(changedItems(spec, "ingress", policyPort), "egress", policyPort);
    const types = listAt(spec, "egress").length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    return isUnset(spec["policyTypes"]) ? { ...ported, policyTypes: types } : ported;
  });
}

export function ingressClassDefaults(ingressClass: KubeObject): KubeObject {
  return changed(ingressClass, "spec", (spec) => changed(spec, "parameters", (parameters) => filled(parameters, { scope: "Cluster" })));
}

// Models pkg/apis/autoscaling/v2/defaults.go

const scaleUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const scaleDown = { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };
const cpuAt80 = [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }];

export function autoscalerDefaults(autoscaler: KubeObject): KubeObject {
  // The metric of a CPU is the default of the conversion, which knows the metrics in annotations.
  if (autoscaler.apiVersion === "autoscaling/v1") return changed(autoscaler, "spec", (spec) => filled(spec, { minReplicas: 1 }));
  return changed(withoutConversionAnnotations(autoscaler), "spec", (spec) =>
    changed(filled(spec, { minReplicas: 1, metrics: cpuAt80 }), "behavior", (behavior) => {
      const both = filled(behavior, { scaleUp, scaleDown });
      return changed(
        changed(both, "scaleUp", (rules) => filled(rules, scaleUp)),
        "scaleDown",
        (rules) => filled(rules, scaleDown),
      );
    }),
  );
}

// Models pkg/apis/rbac/v1/defaults.go

const rbacGroup = "rbac.authorization.k8s.io";

function subject(fields: Fields): Fields {
  return fields["kind"] === "User" || fields["kind"] === "Group" ? filled(fields, { apiGroup: rbacGroup }) : fields;
}

export function roleBindingDefaults(binding: KubeObject): KubeObject {
  const grouped = changed(binding, "roleRef", (ref) =>
    ref["apiGroup"] === "" || isUnset(ref["apiGroup"]) ? { ...ref, apiGroup: rbacGroup } : ref,
  );
  return changedItems(grouped, "subjects", subject);
}

// Models pkg/apis/storage/v1/defaults.go

export function storageClassDefaults(storageClass: KubeObject): KubeObject {
  return filled(storageClass, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
}

export function csiDriverDefaults(driver: KubeObject): KubeObject {
  return changed(driver, "spec", (spec) =>
    filled(spec, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      volumeLifecycleModes: ["Persistent"],
      requiresRepublish: false,
      seLinuxMount: false,
    }),
  );
}

/** Models pkg/apis/discovery/v1/defaults.go */
export function endpointSliceDefaults(slice: KubeObject): KubeObject {
  return changedItems(slice, "ports", (port) => filled(port, { name: "", protocol: "TCP" }));
}

// Models pkg/apis/admissionregistration/v1/defaults.go

const rule = (fields: Fields): Fields => filled(fields, { scope: "*" });
const selection = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };

function webhook(fields: Fields, more: Fields): Fields {
  const own = filled(fields, { failurePolicy: "Fail", ...selection, timeoutSeconds: 10, ...more });
  return changedItems(changed(own, "clientConfig", withServicePort), "rules", rule);
}

export function validatingWebhooksDefaults(configuration: KubeObject): KubeObject {
  return changedItems(configuration, "webhooks", (fields) => webhook(fields, {}));
}

export function mutatingWebhooksDefaults(configuration: KubeObject): KubeObject {
  return changedItems(configuration, "webhooks", (fields) => webhook(fields, { reinvocationPolicy: "Never" }));
}

function matchResources(fields: Fields): Fields {
  return changedItems(changedItems(filled(fields, selection), "resourceRules", rule), "excludeResourceRules", rule);
}

export function admissionPolicyDefaults(policy: KubeObject): KubeObject {
  return changed(policy, "spec", (spec) => changed(filled(spec, { failurePolicy: "Fail" }), "matchConstraints", matchResources));
}

export function admissionPolicyBindingDefaults(binding: KubeObject): KubeObject {
  return changed(binding, "spec", (spec) => changed(spec, "matchResources", matchResources));
}

/** Models pkg/apis/scheduling/v1/defaults.go */
export function priorityClassDefaults(priorityClass: KubeObject): KubeObject {
  return filled(priorityClass, { preemptionPolicy: "PreemptLowerPriority" });
}

// Models pkg/apis/flowcontrol/v1/defaults.go

export function flowSchemaDefaults(schema: KubeObject): KubeObject {
  return changed(schema, "spec", (spec) =>
    spec["matchingPrecedence"] === 0 || isUnset(spec["matchingPrecedence"]) ? { ...spec, matchingPrecedence: 1000 } : spec,
  );
}

function queuing(response: Fields): Fields {
  return changed(response, "queuing", (fields) => filled(fields, { queues: 64, handSize: 8, queueLengthLimit: 50 }));
}

export function priorityLevelDefaults(level: KubeObject): KubeObject {
  return changed(level, "spec", (spec) => {
    const exempt = changed(spec, "exempt", (fields) => filled(fields, { nominalConcurrencyShares: 0, lendablePercent: 0 }));
    return changed(exempt, "limited", (fields) =>
      changed(filled(fields, { nominalConcurrencyShares: 30, lendablePercent: 0 }), "limitResponse", queuing),
    );
  });
}

// Models pkg/apis/resource/v1/defaults.go

function deviceRequest(request: Fields): Fields {
  const counted = filled(request, { allocationMode: "ExactCount" });
  const exact = counted["allocationMode"] === "ExactCount" ? filled(counted, { count: 1 }) : counted;
  return changedItems(exact, "tolerations", (toleration) => filled(toleration, { operator: "Equal" }));
}

const claimRequest = (fields: Fields): Fields => changedItems(changed(fields, "exactly", deviceRequest), "firstAvailable", deviceRequest);

function devices(spec: Fields): Fields {
  return changed(spec, "devices", (fields) => changedItems(fields, "requests", claimRequest));
}

export function resourceClaimDefaults(claim: KubeObject): KubeObject {
  return changed(claim, "spec", devices);
}

export function resourceClaimTemplateDefaults(template: KubeObject): KubeObject {
  return changed(template, "spec", (outer) => changed(outer, "spec", devices));
}

// Models pkg/apis/authentication/v1/defaults.go

export function tokenRequestDefaults(request: KubeObject): KubeObject {
  return changed(request, "spec", (spec) => filled(spec, { expirationSeconds: 3600 }));
}

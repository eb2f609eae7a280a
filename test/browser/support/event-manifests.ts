/** Services on port 443 that are not of Kubernetes itself; port 666 makes the script fail, and names may carry markup. */
const script = `
      function evaluate()
        local hs = { matching = false, message = "no port 443" }
        for _, port in ipairs(obj.spec.ports) do
          if port.port == 666 then error("<b>no such port</b>") end
          if port.port == 443 then hs.matching = true end
        end
        return hs
      end`;

/** An EventSource, two triggers for it, and what they deploy. */
export const eventManifests = `
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventSource
metadata: {name: https}
spec:
  collectResources: true
  resourceSelectors:
  - group: ""
    version: v1
    kind: Service
    namespace: default
    labelFilters: [{key: provider, operation: Different, value: kubernetes}]
    evaluate: |${script}
---
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventSource
metadata: {name: unused}
spec: {resourceSelectors: [{group: "", version: v1, kind: Node}]}
---
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventTrigger
metadata: {name: network-policy}
spec:
  sourceClusterSelector: {matchLabels: {env: prod}}
  eventSourceName: https
  oneForEvent: true
  policyRefs: [{kind: ConfigMap, namespace: default, name: policy}]
---
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventTrigger
metadata: {name: certificates}
spec:
  sourceClusterSelector: {matchLabels: {region: west}}
  eventSourceName: https
  policyRefs: [{kind: ConfigMap, namespace: default, name: not-there}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: policy, namespace: default, annotations: {projectsveltos.io/instantiate: ok}}
data:
  policy.yaml: |
    apiVersion: networking.k8s.io/v1
    kind: NetworkPolicy
    metadata: {name: "to-{{ .Resource.metadata.name }}", namespace: default}
    spec: {podSelector: {}, ingress: [{ports: [{port: 443}]}]}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "notes-{{ .Resource.metadata.name }}", namespace: default}
`;

/** A Service of a managed cluster. */
export function serviceManifest(name: string, port: number) {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: "default", labels: { app: name } },
    spec: { selector: { app: name }, ports: [{ port }] },
  };
}

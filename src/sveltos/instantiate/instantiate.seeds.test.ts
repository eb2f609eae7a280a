import assert from "node:assert/strict";
import test from "node:test";
import { contentHash } from "../api/index.ts";
import { listAt, valueAt } from "../../core/object/index.ts";
import { FakeHub, clusterFrom, collectedMatch, objectFrom, triggerFrom } from "../../../test/support/instantiate/fake-hub.ts";

function httpsService(name: string, port: number) {
  const ports = [{ port: 80 }, { port }];
  return collectedMatch({ apiVersion: "v1", kind: "Service", metadata: { name, namespace: "eng" }, spec: { ports } });
}

const networkPolicy = objectFrom(`
apiVersion: v1
kind: ConfigMap
metadata:
  name: network-policy
  namespace: default
data:
  networkpolicy.yaml: |
    kind: NetworkPolicy
    apiVersion: networking.k8s.io/v1
    metadata:
      name: front-{{ .Resource.metadata.name }}
      namespace: {{ .Resource.metadata.namespace }}
    spec:
      podSelector:
        matchLabels:
          {{ range $key, $value := .Resource.spec.selector }}
          {{ $key }}: {{ $value }}
          {{ end }}
      ingress:
        - from:
          - podSelector:
              matchLabels:
                app: internal
          ports:
            {{ range $port := .Resource.spec.ports }}
            - port: {{ $port.port }}
            {{ end }}
`);

const myService = objectFrom(`
apiVersion: v1
kind: Service
metadata:
  name: my-service
  namespace: default
  labels:
    sveltos: fv
spec:
  selector:
    app.kubernetes.io/name: MyApp
  ports:
    - protocol: TCP
      port: 80
      targetPort: 9376
`);

const serviceNetworkPolicy = triggerFrom(`
apiVersion: lib.projectsveltos.io/v1alpha1
kind: EventBasedAddOn
metadata:
 name: service-network-policy
spec:
 clusterSelector: env=fv
 eventSourceName: sveltos-service
 oneForEvent: true
 policyRefs:
 - name: network-policy
   namespace: default
   kind: ConfigMap
`);

test("seed 001: a NetworkPolicy for each labelled Service, with the hash that is printed", () => {
  const hub = new FakeHub([networkPolicy]);
  const { problems } = hub.run(serviceNetworkPolicy, [collectedMatch(myService)]);
  assert.deepEqual(problems, []);
  const [profile] = hub.profiles;
  assert.ok(profile !== undefined);
  const [policy] = hub.manifests(profile, "networkpolicy.yaml");
  assert.ok(policy !== undefined);
  assert.equal(policy.metadata.name, "front-my-service");
  assert.equal(contentHash(policy), "sha256:8e7e0a7848eef3f75aed25d1136631dd58bdb9761709a9c46153bb5d04d69e8b");
});

// Names, labels and fields as observed on a running Sveltos (spec 3.3).
test("seed 001: the profile and the ConfigMap", () => {
  const hub = new FakeHub([networkPolicy]);
  hub.run(serviceNetworkPolicy, [collectedMatch(myService)]);
  const [profile] = hub.profiles;
  const [content] = hub.generated.filter(({ kind }) => kind === "ConfigMap");
  assert.match(profile?.metadata.name ?? "", /^sveltos-[0-9a-z]{20}$/);
  assert.match(content?.metadata.name ?? "", /^sveltos-[0-9a-z]{20}$/);
  const labels = {
    "eventtrigger.lib.projectsveltos.io/clusterNamespace": "mgmt",
    "eventtrigger.lib.projectsveltos.io/clustername": "c1",
    "eventtrigger.lib.projectsveltos.io/clustertype": "Sveltos",
    "eventtrigger.lib.projectsveltos.io/eventreportname": "sveltos-service",
    "eventtrigger.lib.projectsveltos.io/eventtriggername": "service-network-policy",
    "eventtrigger.lib.projectsveltos.io/refname": "network-policy",
    "eventtrigger.lib.projectsveltos.io/refnamespace": "default",
    "eventtrigger.lib.projectsveltos.io/resourcename": "my-service",
    "eventtrigger.lib.projectsveltos.io/resourcenamespace": "default",
  };
  assert.deepEqual(content?.metadata, { name: content?.metadata.name, namespace: "projectsveltos", labels });
  assert.deepEqual(profile, {
    apiVersion: "config.projectsveltos.io/v1beta1",
    kind: "ClusterProfile",
    metadata: { name: profile?.metadata.name, labels },
    spec: {
      clusterSelector: {},
      clusterRefs: [{ apiVersion: "lib.projectsveltos.io/v1beta1", kind: "SveltosCluster", namespace: "mgmt", name: "c1" }],
      syncMode: "Continuous",
      tier: 100,
      continueOnConflict: false,
      continueOnError: false,
      reloader: false,
      stopMatchingBehavior: "WithdrawPolicies",
      policyRefs: [{ kind: "ConfigMap", namespace: "projectsveltos", name: content?.metadata.name, deploymentType: "Remote" }],
    },
  });
});

test("seed 001: one Ingress over all https Services, with the hash that is printed", () => {
  const ingress = objectFrom(`
apiVersion: v1
kind: ConfigMap
metadata:
  name: ingress
  namespace: default
data:
  ingress.yaml: |
    apiVersion: networking.k8s.io/v1
    kind: Ingress
    metadata:
      name: ingress
      namespace: default
      annotations:
        nginx.ingress.kubernetes.io/rewrite-target: /
    spec:
      ingressClassName: http-ingress
      rules:
        - http:
            paths:
            {{ range $resource := .Resources }}
            - path: /{{ .metadata.name }}
              pathType: Prefix
              backend:
                service:
                  name: {{ .metadata.name }}
                  port:
                    {{ range .spec.ports }}
                    {{ if or (eq .port 443 ) (eq .port 8443 ) }}
                    number: {{ .port }}
                    {{ end }}
                    {{ end }}
            {{ end }}
`);
  const trigger = triggerFrom(`
apiVersion: lib.projectsveltos.io/v1alpha1
kind: EventBasedAddOn
metadata:
 name: ingress-configuration
spec:
 clusterSelector: env=fv
 eventSourceName: https-service
 oneForEvent: false
 policyRefs:
 - name: ingress
   namespace: default
   kind: ConfigMap
`);
  const hub = new FakeHub([ingress]);
  assert.deepEqual(hub.run(trigger, [httpsService("my-service-2", 8443), httpsService("my-service", 443)]).problems, []);
  const [profile] = hub.profiles;
  assert.ok(profile !== undefined);
  const [made] = hub.manifests(profile, "ingress.yaml");
  assert.ok(made !== undefined);
  assert.equal(contentHash(made), "sha256:bc1e74450d20acedefca38f20cb998b7b24c12ac34e4b501d19b617568926140");
});

const servicePolicy = triggerFrom(`
apiVersion: lib.projectsveltos.io/v1alpha1
kind: EventTrigger
metadata:
  name: service-policy
spec:
  sourceClusterSelector: env=production
  destinationClusterSelector: dep=eng
  eventSourceName: load-balancer-service
  oneForEvent: true
  policyRefs:
  - name: service-policy
    namespace: default
    kind: ConfigMap
`);

test("seed 004: a Service of one cluster is exported to the clusters of a selector", () => {
  const endpoints = objectFrom(`
apiVersion: v1
kind: ConfigMap
metadata:
  name: service-policy
  namespace: default
  annotations:
    projectsveltos.io/template: ok
data:
  endpoint.yaml: |
    kind: Endpoints
    apiVersion: v1
    metadata:
      name: external-{{ .Resource.metadata.name }}
      namespace: external
    subsets:
    - addresses:
      - ip: {{ (index .Resource.status.loadBalancer.ingress 0).ip }}
      ports:
        {{ range $port := .Resource.spec.ports }}
        - port: {{ $port.port }}
        {{ end }}
`);
  const balancer = objectFrom(`
apiVersion: v1
kind: Service
metadata: {name: my-lb-service, namespace: test}
spec: {ports: [{port: 60000, protocol: TCP, targetPort: 50001}]}
status: {loadBalancer: {ingress: [{ip: 34.172.32.172}]}}`);
  const hub = new FakeHub([endpoints]);
  assert.deepEqual(hub.run(servicePolicy, [collectedMatch(balancer)]).problems, []);
  const [profile] = hub.profiles;
  assert.ok(profile !== undefined);
  assert.deepEqual(valueAt(profile, "spec.clusterSelector"), { matchLabels: { dep: "eng" } });
  assert.equal(valueAt(profile, "spec.clusterRefs"), undefined);
  assert.deepEqual(hub.manifests(profile, "endpoint.yaml"), [
    {
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: { name: "external-my-lb-service", namespace: "external" },
      subsets: [{ addresses: [{ ip: "34.172.32.172" }], ports: [{ port: 60000 }] }],
    },
  ]);
  // What an event put into the text is not a template of the deployment.
  const [content] = hub.generated.filter(({ kind }) => kind === "ConfigMap");
  assert.equal(content?.metadata.annotations, undefined);
});

test("seed 000: a ConfigMap without annotation is referenced as it is, with LeavePolicies, in a cluster of Cluster API", () => {
  const job = objectFrom(
    `{apiVersion: v1, kind: ConfigMap, metadata: {name: postgresql-job, namespace: default}, data: {job.yaml: "a: '{{ b }}'"}}`,
  );
  const trigger = triggerFrom(`
apiVersion: lib.projectsveltos.io/v1beta1
kind: EventTrigger
metadata:
  name: deploy-insert-table-job
spec:
  sourceClusterSelector:
    matchLabels:
      env: fv
  eventSourceName: postgresql-deployment-health
  stopMatchingBehavior: LeavePolicies
  policyRefs:
  - name: postgresql-job
    namespace: default
    kind: ConfigMap
`);
  const deployment = objectFrom(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: postgresql, namespace: todo}}`);
  const cluster = clusterFrom(
    `{apiVersion: cluster.x-k8s.io/v1beta1, kind: Cluster, metadata: {name: clusterapi-workload, namespace: default}}`,
  );
  const hub = new FakeHub([job]);
  hub.run(trigger, [collectedMatch(deployment)], { cluster });
  const [profile] = hub.generated;
  assert.equal(hub.generated.length, 1);
  assert.deepEqual(profile?.metadata.labels, {
    "eventtrigger.lib.projectsveltos.io/clusterNamespace": "default",
    "eventtrigger.lib.projectsveltos.io/clustername": "clusterapi-workload",
    "eventtrigger.lib.projectsveltos.io/clustertype": "Capi",
    "eventtrigger.lib.projectsveltos.io/eventreportname": "postgresql-deployment-health",
    "eventtrigger.lib.projectsveltos.io/eventtriggername": "deploy-insert-table-job",
  });
  assert.deepEqual(listAt(profile, "spec.policyRefs"), [
    { kind: "ConfigMap", namespace: "default", name: "postgresql-job", deploymentType: "Remote" },
  ]);
  assert.deepEqual(listAt(profile, "spec.clusterRefs"), [
    { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", namespace: "default", name: "clusterapi-workload" },
  ]);
  assert.equal(valueAt(profile, "spec.stopMatchingBehavior"), "LeavePolicies");
});

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { EmbeddedFleet } from "../../../test/embedded-fleet.ts";
import { gvkOf } from "../../api/index.ts";
import type { Exchange } from "../../exchange/index.ts";
import { inProcess } from "../../fleet/index.ts";
import { connect } from "../../kube/index.ts";
import { leaseDurationMs } from "../../reconcile/index.ts";
import { Monitor } from "../chronicle/index.ts";
import { runController } from "./index.ts";

/** A whole controller on an embedded fleet, in virtual time: one replica of it. */
class Replica {
  readonly stop = new AbortController();
  readonly monitor: Monitor;
  readonly ended: Promise<void>;
  isDead = false;

  constructor(lab: EmbeddedFleet, identity: string) {
    this.monitor = new Monitor({ clock: lab.clock, write: () => {} });
    const through =
      (exchange: Exchange): Exchange =>
      (request) =>
        this.isDead
          ? new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)))
          : exchange(request);
    const reached = (name: string) =>
      connect(
        through((request) => lab.managed(name).raw(request)),
        lab.managed(name),
      );
    const hub = connect(
      through((request) => lab.hub.raw(request)),
      lab.hub,
    );
    const { surroundings } = lab.desk;
    const options = { hub, namespace: "projectsveltos", identity, open: inProcess(reached), surroundings, monitor: this.monitor };
    this.ended = runController(options, this.stop.signal);
    this.ended.catch(() => undefined);
  }
}

const content = `
apiVersion: v1
kind: ConfigMap
metadata: {name: content, namespace: default}
data:
  it.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: deployed, namespace: default}
---
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: it}
spec:
  clusterSelector: {matchLabels: {env: fv}}
  policyRefs: [{kind: ConfigMap, namespace: default, name: content}]
`;

/** As seed 001 writes it. */
const events = `
apiVersion: lib.projectsveltos.io/v1alpha1
kind: EventSource
metadata: {name: sveltos-service}
spec:
  collectResources: true
  group: ""
  version: v1
  kind: Service
  labelFilters: [{key: sveltos, operation: Equal, value: fv}]
---
apiVersion: lib.projectsveltos.io/v1alpha1
kind: EventBasedAddOn
metadata: {name: service-network-policy}
spec:
  sourceClusterSelector: env=fv
  eventSourceName: sveltos-service
  oneForEvent: true
  policyRefs: [{name: network-policy, namespace: default, kind: ConfigMap}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: network-policy, namespace: default}
data:
  networkpolicy.yaml: |
    kind: NetworkPolicy
    apiVersion: networking.k8s.io/v1
    metadata:
      name: front-{{ .Resource.metadata.name }}
      namespace: "{{ .Resource.metadata.namespace }}"
    spec:
      podSelector:
        matchLabels:
          {{- range $key, $value := .Resource.spec.selector }}
          {{ $key }}: "{{ $value }}"
          {{- end }}
`;

const service = (name: string) => `
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: default, labels: {sveltos: fv}}
spec: {selector: {app: ${name}}, ports: [{port: 80}]}
`;

const policies = { group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy" };
const deployed = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "deployed" };

async function opened(t: TestContext, type: "Sveltos" | "Capi" = "Sveltos"): Promise<EmbeddedFleet> {
  const lab = await EmbeddedFleet.open({ type, clusters: { c1: { env: "fv" }, c2: { env: "fv" }, c3: {} } });
  t.after(() => lab.close());
  return lab;
}

async function policiesIn(lab: EmbeddedFleet, cluster: string): Promise<readonly string[]> {
  return (await lab.list(policies, lab.managed(cluster))).map(({ metadata }) => metadata.name);
}

async function left(lab: EmbeddedFleet, ...replicas: readonly Replica[]): Promise<void> {
  for (const { stop } of replicas) stop.abort();
  await lab.until(Promise.all(replicas.map(({ ended }) => ended)));
}

for (const type of ["Sveltos", "Capi"] as const) {
  test(`a profile comes to ${type} clusters that match, an event is answered where it happens, and both go again`, async (t) => {
    const lab = await opened(t, type);
    const replica = new Replica(lab, "a");
    await lab.advance(3000);
    assert.deepEqual(replica.monitor.readiness(), { well: true });
    await lab.apply(content);
    await lab.apply(events);
    await lab.apply(service("web"), lab.managed("c1"));
    await lab.apply(service("db"), lab.managed("c1"));
    await lab.apply(service("other"), lab.managed("c3"));
    await lab.advance(5000);
    for (const [cluster, isThere] of [
      ["c1", true],
      ["c2", true],
      ["c3", false],
    ] as const)
      assert.equal((await lab.get(deployed, lab.managed(cluster))) !== undefined, isThere, cluster);
    assert.deepEqual(await policiesIn(lab, "c1"), ["front-db", "front-web"]);
    assert.deepEqual([await policiesIn(lab, "c2"), await policiesIn(lab, "c3")], [[], []]);
    assert.match(replica.monitor.metrics.text(), /^sluice_clusters\{state="ready"\} 3$/m);
    assert.match(replica.monitor.metrics.text(), /^sluice_deploys_total\{.*\} \d+$/m);
    assert.deepEqual(replica.monitor.liveness(), { well: true });
    await lab.until(lab.managed("c1").delete({ group: "", version: "v1", kind: "Service", namespace: "default", name: "db" }));
    await lab.until(lab.hub.delete({ ...gvkOf("ClusterProfile"), namespace: "", name: "it" }));
    await lab.advance(5000);
    assert.deepEqual(await policiesIn(lab, "c1"), ["front-web"]);
    assert.equal(await lab.get(deployed, lab.managed("c1")), undefined);
    lab.written.length = 0;
    await lab.advance(600_000);
    assert.deepEqual(
      lab.written.filter((write) => !write.includes("/leases/")),
      [],
      "a fleet at rest is left alone",
    );
    await left(lab, replica);
  });
}

for (const how of ["stops", "dies"] as const) {
  test(`when one of two replicas ${how}, the other one goes on with everything`, async (t) => {
    const lab = await opened(t);
    const [a, b] = [new Replica(lab, "a"), new Replica(lab, "b")];
    await lab.advance(5000);
    await lab.apply(content);
    await lab.apply(events);
    await lab.apply(service("web"), lab.managed("c1"));
    await lab.advance(5000);
    assert.deepEqual(await policiesIn(lab, "c1"), ["front-web"]);
    const leader = a.monitor.metrics.text().includes("\nsluice_leader 1\n") ? a : b;
    const other = leader === a ? b : a;
    if (how === "stops") await left(lab, leader);
    else leader.isDead = true;
    await lab.apply(service("late"), lab.managed("c2"));
    await lab.apply(service("later"), lab.managed("c1"));
    await lab.advance(how === "stops" ? 2000 : leaseDurationMs + 5000);
    assert.deepEqual(await policiesIn(lab, "c2"), ["front-late"]);
    assert.deepEqual(await policiesIn(lab, "c1"), ["front-later", "front-web"]);
    leader.isDead = false;
    await left(lab, a, b);
  });
}

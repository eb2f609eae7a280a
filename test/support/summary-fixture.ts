/** ClusterSummaries on an embedded fleet, for tests of their controller. */
import assert from "node:assert/strict";
import { EmbeddedFleet, fleetNamespace, type EmbeddedFleetOptions } from "./embedded-fleet.ts";
import { summaryStatusOf } from "../../src/sveltos/deploy/index.ts";
import {
  clusterConfigurationName,
  clusterReference,
  clusterSummaryLabels,
  clusterSummaryName,
  finalizers,
  gvkOf,
  type ClusterSummaryStatus,
  type ProfileKind,
} from "../../src/sveltos/api/index.ts";
import { apiVersionOf, fieldsAt, listAt, refOf, type KubeObject } from "../../src/core/object/index.ts";
import { readYaml } from "../../src/lang/yaml/index.ts";
import { runSummaryController } from "../../src/sveltos/controllers/cluster-summary/index.ts";

/** Options of a ClusterSummary besides its profile's spec. */
type SummaryOptions = {
  readonly cluster?: string;
  readonly kind?: ProfileKind;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
};

/** An embedded fleet with the ClusterSummary controller. Tests write ClusterSummaries as the profile controller does. */
export class SummaryFixture {
  readonly fleet: EmbeddedFleet;

  private constructor(fleet: EmbeddedFleet) {
    this.fleet = fleet;
  }

  static async open(options: EmbeddedFleetOptions & { readonly runs?: boolean } = {}): Promise<SummaryFixture> {
    const fixture = new SummaryFixture(await EmbeddedFleet.open(options));
    if (options.runs !== false) await fixture.fleet.run(runSummaryController);
    return fixture;
  }

  /** Writes the ClusterSummary of a profile whose spec is this YAML, and lets time pass. */
  async deploy(name: string, spec: string, wanted: SummaryOptions = {}): Promise<void> {
    await this.fleet.until(this.fleet.hub.apply(await this.summaryFor(name, spec, wanted), { manager: "profiles", force: true }));
    await this.fleet.advance(1000);
  }

  async summaryFor(name: string, spec: string, wanted: SummaryOptions = {}): Promise<KubeObject> {
    const { cluster = "c1", kind = "ClusterProfile" } = wanted;
    const id = this.fleet.id(cluster);
    const gvk = gvkOf(kind);
    const home = kind === "Profile" ? { namespace: fleetNamespace } : {};
    const profile = { apiVersion: apiVersionOf(gvk), kind, metadata: { name, ...home }, spec: readYaml(spec, "spec") };
    const owner = await this.fleet.until(this.fleet.hub.apply(profile, { manager: "user", force: true }));
    const status = { matchingClusters: [...listAt(owner, "status.matchingClusters"), clusterReference(id)] };
    await this.fleet.until(this.fleet.hub.patch(refOf(owner), { type: "merge", patch: { status } }, { subresource: "status" }));
    return {
      apiVersion: apiVersionOf(gvkOf("ClusterSummary")),
      kind: "ClusterSummary",
      metadata: {
        name: clusterSummaryName(kind, name, id),
        namespace: fleetNamespace,
        labels: clusterSummaryLabels(kind, { name }, id),
        annotations: wanted.annotations ?? {},
        finalizers: wanted.finalizers ?? [finalizers.ClusterSummary],
        ownerReferences: [{ apiVersion: apiVersionOf(gvk), kind, name, uid: owner.metadata.uid ?? "" }],
      },
      spec: { clusterName: cluster, clusterNamespace: fleetNamespace, clusterType: this.fleet.type, clusterProfileSpec: owner["spec"] },
    };
  }

  /** Deletes the ClusterSummary of a profile, as when it no longer matches. */
  async withdraw(name: string, cluster = "c1"): Promise<void> {
    await this.fleet.until(this.fleet.hub.delete(this.refOf(name, cluster)));
    await this.fleet.advance(1000);
  }

  async apply(yaml: string, cluster?: string): Promise<void> {
    await this.fleet.apply(yaml, cluster === undefined ? this.fleet.hub : this.fleet.managed(cluster));
    await this.fleet.advance(1000);
  }

  refOf(name: string, cluster = "c1") {
    return {
      ...gvkOf("ClusterSummary"),
      namespace: fleetNamespace,
      name: clusterSummaryName("ClusterProfile", name, this.fleet.id(cluster)),
    };
  }

  summary(name: string, cluster = "c1"): Promise<KubeObject | undefined> {
    return this.fleet.get(this.refOf(name, cluster));
  }

  async status(name: string, cluster = "c1"): Promise<ClusterSummaryStatus> {
    const found = await this.summary(name, cluster);
    assert.ok(found, `there is no summary of ${name} in ${cluster}`);
    return summaryStatusOf(found);
  }

  /** `Provisioned`, or the failure message of the first feature. */
  async state(name: string, cluster = "c1"): Promise<string> {
    const [feature] = (await this.status(name, cluster)).featureSummaries ?? [];
    return feature?.failureMessage ?? feature?.status ?? "nothing";
  }

  /** ConfigMaps of a cluster in namespace default: `a=1 b=2`. */
  async configMaps(cluster = "c1", place = "default"): Promise<string> {
    const found = await this.fleet.list({ group: "", version: "v1", kind: "ConfigMap" }, this.fleet.managed(cluster));
    return found
      .filter(({ metadata }) => metadata.namespace === place && metadata.name !== "kube-root-ca.crt")
      .map((item) => `${item.metadata.name}=${String(fieldsAt(item, "data")["v"])}`)
      .join(" ");
  }

  configuration(cluster = "c1"): Promise<KubeObject | undefined> {
    return this.fleet.get({
      ...gvkOf("ClusterConfiguration"),
      namespace: fleetNamespace,
      name: clusterConfigurationName(this.fleet.id(cluster)),
    });
  }

  close(): Promise<void> {
    return this.fleet.close();
  }
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../../../test/support/chart-of.ts";
import { historyOf } from "../../../release/record/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { readDrift, repairDrift, withProfile } from "../index.ts";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../../test/support/addon-content.ts";
import { DeployFixture, never } from "../../../../test/support/deploy/deploy-fixture.ts";

const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}"}
data: {v: "{{ .Values.v }}{{ .Values.w }}{{ .Values.x }}"}
`;
const tiny = (version: string) => ({
  "Chart.yaml": `apiVersion: v2\nname: tiny\nversion: ${version}\nappVersion: "1.0"\n`,
  "values.yaml": "v: chart\nw: ''\nx: ''\n",
  "templates/a.yaml": template,
});

async function open(): Promise<DeployFixture> {
  const fixture = await DeployFixture.open();
  fixture.charts = ({ chartVersion }) => Promise.resolve({ chart: chartOf(tiny(chartVersion)) });
  return fixture;
}

const chart = (more = "", { name = "tiny", version = "0.1.0" } = {}) =>
  `helmCharts: [{repositoryURL: "http://charts.example", repositoryName: r, chartName: r/tiny, chartVersion: ${version}, releaseName: ${name}, releaseNamespace: apps, ${more}}]`;

async function revisions(fixture: DeployFixture, name = "tiny"): Promise<string> {
  const all = await fixture.until(historyOf(fixture.managed).revisions({ name, namespace: "apps" }));
  return all.map(({ revision, state }) => `${revision} ${state}`).join(", ");
}

const helmSummary = (status: { featureSummaries?: readonly { featureID: string; status?: string; failureMessage?: string }[] }) =>
  status.featureSummaries?.find(({ featureID }) => featureID === "Helm");

test("a chart whose templates keep the thread busy fails its profile for good, however long it took to fetch", async () => {
  const fixture = await DeployFixture.open();
  const { environment } = fixture.context;
  // A look at the clock every MiB or so, and each finds it a second later.
  let looks = 0;
  fixture.environment = { ...environment, now: () => environment.now() + 1000 * looks++ };
  const deployed = async (mebibytes: number) => {
    const busy = `{{ range until ${mebibytes} }}{{ $_ := repeat 1048576 "x" }}{{ end }}${template}`;
    fixture.charts = async () => {
      looks += 60;
      return { chart: chartOf({ ...tiny("0.1.0"), "templates/a.yaml": busy }) };
    };
    return (await fixture.deploy(chart(`values: 'v: ${mebibytes}'`))).outcome;
  };
  assert.equal(helmSummary((await deployed(2)).status)?.status, "Provisioned");
  const { final, status } = await deployed(20);
  assert.equal(final, true);
  assert.match(helmSummary(status)?.failureMessage ?? "", /tiny\/templates\/a\.yaml:1:\d+: .*takes longer than allowed/);
});

test("a chart is installed, upgraded and uninstalled as a Helm release", async () => {
  const fixture = await open();
  const { outcome } = await fixture.deploy(chart("values: 'v: {{ .Cluster.metadata.name }}'"));
  assert.equal(helmSummary(outcome.status)?.status, "Provisioned", JSON.stringify(outcome.status));
  assert.equal(await fixture.configMaps("apps"), "tiny=c1");
  assert.equal(await revisions(fixture), "1 deployed");
  const [entry] = outcome.status.helmReleaseSummaries ?? [];
  // The fields of corpus/sveltos-recorded/08-helm-in-eventtrigger/2-after.json.
  assert.deepEqual(Object.keys(entry ?? {}).toSorted(), ["releaseName", "releaseNamespace", "status", "valuesHash"]);
  const [feature] = outcome.features ?? [];
  assert.deepEqual(
    feature?.charts?.map(({ lastAppliedTime: _time, ...rest }) => rest),
    [{ repoURL: "http://charts.example", releaseName: "tiny", namespace: "apps", chartVersion: "0.1.0", appVersion: "1.0" }],
  );
  const live = await fixture.find("ConfigMap/apps/tiny");
  assert.deepEqual(live?.metadata.labels, { "app.kubernetes.io/managed-by": "Helm" }, "charts carry no marks of profiles");
  assert.deepEqual((await fixture.find("Namespace//apps"))?.metadata.labels?.["name"], "apps");

  await fixture.deploy(chart("values: 'v: {{ .Cluster.metadata.name }}'"));
  assert.equal(await revisions(fixture), "1 deployed", "the same is not deployed again");
  await fixture.deploy(chart("values: 'v: 2'"));
  await fixture.deploy(chart("values: 'v: 2'", { version: "0.2.0" }));
  assert.equal(await revisions(fixture), "2 superseded, 3 deployed", "two are kept");
  const last = await fixture.withdraw(chart("values: 'v: 2'"));
  assert.equal(last.outcome.settled, true);
  assert.equal(await fixture.configMaps("apps"), "");
  assert.equal(await revisions(fixture), "");
  assert.notEqual(await fixture.find("Namespace//apps"), undefined);
  assert.deepEqual(last.outcome.status.helmReleaseSummaries, []);
});

const from = (name: string) => `{kind: ConfigMap, namespace: default, name: ${name}}`;

test("values: inline, then referenced, then rendered ones, whatever their order", async () => {
  const fixture = await open();
  await fixture.apply(sourceYaml("rendered", { a: "x: {{ .Cluster.metadata.name }}" }, { "projectsveltos.io/template": "ok" }));
  await fixture.apply(sourceYaml("plain", { a: "w: plain\nx: plain" }));
  await fixture.deploy(chart(`values: "v: 1\\nw: 1\\nx: 1", valuesFrom: [${from("rendered")}, ${from("plain")}]`));
  assert.equal(await fixture.configMaps("apps"), "tiny=1plainc1");
});

test("a chart with provenanceVerification gets the keyring of its Secret, and nothing is fetched without it", async () => {
  const fixture = await open();
  const keyrings: (string | undefined)[] = [];
  fixture.charts = (_, { keyring }) => {
    keyrings.push(keyring === undefined ? undefined : Buffer.from(keyring).toString());
    return Promise.resolve({ chart: chartOf(tiny("0.1.0")) });
  };
  const wanted = chart("provenanceVerification: {keyringSecretRef: {name: keys, namespace: default}}");
  const failure = async () => helmSummary((await fixture.deploy(wanted)).outcome.status)?.failureMessage;
  assert.equal(await failure(), "Referenced resource: Secret default/keys does not exist");
  const secret = (key: string, text: string) =>
    fixture.apply(`{apiVersion: v1, kind: Secret, metadata: {name: keys, namespace: default}, stringData: {${key}: ${text}}}`);
  await secret("other", "keys");
  assert.equal(await failure(), "Secret default/keys has no key keyring.gpg; expected public keys, such as gpg --export writes");
  assert.deepEqual(keyrings, []);
  await secret("keyring.gpg", "keys");
  assert.equal(helmSummary((await fixture.deploy(wanted)).outcome.status)?.status, "Provisioned");
  assert.deepEqual(keyrings, ["keys"]);
});

test("patches change what a chart renders", async () => {
  const fixture = await open();
  const patches = `patches: [{target: {kind: ConfigMap, name: tin}, patch: "data: {v: part}"}, {target: {kind: Config.*}, patch: "data: {v: whole}"}]`;
  await fixture.deploy(`${chart()}\n${patches}`);
  assert.equal(await fixture.configMaps("apps"), "tiny=whole");
});

test("patches reach the items of a chart's lists, and delete what it renders", async () => {
  const fixture = await open();
  const items = ["one", "two"].map((name) => `- {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {v: chart}}`);
  const text = `apiVersion: v1\nkind: List\nitems:\n${items.join("\n")}\n`;
  fixture.charts = () => Promise.resolve({ chart: chartOf({ ...tiny("0.1.0"), "templates/list.yaml": text }) });
  const patches = `patches: [{target: {name: one}, patch: "data: {v: patched}"}, {target: {name: tiny}, patch: "$patch: delete"}]`;
  await fixture.deploy(`${chart()}\n${patches}`);
  assert.equal(await fixture.configMaps("apps"), "one=patched two=chart");
});

test("charts that a profile no longer has, or has with the action Uninstall, are uninstalled", async () => {
  const fixture = await open();
  await fixture.deploy(chart());
  await fixture.deploy(chart("", { name: "other" }));
  assert.equal(await revisions(fixture), "");
  assert.equal(await revisions(fixture, "other"), "1 deployed");
  const { outcome } = await fixture.deploy(chart("helmChartAction: Uninstall", { name: "other" }));
  assert.equal(await revisions(fixture, "other"), "");
  assert.deepEqual(outcome.status.helmReleaseSummaries, []);
});

test("one profile manages a release; another takes it over after a withdrawal", async () => {
  const fixture = await open();
  await fixture.deploy(chart("values: 'v: 1'"), { name: "one" });
  const { outcome } = await fixture.deploy(chart("values: 'v: 2'"), { name: "two" });
  const summary = helmSummary(outcome.status);
  assert.equal(summary?.status, "FailedNonRetriable");
  assert.equal(summary.failureMessage, "cannot manage chart apps/tiny. ClusterSummary one-sveltos-c1 managing it.");
  assert.equal(outcome.status.helmReleaseSummaries?.[0]?.status, "Conflict");
  await fixture.withdraw(chart("values: 'v: 1'"), { name: "one" });
  assert.equal(await revisions(fixture), "1 deployed", "somebody waits for it");
  assert.equal(helmSummary((await fixture.deploy(chart("values: 'v: 2'"), { name: "two" })).outcome.status)?.status, "Provisioned");
  assert.equal(await fixture.configMaps("apps"), "tiny=2");
  const third = await fixture.deploy(`tier: 50\n${chart("values: 'v: 3'")}`, { name: "three" });
  assert.equal(helmSummary(third.outcome.status)?.status, "Provisioned", "a lower tier takes it over");
  assert.deepEqual(
    third.outcome.displaced.map(({ name }) => name),
    ["two"],
  );
});

test("a chart that cannot be loaded or rendered fails its feature only", async () => {
  const fixture = await open();
  fixture.charts = () => Promise.resolve({ chart: chartOf({ "templates/a.yaml": "{{ fail `no` }}" }) });
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  const { outcome } = await fixture.deploy(`${chart()}\n${policyRefsYaml("s")}`);
  assert.match(helmSummary(outcome.status)?.failureMessage ?? "", /no/);
  assert.equal(await fixture.configMaps(), "a=1");
  assert.equal(outcome.settled, false);
});

test("LeavePolicies keeps releases, and a dry run reports what would change", async () => {
  const fixture = await open();
  const actions = async (spec: string) =>
    (await fixture.deploy(`syncMode: DryRun\n${spec}`)).outcome.report?.releaseReports?.map(({ action }) => action);
  assert.deepEqual(await actions(chart()), ["Install"]);
  assert.equal(await revisions(fixture), "");
  await fixture.deploy(chart());
  assert.deepEqual(await actions(chart()), ["No Action"]);
  assert.deepEqual(await actions(chart("values: 'v: 9'")), ["Update Values"]);
  assert.deepEqual(await actions(chart("", { version: "0.2.0" })), ["Upgrade"]);
  assert.deepEqual(await actions(chart("", { name: "other" })), ["Install", "Delete"]);
  await fixture.withdraw(`stopMatchingBehavior: LeavePolicies\n${chart()}`);
  assert.equal(await revisions(fixture), "1 deployed");
});

test("drift of a release is repaired without a new revision", async () => {
  const fixture = await open();
  await fixture.deploy(chart());
  const drift = async () =>
    (await fixture.until(readDrift(await fixture.request(chart()), fixture.context, { signal: never }))).map(({ name }) => name);
  assert.deepEqual(await drift(), []);
  await fixture.apply(configMapsYaml("tiny=9", {}, "apps"), fixture.managed);
  assert.deepEqual(await drift(), ["tiny"]);
  const { outcome } = await fixture.collect(repairDrift(await fixture.request(chart()), fixture.context, { signal: never }));
  assert.equal(outcome.settled, true);
  assert.equal(await fixture.configMaps("apps"), "tiny=chart");
  assert.equal(await revisions(fixture), "1 deployed");
  assert.deepEqual(await drift(), []);
});

test("killed after any write, a chart is deployed and withdrawn nevertheless", async () => {
  for (let count = 1, going = true; going; count++) {
    const fixture = await open();
    going = false;
    for (const work of [
      (signal: AbortSignal) => fixture.deploy(chart(), { signal }),
      (signal: AbortSignal) => fixture.withdraw(chart(), { signal }),
    ]) {
      const kill = new AbortController();
      let left = count;
      fixture.afterWrite = () => void (--left === 0 && kill.abort(new Error("killed")));
      const ended = await work(kill.signal).then(
        () => true,
        (error: unknown) => (kill.signal.aborted ? false : Promise.reject(error)),
      );
      fixture.afterWrite = () => undefined;
      if (!ended) await work(never);
      going ||= kill.signal.aborted;
      assert.match(`${await revisions(fixture)}|${await fixture.configMaps("apps")}`, /^(\d deployed\|tiny=chart|\|)$/);
    }
    assert.equal(await revisions(fixture), "");
    assert.ok(count < 40);
  }
});

const entry = (chartName: string) =>
  `{repositoryURL: "http://charts.example", repositoryName: r, chartName: ${chartName}, chartVersion: 0.1.0, releaseName: ${chartName}, releaseNamespace: apps}`;

test("what is deployed is told while another part of the profile fails, and keeps its time", async () => {
  const fixture = await open();
  const load = fixture.charts!;
  fixture.charts = (wanted, options) =>
    wanted.chartName === "broken" ? Promise.reject(new Fault("load chart broken: no such chart")) : load(wanted, options);
  await fixture.apply(sourceYaml("s", { "a.yaml": configMapsYaml("a=1") }));
  const spec = `${policyRefsYaml("s")}\nhelmCharts: [${entry("tiny")}, ${entry("broken")}, ${entry("later")}]`;
  const { outcome } = await fixture.deploy(spec);
  assert.equal(outcome.settled, false);
  assert.match(helmSummary(outcome.status)?.failureMessage ?? "", /no such chart/);
  assert.deepEqual(
    outcome.features.map(({ featureID, resources = [], charts = [] }) => [
      featureID,
      ...resources.map(({ name }) => name),
      ...charts.map(({ releaseName }) => releaseName),
    ]),
    [
      ["Resources", "a"],
      ["Helm", "tiny"],
    ],
  );
  const owner = { kind: "ClusterProfile", name: "demo" } as const;
  const first = withProfile({}, owner, outcome);
  await fixture.clock.advance(5000);
  const { outcome: again } = await fixture.deploy(spec);
  assert.deepEqual(withProfile(first, owner, again), first, "a repeated failure writes nothing new");
  const unread = { ...again, features: [], keptFeatures: ["Resources", "Helm"] as const };
  assert.deepEqual(withProfile(first, owner, unread), first, "what nobody has looked at stays");
  assert.deepEqual(withProfile(first, owner, { ...unread, keptFeatures: [] }).clusterProfileResources, [{ clusterProfileName: "demo" }]);
});

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { controllerLease } from "../../../test/support/fleet-objects.ts";
import { runSluice } from "../../../test/support/command-line.ts";
import { sveltosCrds } from "../../sveltos/api/index.ts";
import { RealClock } from "../../core/clock/index.ts";
import { connect, waitForKind } from "../../kube/index.ts";
import { mapAt } from "../../core/object/index.ts";
import { serveExchange } from "../../server/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";

const clock = new RealClock();
const folder = mkdtempSync(join(tmpdir(), "sluice-fleet-"));
const { exchange, stop } = startEmbeddedCluster({ clock });
const served = await serveExchange(exchange, { now: new Date() });
const hub = connect(exchange, { clock });
const management = join(folder, "management.yaml");
writeFileSync(join(folder, "ca.crt"), served.authority);
writeFileSync(join(folder, "me.crt"), served.client.certificate);
writeFileSync(join(folder, "me.key"), served.client.key);
const kubeconfig = `kind: Config
current-context: hub
clusters: [{ name: c, cluster: { server: "${served.url}", certificate-authority: ca.crt } }]
users: [{ name: u, user: { client-certificate: me.crt, client-key: me.key } }]
contexts: [{ name: hub, context: { cluster: c, user: u, namespace: fleet } }]
`;
writeFileSync(management, kubeconfig);
writeFileSync(join(folder, "east.yaml"), kubeconfig);

after(async () => {
  stop();
  await served.close();
  rmSync(folder, { recursive: true });
});

const east = ["register", "cluster", "east", "--kubeconfig", join(folder, "east.yaml"), "--management-kubeconfig", management];

test("a cluster without the kinds of a fleet is refused, by what is missing and what to do", async () => {
  for (const command of ["clusters", "events", "addons", "usage", "dryrun", "resources"]) {
    const { code, out, err } = await runSluice("show", command, "--kubeconfig", management);
    assert.deepEqual([code, out], [1, ""], command);
    assert.match(
      err,
      /^error: context hub is no management cluster: it has no CustomResourceDefinition sveltosclusters\.lib\S+, clusterprofiles\./,
    );
    assert.match(err, /--context .*--install-definitions/);
  }
  for (const args of [
    ["why", "ClusterProfile/web"],
    ["deregister", "cluster", "east"],
    ["redeploy", "cluster", "east"],
  ])
    assert.match((await runSluice(...args, "--kubeconfig", management)).err, /is no management cluster/);
  assert.match((await runSluice(...east)).err, /is no management cluster: .* with --context or --management-kubeconfig, or make/);
});

test("without a fleet there are no clusters, and the message names the command that registers one", async () => {
  for (const definition of sveltosCrds()) await hub.create(definition);
  for (const [group, kind] of [
    ["lib", "SveltosCluster"],
    ["config", "ClusterProfile"],
  ])
    await waitForKind(hub, { group: `${group}.projectsveltos.io`, version: "v1beta1", kind: kind! });
  const { code, out, err } = await runSluice("show", "clusters", "--kubeconfig", management);
  assert.deepEqual([code, out, err], [0, "", "no clusters are registered: sluice register cluster NAME --kubeconfig FILE"]);
});

test("a cluster is registered with a kubeconfig that stands by itself, shown and taken out", async () => {
  const registered = await runSluice(...east, "--labels", "env=prod,region=east");
  assert.deepEqual(registered, { code: 0, out: "cluster east successfully registered/updated in namespace fleet.", err: "" });
  const second = await runSluice("register", "cluster", "west", ...east.slice(3));
  assert.equal(second.code, 1);
  assert.match(second.err, /^error: register cluster fleet\/west: it is registered already, as fleet\/east: /);
  assert.equal((await runSluice("register", "cluster", "west", ...east.slice(3), "--allow-duplicate")).code, 0);
  assert.equal((await runSluice("deregister", "cluster", "west", "--kubeconfig", management)).code, 0);
  const secret = await hub.get({ group: "", version: "v1", kind: "Secret", namespace: "fleet", name: "east-sveltos-kubeconfig" });
  const text = Buffer.from(mapAt(secret, "data")["kubeconfig"]!, "base64").toString();
  assert.match(text, /client-key-data: \S+/);
  assert.doesNotMatch(text, /ca\.crt|me\.key/);

  const { out, err } = await runSluice("show", "clusters", "--kubeconfig", management);
  assert.match(err, /^warning: no controller is running \(there is no Lease of one\), so that .*: start one with sluice controller/);
  await hub.create(controllerLease(clock.now()));
  assert.equal((await runSluice("show", "clusters", "--kubeconfig", management)).err, "");
  assert.equal(
    out,
    "CLUSTER     TYPE     READY  CONNECTION  AGENT  VERSION  LABELS                MESSAGE\nfleet/east  Sveltos  false              -               env=prod,region=east",
  );
  const json = await runSluice("show", "clusters", "-o", "json", "--kubeconfig", management);
  const labels = { env: "prod", region: "east" };
  assert.deepEqual(JSON.parse(json.out), [{ type: "Sveltos", namespace: "fleet", name: "east", ready: false, paused: false, labels }]);
  const since = new Date(Date.now() - 3_600_000 * 5).toISOString();
  for (const [agent, shown] of [
    ["running", "running"],
    [`gone since ${since}`, "gone for 5h"],
  ] as const) {
    const ref = { group: "lib.projectsveltos.io", version: "v1beta1", kind: "SveltosCluster", namespace: "fleet", name: "east" };
    await hub.patch(ref, { type: "merge", patch: { metadata: { annotations: { "sluice.dev/agent": agent } } } });
    assert.match((await runSluice("show", "clusters", "--kubeconfig", management)).out, new RegExp(`Sveltos  false +${shown} `));
  }
  assert.equal((await runSluice("show", "clusters", "-n", "other", "-o", "json", "--kubeconfig", management)).out, "[]");

  const gone = await runSluice("deregister", "cluster", "east", "--kubeconfig", management);
  assert.deepEqual(gone, { code: 0, out: "cluster east successfully deregistered from namespace fleet.", err: "" });
  const again = await runSluice("deregister", "cluster", "east", "--kubeconfig", management);
  assert.equal(again.code, 1);
  assert.match(again.err, /there is no cluster east in namespace fleet/);
});

test("the contexts of one kubeconfig are registered one by one, each with its own credentials alone", async () => {
  const names = ["one", "two", "three"];
  const each = (entry: (name: string) => string) => names.map((name) => `- ${entry(name)}\n`).join("");
  const many = `kind: Config
current-context: one
clusters:
${each((name) => `{ name: c-${name}, cluster: { server: "https://${name}:6443" } }`)}users:
${each((name) => `{ name: u-${name}, user: { token: secret-${name} } }`)}contexts:
${each((name) => `{ name: ${name}, context: { cluster: c-${name}, user: u-${name} } }`)}`;
  const file = join(folder, "many.yaml");
  writeFileSync(file, many);
  const flags = ["--kubeconfig", file, "--management-kubeconfig", management];
  for (const name of names) {
    const { code, err } = await runSluice("register", "cluster", name, "--fleet-cluster-context", name, ...flags);
    assert.equal(code, 0);
    assert.match(err, /^warning: cluster \w+ cannot be told from others from here \(it does not answer\)/);
    const secret = await hub.get({ group: "", version: "v1", kind: "Secret", namespace: "fleet", name: `${name}-sveltos-kubeconfig` });
    const text = Buffer.from(mapAt(secret, "data")["kubeconfig"]!, "base64").toString();
    assert.deepEqual(text.match(/secret-\w+|https:\S+|current-context: \w+/g), [
      `https://${name}:6443`,
      `current-context: ${name}`,
      `secret-${name}`,
    ]);
  }
  const wrong = await runSluice("register", "cluster", "four", "--fleet-cluster-context", "four", ...flags);
  assert.deepEqual(wrong, {
    code: 1,
    out: "",
    err: `error: register cluster four: there is no context "four" in ${file}: the contexts there are one, two, three`,
  });
});

test("flags that cannot be are refused before anything is touched", async () => {
  assert.equal((await runSluice(...east, "--labels", "env")).code, 2);
  assert.equal((await runSluice("register", "cluster", "east")).code, 2);
  assert.equal((await runSluice("generate", "kubeconfig", "--expiration-seconds", "60")).code, 2);
  const missing = await runSluice(
    "register",
    "cluster",
    "east",
    "--kubeconfig",
    join(folder, "none.yaml"),
    "--management-kubeconfig",
    management,
  );
  assert.equal(missing.code, 1);
  assert.match(missing.err, /there is no kubeconfig \S+none\.yaml/);
});

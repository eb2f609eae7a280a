import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { testFolder, serveClusters, type SluiceResult } from "../../test/support/command-line.ts";

const folder = testFolder("reading");
const { file } = folder;
const served = await serveClusters(folder, "--speed", "20");

async function sluice(...args: string[]): Promise<SluiceResult> {
  const said = await served.sluice(...args);
  return { ...said, out: said.out.replaceAll(time, "<time>") };
}

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

const wellYaml = `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
apiVersion: batch/v1
kind: Job
metadata: {name: hello, annotations: {helm.sh/hook: "post-install,post-upgrade", helm.sh/hook-weight: "3"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
`;

const stuckYaml = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, annotations: {werf.io/weight: "-2"}}
spec: {serviceName: db, selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}, annotations: {sim.sluice.dev/pull: fail}}, spec: {containers: [{name: c, image: db}]}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {werf.io/weight: "-1"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec: {selector: {matchLabels: {app: app}}, template: {metadata: {labels: {app: app}}, spec: {containers: [{name: c, image: app}]}}}
`;

/** One cluster for all of them, with two releases: one that is well, and one whose database finds no node. */
before(async () => {
  const well = await sluice("deploy", "well", file("well.yaml", wellYaml), "-n", "ops", "--create-namespace");
  assert.equal(well.code, 0, well.err);
  const stuck = await sluice("deploy", "stuck", file("stuck.yaml", stuckYaml));
  assert.equal(stuck.code, 1, stuck.out);
});

test("list: the releases of the context's namespace, of another, and of all", async () => {
  assert.deepEqual(await sluice("list"), {
    code: 0,
    err: "",
    out: "NAME   NAMESPACE  REVISION  UPDATED               STATUS  CHART\nstuck  default    1         <time>  failed  stuck-0.0.0",
  });
  assert.match((await sluice("list", "-n", "ops")).out, /^well +ops +1 +<time> +deployed +well-0\.0\.0$/m);
  const all = await sluice("list", "-A");
  assert.deepEqual(
    all.out.split("\n").map((line) => line.split(/ +/)[0]),
    ["NAME", "stuck", "well"],
  );
  assert.deepEqual(await sluice("list", "-n", "kube-system"), {
    code: 0,
    out: "",
    err: "no releases in namespace kube-system; -A looks in all of them",
  });
});

test("list: Helm's flags for labels, headings and times", async () => {
  const names = async (...flags: string[]) => (await sluice("list", "-A", "-q", ...flags)).out.split("\n").join();
  assert.equal(await names("-l", "name=well"), "well");
  assert.equal(await names("-l", "name!=well,owner=helm"), "stuck");
  assert.equal(await names("--selector", "status in (deployed,failed)"), "stuck,well");
  const bad = await sluice("list", "-l", "a=b=c");
  assert.deepEqual([bad.code, bad.err], [2, "error: --selector a=b=c: found '=', expected: ',' or 'end of string'"]);
  const { out } = await served.sluice("list", "-n", "ops", "--no-headers", "--time-format", "on 2006-01-02", "--debug", "--qps", "5");
  assert.match(out, /^well +ops +1 +on \d{4}-\d\d-\d\d +deployed +well-0\.0\.0$/);
  assert.match((await served.sluice("list", "-n", "ops", "--time-format", "2006", "-o", "json")).out, /"updated": "\d{4}"/);
});

test("list and history as data", async () => {
  const outline = { name: "well", namespace: "ops", revision: 1, updated: "<time>", status: "deployed", chart: "well-0.0.0" };
  const list = await sluice("list", "-n", "ops", "-o", "json");
  assert.deepEqual(JSON.parse(list.out), [{ ...outline, app_version: "", description: "Install complete" }]);
  assert.equal((await sluice("list", "-n", "kube-system", "-o", "json")).out, "[]");
  const history = await sluice("history", "well", "-n", "ops", "-o", "yaml");
  assert.equal(
    history.out,
    `- app_version: ""
  chart: well-0.0.0
  description: Install complete
  name: well
  namespace: ops
  revision: 1
  status: deployed
  updated: "<time>"`,
  );
});

test("history: the revisions of a release", async () => {
  assert.deepEqual(await sluice("history", "well", "-n", "ops"), {
    code: 0,
    err: "",
    out: "REVISION  UPDATED               STATUS    CHART       DESCRIPTION\n1         <time>  deployed  well-0.0.0  Install complete",
  });
});

test("status: a release that is well is exit code 0", async () => {
  assert.deepEqual(await sluice("status", "well", "-n", "ops"), {
    code: 0,
    err: "",
    out: `Release:   well in ops
Revision:  1
Status:    deployed
Updated:   <time>
Chart:     well-0.0.0
Reason:    Install complete

OBJECT       NAMESPACE  STATE  REASON
configmap/a  ops        ready

HOOK       EVENTS                      WEIGHT  LAST RUN                  ENDED
job/hello  post-install, post-upgrade  3       succeeded (post-install)  <time>`,
  });
});

test("status: one that is not is exit code 1, and every object has its reason", async () => {
  const { code, out } = await sluice("status", "stuck");
  assert.equal(code, 1);
  assert.match(out, /^Status: {4}failed$/m);
  assert.match(out, /^statefulset\/db +default +failed +0 of 1 replicas ready; pod db-0: container c: (ErrImagePull|ImagePullBackOff)/m);
  assert.match(out, /^deployment\/app +default +missing +it does not exist$/m);
  const data = await sluice("status", "stuck", "-o", "json");
  const { ready, status, objects } = JSON.parse(data.out) as { ready: boolean; status: string; objects: { state: string }[] };
  assert.deepEqual([data.code, ready, status, objects.map(({ state }) => state)], [1, false, "failed", ["failed", "missing", "missing"]]);
});

test("why: the first cause, and all that waits for it", async () => {
  const { code, out } = await sluice("why", "stuck");
  assert.equal(code, 0);
  const [state, cause, ...rest] = out.split("\n");
  assert.equal(state, "revision 1 of stuck in default: failed");
  assert.match(cause!, /^statefulset\/db has failed: 0 of 1 replicas ready; pod db-0: container c: /);
  assert.deepEqual(rest, ["  job/migrate waits for it", "  deployment/app waits for job/migrate"]);
});

for (const words of ["deploy/app", "Deployment/app", "deployment.apps/app", "deployments.v1.apps/app", "DEPLOYMENT/app"]) {
  test(`why: the chain of ${words}`, async () => {
    const { code, out } = await sluice("why", "stuck", words);
    assert.equal(code, 0);
    assert.match(out, /^deployment\/app waits for job\/migrate, which waits for statefulset\/db, whose pod db-0: container c: /m);
  });
}

test("why: what is outside is found by any of its names", async () => {
  const source = file(
    "outside.yaml",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, annotations: {v.external-dependency.werf.io/resource: secrets/vault}}\n",
  );
  assert.equal((await sluice("deploy", "outside", source, "-n", "ops", "--timeout", "300ms")).code, 1);
  for (const words of ["secret/vault", "secrets/vault"]) {
    const { out } = await sluice("why", "outside", words, "-n", "ops");
    assert.match(out, /^secret\/vault in ops \(outside the release\) is not ready: it does not exist$/m);
  }
  assert.match(
    (await sluice("why", "outside", "cm/b", "-n", "ops")).out,
    /^configmap\/b waits for secret\/vault in ops \(outside the release\), which is not ready: it does not exist$/m,
  );
  assert.equal((await sluice("delete", "outside", "-n", "ops")).code, 0);
});

test("why: as data", async () => {
  const { out } = await sluice("why", "stuck", "job/migrate", "-o", "json");
  const { waiting } = JSON.parse(out) as { waiting: { ref: { name: string }; lacks: string; waitsFor: { on: string }[] }[] };
  assert.deepEqual(
    waiting.map(({ ref, lacks, waitsFor }) => [ref.name, lacks, waitsFor.map(({ on }) => on)]),
    [
      ["db", "ready", []],
      ["migrate", "applied", ["main/apps/StatefulSet/default/db"]],
    ],
  );
});

test("why: nothing waits", async () => {
  const all = await sluice("why", "well", "-n", "ops");
  assert.deepEqual(all, { code: 0, err: "", out: "nothing waits: revision 1 of well in ops is deployed and all of it is ready" });
  assert.equal(
    (await sluice("why", "well", "cm/a", "-n", "ops")).out,
    "nothing holds up configmap/a: it is as the release wants it, and ready",
  );
});

const failures: Readonly<Record<string, readonly [readonly string[], string]>> = {
  "a release of another namespace": [
    ["status", "well"],
    "error: find release well in default: there is no such release: there is one of that name in ops: choose its namespace with -n",
  ],
  "a release of another namespace, to be deleted": [
    ["delete", "well"],
    "error: find release well in default: there is no such release: there is one of that name in ops: choose its namespace with -n",
  ],
  "a release that nobody has": [
    ["history", "nobody"],
    "error: find release nobody in default: there is no such release: sluice list -A shows all there are",
  ],
  "an object that is not in the release": [
    ["why", "stuck", "svc/app"],
    "error: find svc/app in release stuck in default: there is no such object in it: sluice status stuck shows all it has",
  ],
};

for (const [what, [args, message]] of Object.entries(failures)) {
  test(`${what} is one clear sentence and exit code 1`, async () => {
    assert.deepEqual(await sluice(...args), { code: 1, out: "", err: message });
  });
}

const wrongUsage: readonly (readonly string[])[] = [
  ["why", "stuck", "app"],
  ["why", "stuck", "a/b/c"],
  ["list", "-A", "-n", "ops"],
  ["list", "-o", "xml"],
  ["completion", "tcsh"],
  ...["list", "history", "status", "why", "rollback", "delete", "test", "check", "lint"].map((command) => [command, "x", "--embedded"]),
];

for (const args of wrongUsage) {
  test(`wrong usage: sluice ${args.join(" ")}`, async () => {
    const { code, err } = await sluice(...args);
    assert.equal(code, 2);
    assert.notEqual(err, "");
  });
}

test("timeline: bars, the critical path and the waits of a deploy, as text, data and a page", async () => {
  const well = await sluice("timeline", "well", "-n", "ops");
  assert.equal(well.code, 0, well.err);
  assert.match(well.out, /^well in ops, revision 1: install deployed in [\d.]+s\nbegan <time>\n\n/);
  assert.match(well.out, /^job\/hello +[░█]+ +[\d.]+s$/m);
  assert.match(well.out, /^Critical path \(from, took\):\n[^]*job\/hello/m);
  const data = JSON.parse((await served.sluice("timeline", "well", "1", "-n", "ops", "-o", "json")).out);
  assert.deepEqual([data.status, data.subject.revision, data.pods[0].owner], ["deployed", 1, { kind: "Job", name: "hello" }]);
  const stuck = await sluice("timeline", "stuck");
  assert.match(stuck.out, /^stuck in default, revision 1: install failed in .*\n.*\nbecause: statefulset\/db: /);
  assert.match(stuck.out, /^deployment\/app +skipped$/m);
  const page = file("page.html", "");
  assert.deepEqual(await sluice("timeline", "stuck", "--html", page), { code: 0, out: "", err: `wrote ${page}` });
  assert.match(readFileSync(page, "utf8"), /^<!doctype html>[^]*statefulset\/db/);
  assert.match((await sluice("timeline", "well", "1", "--compare", "1", "-n", "ops")).out, /in all: \+0\.0s\nno object took another time/);
});

test("timeline: what cannot be shown is said", async () => {
  const cases: readonly (readonly [number, string, readonly string[]])[] = [
    [
      1,
      "error: read the timeline of revision 7 of release well in ops: the release has no such revision: it has 1; recorded revisions: 1",
      ["well", "7", "-n", "ops"],
    ],
    [1, "error: find release nobody in default: there is no such release: sluice list -A shows all there are", ["nobody"]],
    [2, "error: --compare is told as text or JSON: leave out --html", ["well", "--compare", "1", "--html", "x.html"]],
    [
      2,
      "error: --cluster shows the latest deployment of a profile: leave out the revision and --compare",
      ["web", "2", "--cluster", "east"],
    ],
  ];
  for (const [code, err, args] of cases) assert.deepEqual(await sluice("timeline", ...args), { code, err, out: "" });
  assert.match((await sluice("timeline", "web", "--cluster", "east")).err, /is no management cluster/);
  const bare = await sluice(
    "deploy",
    "bare",
    file("bare.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bare}\n"),
    "-n",
    "ops",
    "--no-recording",
  );
  assert.equal(bare.code, 0, bare.err);
  assert.equal((await sluice("timeline", "bare", "-n", "ops")).code, 1);
});

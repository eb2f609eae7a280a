import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { serveClusters, testFolder } from "../../../test/support/command-line.ts";
import { openCluster } from "../../kube/index.ts";

const folder = testFolder("plan-operation");
const { kubeconfig, sluice } = await serveClusters(folder, "--speed", "20");

const objects = (name: string, colour: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}-settings}
data: {colour: ${colour}}
---
apiVersion: v1
kind: Secret
metadata: {name: ${name}-login}
stringData: {password: secret-${colour}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}-early, annotations: {kots.io/deletion-phase: "-2"}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}-stays, annotations: {helm.sh/resource-policy: keep}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ${name}-files}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: ${name}-bye, annotations: {helm.sh/hook: "pre-delete,post-rollback", helm.sh/hook-delete-policy: hook-succeeded}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
`;

/** Deploys two revisions of a release. */
async function deployed(name: string): Promise<void> {
  for (const colour of ["red", "blue"]) {
    const { code, err } = await sluice("deploy", name, folder.file(`${name}.yaml`, objects(name, colour)));
    assert.equal(code, 0, err);
  }
}

async function statusOf(name: string): Promise<string> {
  return (await sluice("history", name)).out.replaceAll(/\d{4}-\S+Z/g, "").replaceAll(/ +/g, " ");
}

const ref = (kind: string, name: string) => ({ group: "", version: "v1", kind, namespace: "default", name });

test("plan delete: what goes in which order, hooks included, what stays and why; nothing is touched", async () => {
  await deployed("leaving");
  const before = await statusOf("leaving");
  const { code, out } = await sluice("plan", "delete", "leaving");
  assert.equal(code, 0);
  assert.match(out, /^create job\/leaving-bye in default\n {2}\+ apiVersion: batch\/v1\n/);
  assert.equal(
    out.slice(out.indexOf("delete leaving in")),
    `delete leaving in default, revision 2: 1 to apply, 4 to delete, 5 to wait for
pre
  create job/leaving-bye until completed
pre, to be deleted
  delete job/leaving-bye when it has succeeded until gone
main, to be deleted, rank -2
  delete configmap/leaving-early until gone
main, to be deleted
  delete configmap/leaving-settings until gone, after configmap/leaving-early (deletion phase -2)
  delete secret/leaving-login until gone
stays
  configmap/leaving-stays: helm.sh/resource-policy says keep
  persistentvolumeclaim/leaving-files: it holds data: delete it with --delete-data
records
  are deleted last`,
  );
  assert.equal(await statusOf("leaving"), before);
  const other = await sluice("plan", "uninstall", "leaving", "--no-hooks", "--delete-data", "--keep-history");
  assert.match(other.out, /^delete leaving in default, revision 2: 0 to apply, 4 to delete/);
  assert.match(other.out, /\nrecords\n {2}stay, as those of a release that was$/);
});

test("plan rollback: what changes, with secrets hidden, and to which revision", async () => {
  await deployed("back");
  const before = await statusOf("back");
  const { code, out } = await sluice("plan", "rollback", "back");
  assert.equal(code, 0);
  assert.match(out, /update configmap\/back-settings in default\n[^]*\n {2}- {3}colour: blue\n {2}\+ {3}colour: red\n/);
  assert.match(out, /\n {2}- {3}password: \(hidden\)\n {2}\+ {3}password: \(hidden, changed\)\n/);
  assert.match(out, /\nrollback back in default, revision 3 \(Rollback to 1\): 3 to apply, 1 to delete, \d to wait for\nmain\n/);
  assert.match(out, /\npost\n {2}create job\/back-bye until completed/);
  assert.doesNotMatch(out, /secret-|c2VjcmV0/);
  assert.equal(await statusOf("back"), before);
  const { err } = await sluice("plan", "rollback", "back", "9");
  assert.match(err, /^error: roll back release back in default: there is no revision 9: expected one of 1, 2/);
});

test("plan delete and plan rollback for programs", async () => {
  await deployed("data");
  type Document = { operation: string; keepHistory?: boolean; description?: string; changes: { change: string }[]; kept: unknown[] };
  const gone = JSON.parse((await sluice("plan", "delete", "data", "-o", "json", "--keep-history")).out) as Document;
  assert.deepEqual([gone.operation, gone.keepHistory, gone.kept.length], ["delete", true, 2]);
  assert.deepEqual(
    gone.changes.map(({ change }) => change),
    ["created", "deleted", "deleted", "deleted"],
  );
  const back = await sluice("plan", "rollback", "data", "1", "-o", "json");
  const { operation, description } = JSON.parse(back.out) as Document;
  assert.deepEqual([operation, description], ["rollback", "Rollback to 1"]);
  assert.doesNotMatch(back.out, /secret-|c2VjcmV0/);
  assert.match((await sluice("plan", "rollback", "data", "-o", "mermaid")).out, /^flowchart TD\n {2}n0\["record pending-rollback"\]/);
  assert.match((await sluice("plan", "delete", "data", "-o", "dot")).out, /^digraph plan \{\n[^]*record uninstalled[^]*\n\}$/);
});

test("--dry-run of delete and rollback shows the plan and does nothing", async () => {
  await deployed("dry");
  const before = await statusOf("dry");
  assert.equal((await sluice("delete", "dry", "--dry-run")).out, (await sluice("plan", "delete", "dry")).out);
  assert.equal((await sluice("rollback", "dry", "1", "--dry-run")).out, (await sluice("plan", "rollback", "dry", "1")).out);
  for (const mode of ["--dry-run=server", "--dry-run=client"])
    assert.match((await sluice("rollback", mode, "dry")).out, /\nrollback dry in default, revision 3 \(Rollback to 1\)/);
  const { out } = await sluice("delete", "dry", "--dry-run", "-o", "ndjson");
  const event = JSON.parse(out) as { type: string; operation: string; kept: unknown[]; release: string };
  assert.deepEqual([event.type, event.operation, event.kept.length, event.release], ["planned", "delete", 2, "dry"]);
  assert.equal(await statusOf("dry"), before);
});

type Planned = { readonly at: string; readonly type: string };

/** The first event of a run, without its time. */
function plannedIn(out: string): object {
  const events = out.split("\n").map((line) => JSON.parse(line) as Planned);
  const { at: _at, ...planned } = events.find(({ type }) => type === "planned")!;
  return planned;
}

test("what a dry run shows is what is then done", async () => {
  await deployed("done");
  for (const args of [
    ["rollback", "done"],
    ["delete", "done", "--delete-data"],
  ]) {
    const dry = await sluice(...args, "--dry-run", "-o", "ndjson");
    const done = await sluice(...args, "-o", "ndjson");
    assert.equal(done.code, 0, done.err);
    assert.deepEqual(plannedIn(done.out), plannedIn(dry.out));
  }
});

test("a saved deletion is used by delete alone, once, and keeps what it was to keep", async () => {
  await deployed("saved");
  const file = join(folder.path, "delete.plan");
  const planned = await sluice("plan", "delete", "saved", "--keep-history", "--save", file);
  assert.equal(planned.err, `saved: sluice delete --use-plan ${file} does exactly this`);
  for (const command of ["deploy", "rollback"]) {
    const { code, err } = await sluice(command, "--use-plan", file);
    assert.equal(code, 2);
    assert.match(err, new RegExp(`it is for sluice delete, not for sluice ${command}: sluice delete --use-plan uses it`));
  }
  assert.equal((await sluice("delete", "another", "--use-plan", file)).code, 2);
  const used = await sluice("delete", "--use-plan", file);
  assert.equal(used.code, 0, used.err);
  assert.match(await statusOf("saved"), /\n2 uninstalled/);
  const again = await sluice("delete", "saved", "--use-plan", file);
  assert.equal(again.code, 1);
  assert.match(again.err, /it was drawn up for revision 2 as it was, and the latest is revision 2, uninstalled/);
});

test("a saved deletion is refused when something that it deletes was changed", async () => {
  await deployed("changed");
  const file = join(folder.path, "changed.plan");
  assert.equal((await sluice("plan", "delete", "changed", "--save", file)).code, 0);
  const { cluster, close } = await openCluster({ kubeconfig });
  await cluster.patch(ref("ConfigMap", "changed-settings"), { type: "merge", patch: { data: { more: "x" } } });
  const { code, err } = await sluice("delete", "--use-plan", file);
  assert.equal(code, 1);
  assert.match(err, /since it was drawn up, configmap\/changed-settings was changed/);
  assert.notEqual(await cluster.find(ref("Secret", "changed-login")), undefined);
  close();
});

test("a saved rollback is used by rollback", async () => {
  await deployed("undone");
  const file = join(folder.path, "rollback.plan");
  assert.equal((await sluice("plan", "rollback", "undone", "--save", file)).code, 0);
  const refused = await sluice("rollback", "undone", "1", "--use-plan", file);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /a saved plan knows its revision/);
  const used = await sluice("rollback", "--use-plan", file);
  assert.equal(used.code, 0, used.err);
  assert.match(await statusOf("undone"), /\n3 deployed undone-0\.0\.0 Rollback to 1/);
});

test("a release that is called like a subcommand, and flags in the wrong place", async () => {
  const source = folder.file("named.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: named}\n");
  assert.match((await sluice("plan", "deploy", "delete", source, "--no-diff")).out, /^install delete in default, revision 1/);
  const misplaced = await sluice("plan", "-n", "ops", "delete", "web");
  assert.equal(misplaced.code, 2);
  assert.match(misplaced.err, /--namespace stands in front of delete: put flags behind it/);
  assert.equal((await sluice("delete")).code, 2);
  assert.equal((await sluice("delete", "--use-plan", "x", "--keep-history")).code, 2);
  assert.equal((await sluice("delete", "web", "--use-plan", "x", "--dry-run")).code, 2);
});

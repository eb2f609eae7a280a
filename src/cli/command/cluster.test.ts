import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runSluice, testFolder } from "../../../test/support/command-line.ts";
import { openCluster, type Cluster } from "../../kube/index.ts";
import { plainPaint } from "../../view/index.ts";
import { run } from "../program.ts";

const folder = testFolder("cluster");
const kubeconfig = join(folder.path, "kubeconfig");

/** Serves clusters with these flags while `work` runs; returns what was said. */
async function serving(flags: readonly string[], work: (kubeconfig: string) => Promise<void>): Promise<readonly string[]> {
  const said: string[] = [];
  const ready = Promise.withResolvers<void>();
  const terminal = {
    out: (line: string) => (said.push(line), ready.resolve()),
    err: (line: string) => said.push(line),
    paint: plainPaint,
  };
  const running = run(["cluster", "--kubeconfig", kubeconfig, ...flags], terminal);
  await Promise.race([ready.promise, running]);
  try {
    await work(kubeconfig);
  } finally {
    process.emit("SIGINT");
    assert.equal(await running, 0, said.join("\n"));
  }
  return said;
}

async function inCluster<T>(file: string, work: (cluster: Cluster) => Promise<T>, context?: string): Promise<T> {
  const { cluster, close } = await openCluster({ kubeconfig: file, ...(context === undefined ? {} : { context }) });
  try {
    return await work(cluster);
  } finally {
    close();
  }
}

const system = { group: "", version: "v1", kind: "Namespace", namespace: "", name: "kube-system" };
const note = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "note", namespace: "default" }, data: { a: "b" } };
const noteRef = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "note" };

test("a cluster with --data is the same one at its next start, for its owner alone, and one process's at a time", async () => {
  const data = join(folder.path, "data");
  mkdirSync(data, { mode: 0o755 });
  const copy = join(folder.path, "copy");
  let uid: string | undefined;
  const said = await serving(["--data", data, "--port", "0", "--fsync"], async (file) => {
    uid = await inCluster(file, async (cluster) => {
      await cluster.create(note);
      return (await cluster.get(system)).metadata.uid;
    });
    assert.equal(statSync(data).mode & 0o777, 0o700);
    writeFileSync(copy, readFileSync(file));
    const { code, err } = await runSluice("cluster", "--kubeconfig", join(folder.path, "other"), "--data", data);
    assert.equal(code, 1);
    assert.match(err, /^error: use .*data: it is in use by .*\(process \d+, cluster, .*\): end that one first, or name another folder$/);
  });
  assert.match(said.join("\n"), /Ctrl-C ends it; .*data keeps everything/);
  const port = new URL(/server: (\S+)/.exec(readFileSync(copy, "utf8"))?.[1] ?? "").port;
  await serving(["--data", data, "--port", port], async () => {
    const kept = await inCluster(copy, async (cluster) => [(await cluster.get(system)).metadata.uid, (await cluster.get(noteRef))["data"]]);
    assert.deepEqual(kept, [uid, { a: "b" }], "credentials of the first start are still good");
  });
  assert.deepEqual(
    readdirSync(data).filter((name) => name.startsWith("lock")),
    [],
  );
});

test("each of several clusters has a folder of its own", async () => {
  const data = join(folder.path, "several");
  const flags = ["--clusters", "2", "--data", data];
  await serving(flags, (file) => inCluster(file, async (cluster) => void (await cluster.create(note)), "sluice-2"));
  assert.deepEqual(readdirSync(data).toSorted(), ["sluice-1", "sluice-2"]);
  await serving(flags, async (file) => {
    const found = (context: string) => inCluster(file, async (cluster) => (await cluster.find(noteRef)) !== undefined, context);
    assert.deepEqual([await found("sluice-1"), await found("sluice-2")], [false, true]);
  });
  const { err } = await runSluice("cluster", "--kubeconfig", kubeconfig, "--data", data);
  assert.match(err, /it holds the data of 2 clusters: use --clusters, or name one of them, such as .*sluice-1/);
  const inverse = await runSluice("cluster", "--kubeconfig", kubeconfig, "--clusters", "2", "--data", join(data, "sluice-1"));
  assert.match(inverse.err, /it holds the data of one cluster: leave --clusters out/);
});

const newer = JSON.stringify({ format: 7, sluice: "9.9.9" });
const refused: Readonly<Record<string, readonly [() => string, RegExp]>> = {
  "a folder of a newer format": [
    () => join(folder.file("newer/cluster.json", newer), ".."),
    /cluster\.json: the folder has the format 7, written by sluice 9\.9\.9; sluice \S+ reads format 1: use sluice 9\.9\.9, or name/,
  ],
  "a folder with other files": [
    () => join(folder.file("foreign/letter.txt", ""), ".."),
    /it holds other files, such as letter\.txt: name a folder that is empty or does not exist yet/,
  ],
  "a file": [() => folder.file("plain", ""), /plain: it is a file, or below one: name a folder/],
  "a broken identity": [() => join(folder.file("broken/cluster.json", "{"), ".."), /cluster\.json: it is no JSON object: put it back/],
};

for (const [what, [place, message]] of Object.entries(refused)) {
  test(`--data refuses ${what} by name`, async () => {
    const { code, err } = await runSluice("cluster", "--kubeconfig", kubeconfig, "--data", place());
    assert.equal(code, 1);
    assert.match(err, message);
    assert.doesNotMatch(err, /\n\s+at /);
  });
}

test("a write that was not finished is told, and a damaged one ends the start by name and place", async () => {
  const data = join(folder.path, "torn");
  const start = (work: Parameters<typeof inCluster>[1]) =>
    serving(["--data", data], (file) => inCluster(file, async (c) => void (await work(c))));
  await start(async (cluster) => {
    await cluster.create(note);
    await cluster.create({ ...note, metadata: { ...note.metadata, name: "another" } });
  });
  const log = join(data, "log-1");
  const text = readFileSync(log, "utf8");
  writeFileSync(log, `${text}0badc0de R {"half`);
  const said = await start((cluster) => cluster.get(noteRef));
  assert.match(said[0] ?? "", /log-1: removed the last 17 bytes, from byte \d+ on: a write that was not finished, and not answered$/);
  writeFileSync(log, text.replace('"a":"b"', '"a":"x"'));
  const { err } = await runSluice("cluster", "--kubeconfig", kubeconfig, "--data", data);
  assert.match(err, /log-1: the record at byte \d+ is damaged, and \d+ whole records? follows?: put the folder back from a copy/);
});

test("--fsync without --data is a mistake", async () => {
  const { code, err } = await runSluice("cluster", "--kubeconfig", kubeconfig, "--fsync");
  assert.deepEqual(
    [code, err],
    [2, "error: serve a cluster with --fsync: there is nothing to write to the disk: name a folder with --data"],
  );
});

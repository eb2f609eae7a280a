import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { serveClusters, testFolder } from "../../../test/support/command-line.ts";
import { openHub } from "../../../test/support/fleet-objects.ts";
import { newInformer } from "../../kube/index.ts";

const folder = testFolder("dashboard-kill");
const behaviour = folder.file("behaviour.yaml", "- match: {image: slow}\n  run: 4s\n");
const { kubeconfig, sluice } = await serveClusters(folder, "--behaviour", behaviour);
const cluster = await openHub(kubeconfig);
const hook = { "helm.sh/hook": "pre-rollback", "helm.sh/hook-delete-policy": "before-hook-creation" };
const spec = { backoffLimit: 0, template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "slow" }] } } };
const manifest = (value: string) =>
  folder.file(
    `${value}.yaml`,
    [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { value } },
      { apiVersion: "batch/v1", kind: "Job", metadata: { name: "migrate", annotations: hook }, spec },
    ]
      .map((object) => JSON.stringify(object))
      .join("\n---\n"),
  );

/** `sluice dashboard` in a process of its own. Its lines are matched as they come. */
class DashboardProcess {
  readonly process: ChildProcess;
  readonly lines: string[] = [];
  #onLine: () => void = () => undefined;

  constructor() {
    const program = join(import.meta.dirname, "..", "main.ts");
    this.process = spawn(process.execPath, [program, "dashboard", "--kubeconfig", kubeconfig], { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.process.stdout!, this.process.stderr!])
      createInterface(stream).on("line", (line) => {
        this.lines.push(line);
        this.#onLine();
      });
    after(() => this.process.kill("SIGKILL"));
  }

  async line(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => pattern.test(line));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#onLine = resolve));
    }
  }
}

/** Nothing else makes a Job. */
async function hookHasBegun(): Promise<void> {
  const seen = new AbortController();
  const jobs = newInformer(cluster, { group: "batch", version: "v1", kind: "Job" }, { namespace: "default", signal: seen.signal });
  for await (const { type } of jobs) if (type === "added") break;
  seen.abort();
}

async function lastRevision(): Promise<string> {
  const { out } = await sluice("history", "web", "-o", "json");
  const last = (JSON.parse(out) as readonly { revision: number; status: string }[]).at(-1);
  return `${last?.revision} ${last?.status}`;
}

test("a rollback of a dashboard that is killed is carried on by the next one, which ends after it", async () => {
  for (const value of ["one", "two"]) assert.equal((await sluice("deploy", "web", manifest(value))).code, 0);
  const first = new DashboardProcess();
  const url = new URL(/http:\S+/.exec(await first.line(/^ready /))?.[0] ?? "");
  const headers = { "content-type": "application/json" };
  const code = url.hash.replace("#code=", "");
  const signedIn = await fetch(`${url.origin}/api/session`, { method: "POST", headers, body: JSON.stringify({ code }) });
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const post = (name: string, body: object) =>
    fetch(`${url.origin}/api/c/sluice/actions/${name}`, { method: "POST", headers: { ...headers, cookie }, body: JSON.stringify(body) });
  const action = { type: "rollback", namespace: "default", name: "web", to: 1 };
  assert.equal((await post("preview", { id: "rollback-of-a-test", action })).status, 200);
  assert.equal((await post("start", { id: "rollback-of-a-test" })).status, 200);
  await hookHasBegun();
  first.process.kill("SIGKILL");
  await once(first.process, "exit");
  assert.equal(await lastRevision(), "3 pending-rollback");
  const second = new DashboardProcess();
  await second.line(/carrying on what a dashboard was doing when it was killed: Carry on revision 3 of web/);
  second.process.kill("SIGTERM");
  const [exitCode] = (await once(second.process, "exit")) as [number];
  assert.equal(exitCode, 0);
  assert.equal(await lastRevision(), "3 deployed");
});

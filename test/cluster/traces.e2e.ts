import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { buildOtelCollector } from "./client-programs.ts";
import { freePorts } from "./control-plane-process.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { runSluiceProcess } from "./run-program.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
const folder = makeTemporaryFolder();
const namespace = `e2e-traces-${process.pid}`;
const password = "correct-horse-battery";
const opened = await openCluster({ kubeconfig });

after(async () => {
  await opened.cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: namespace });
  opened.close();
  rmSync(folder, { recursive: true, force: true });
});

type ReceivedSpan = { readonly name: string; readonly spanId: string; readonly parentSpanId?: string; readonly traceId: string };

test("a real collector takes the trace of a deploy, without a secret", async () => {
  const program = await buildOtelCollector(() => {});
  const [port] = await freePorts(1);
  const collector = spawn(program, [`127.0.0.1:${port}`], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: collector.stdout });
  const printed: string[] = [];
  lines.on("line", (line) => printed.push(line));
  try {
    await once(lines, "line");
    assert.deepEqual(printed, ["ready"]);
    const app = join(folder, "app.yaml");
    writeFileSync(app, `apiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {password: ${password}}\n`);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_SERVICE_NAME: "e2e" };
    const { code, err } = await runSluiceProcess(kubeconfig, ["deploy", "app", app, "-n", namespace, "--create-namespace"], { env });
    assert.equal(code, 0, err);
    assert.doesNotMatch(err, /traces/);
    if (printed.length < 2) await once(lines, "line");
    const [, body = ""] = printed;
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] };
    const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    const apply = spans.find(({ name }) => name === "apply secret/login");
    const stage = spans.find(({ spanId }) => spanId === apply?.parentSpanId);
    const run = spans.find(({ spanId }) => spanId === stage?.parentSpanId);
    assert.deepEqual([stage?.name, run?.name, new Set(spans.map(({ traceId }) => traceId)).size], ["stage main", "install app", 1]);
    assert.match(body, /"service\.name","value":\{"stringValue":"e2e"\}/);
    for (const secret of [password, Buffer.from(password).toString("base64")]) assert.ok(!body.includes(secret));
  } finally {
    collector.kill("SIGTERM");
    await once(collector, "exit");
  }
});

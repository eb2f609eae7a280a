import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { VirtualClock } from "../../src/core/clock/index.ts";
import type { Exchange } from "../../src/core/exchange/index.ts";
import { isFields } from "../../src/core/object/index.ts";
import { startEmbeddedCluster } from "../../src/embedded/index.ts";
import { decodeBody, encodeObject, readEnvelope } from "../../src/embedded/protobuf/index.ts";
import { openCluster } from "../../src/kube/index.ts";
import { clientGoVersion, moduleFolder } from "../../tools/api-data/modules.ts";
import { environmentVariables } from "./run-end-to-end.ts";

const fixtures = join(moduleFolder("k8s.io/api", clientGoVersion), "testdata", "HEAD");

/** Kinds of versions that a server serves by itself. The name of a file is `GROUP.VERSION.KIND.pb`. A WatchEvent is no object. */
const names = readdirSync(fixtures).filter((name) => /\.v[12]\.\w+\.pb$/.test(name) && !name.includes("WatchEvent"));

test("Kubernetes' own fixtures are read and written to the byte", () => {
  for (const name of names) {
    const bytes = readFileSync(join(fixtures, name));
    const object = JSON.parse(readFileSync(join(fixtures, name.replace(/pb$/, "json")), "utf8")) as { kind: string };
    assert.deepEqual(decodeBody(readEnvelope(bytes)), object, name);
    assert.ok(bytes.equals(encodeObject(object)), name);
  }
  assert.ok(names.length > 80, `${names.length} fixtures`);
});

const kubeconfig = process.env[environmentVariables.kubeconfig];
const real = await openCluster(kubeconfig === undefined ? {} : { kubeconfig });
const embedded = startEmbeddedCluster({ clock: new VirtualClock() });
after(() => {
  real.close();
  embedded.stop();
});

const { signal } = new AbortController();
const protobuf = "application/vnd.kubernetes.protobuf";

async function ask(exchange: Exchange, method: string, path: string, headers: Record<string, string>, body?: Uint8Array) {
  const answer = await exchange({ method, path, headers, signal, ...(body === undefined ? {} : { body }) });
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(Buffer.from(chunk as Uint8Array));
  return { status: answer.status, type: answer.headers["content-type"], bytes: Buffer.concat(chunks) };
}

test("a body that is cut off or changed anywhere is answered as by the real server", async () => {
  const spec = { hard: { cpu: "1", "requests.memory": "1Gi" }, scopes: ["NotTerminating"] };
  const metadata = { name: "mutated", labels: { a: "b" }, annotations: { c: "d" } };
  const whole = encodeObject({ apiVersion: "v1", kind: "ResourceQuota", metadata, spec } as { kind: string });
  const path = "/api/v1/namespaces/default/resourcequotas?dryRun=All";
  const bodies = [...whole.keys()].flatMap((at) => [whole.subarray(0, at), whole.with(at, (whole[at]! + 1) % 256), whole.with(at, 255)]);
  const different: object[] = [];
  for (const body of bodies) {
    const answers = [];
    for (const exchange of [real.exchange, embedded.exchange]) {
      const { status, bytes } = await ask(exchange, "POST", path, { "content-type": protobuf }, body);
      answers.push({ status, message: messageOf(bytes) });
    }
    // Go prints bytes that are no UTF-8 as they are; here they are replaced when they are read.
    if (/\\x[0-9a-f]{2}|\ufffd/.test(`${answers[0]?.message}${answers[1]?.message}`)) continue;
    if (!isDeepStrictEqual(answers[1], answers[0]))
      different.push({ body: Buffer.from(body).toString("hex"), real: answers[0], embedded: answers[1] });
  }
  assert.deepEqual(different, []);
});

function messageOf(bytes: Buffer): unknown {
  const answer: unknown = JSON.parse(bytes.toString());
  return isFields(answer) && answer["kind"] === "Status" ? answer["message"] : undefined;
}

test("what the real server answers in protobuf says what it answers in JSON", async () => {
  for (const path of ["/api/v1/namespaces/default", "/apis/apiregistration.k8s.io/v1/apiservices/v1.apps", "/apis/batch/v1"]) {
    const json = await ask(real.exchange, "GET", path, { accept: "application/json" });
    const { type, bytes } = await ask(real.exchange, "GET", path, { accept: protobuf });
    assert.equal(type, protobuf);
    assert.ok(bytes.equals(encodeObject(JSON.parse(json.bytes.toString()) as { kind: string })), path);
  }
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { equal, isFields, listAt } from "../../src/core/object/index.ts";
import { crdsPath, deepCrd, deepRequests, deepSpec, type DeepForm, type DeepRequest } from "../wire/deep-object.ts";
import { rawRequest } from "../wire/raw-request.ts";
import { sendRaw, type RawAnswer, type WireTarget } from "../wire/send-raw.ts";
import { serveEmbedded } from "../wire/serve-embedded.ts";
import { wireTargetOf } from "../wire/wire-target.ts";
import { environmentVariables } from "./run-end-to-end.ts";

const real = wireTargetOf(readFileSync(process.env[environmentVariables.kubeconfig] ?? "", "utf8"));
const embedded = await serveEmbedded();

async function answerOf(target: WireTarget, { name, method, path, type = "application/json", body }: DeepRequest): Promise<RawAnswer> {
  const { answers } = await sendRaw(target, rawRequest(name, `${method} ${path} HTTP/1.1`, [`Content-Type: ${type}`], body));
  assert.ok(answers[0] !== undefined, `${name}: the connection was closed`);
  return answers[0];
}

/** Waits until a cluster serves a CRD, by watches of a few seconds: their answers are read when they end. */
async function established(target: WireTarget, form: DeepForm): Promise<void> {
  const path = `${crdsPath}?watch=true&timeoutSeconds=3&fieldSelector=metadata.name=${form}.deep.example.com`;
  for (let watches = 0; watches < 40; watches++) {
    const { body } = await answerOf(target, { name: "watch the CRD", method: "GET", path });
    if (body.includes('"type":"Established","status":"True"')) return;
  }
  assert.fail(`${form}.deep.example.com is not established`);
}

const own = new Set(["uid", "resourceVersion", "creationTimestamp", "time"]);

/** An answer without what every server has of its own. Only what is near the root is one: the rest may be deeper than the stack. */
function shown(body: string): unknown {
  const value: unknown = body.startsWith("{") ? JSON.parse(body) : body;
  if (!isFields(value)) return value;
  // When its conditions were set, and by whom at last, is a matter of time.
  if (value["kind"] === "CustomResourceDefinition") return value["spec"];
  const { items, ...rest } = withoutOwn(value);
  return { ...rest, ...(Array.isArray(items) ? { items: items.map(withoutOwn) } : {}) };
}

function withoutOwn(object: unknown): Readonly<Record<string, unknown>> {
  if (!isFields(object)) return {};
  const { metadata, details, ...rest } = object;
  const entries = listAt(metadata, "managedFields").map(without);
  return {
    ...rest,
    metadata: { ...without(metadata), ...(entries.length === 0 ? {} : { managedFields: entries }) },
    ...(details === undefined ? {} : { details: without(details) }),
  };
}

function without(fields: unknown): Readonly<Record<string, unknown>> {
  return isFields(fields) ? Object.fromEntries(Object.entries(fields).filter(([name]) => !own.has(name))) : {};
}

const cases: readonly (readonly [DeepForm, number])[] = [
  ["fields", 2000],
  ["values", 2000],
  ["items", 2000],
  ["free", 4990],
];

for (const [form, levels] of cases)
  test(`${form} nested ${levels} levels are answered as by the real server`, async () => {
    const create: DeepRequest = { name: "create the CRD", method: "POST", path: crdsPath, body: deepCrd(form, levels) };
    const different: object[] = [];
    for (const request of [create, ...deepRequests(form, levels)]) {
      const [there, here] = await Promise.all([answerOf(real, request), answerOf(embedded, request)]);
      if (there.status !== here.status || !equal(shown(there.body), shown(here.body))) {
        const [expected, found] = [there, here].map(({ status, body }) => `${status} ${body.slice(0, 500)} … ${body.slice(-500)}`);
        different.push({ request: request.name, real: expected, embedded: found });
      }
      if (request === create) await Promise.all([established(real, form), established(embedded, form)]);
    }
    assert.deepEqual(different, []);
  });

test("what is nested deeper than JSON may be is refused as by the real server", async () => {
  for (const levels of [4999, 5000, 20_000]) {
    const create: DeepRequest = { name: "create", method: "POST", path: `${crdsPath}?dryRun=All`, body: deepCrd("fields", levels) };
    const apply: DeepRequest = {
      ...create,
      method: "PATCH",
      path: `${crdsPath}/fields.deep.example.com?dryRun=All&fieldManager=x&force=true`,
      type: "application/apply-patch+yaml",
    };
    for (const request of [create, apply]) {
      const [there, here] = await Promise.all([answerOf(real, request), answerOf(embedded, request)]);
      assert.deepEqual([here.status, shown(here.body)], [there.status, shown(there.body)], `${request.method} ${levels}`);
      assert.equal(here.status, "400");
    }
  }
});

test("strategic merge patches of thousands of levels are answered as by the real server", async () => {
  const maps = "/api/v1/namespaces/default/configmaps";
  const create: DeepRequest = { name: "create", method: "POST", path: maps, body: '{"metadata":{"name":"deep"}}' };
  const strategic = { method: "PATCH", path: `${maps}/deep`, type: "application/strategic-merge-patch+json" };
  const bodies = [4000, 9990].map((levels) => `{"data":{"a":"1"},"odd":${deepSpec("fields", levels, "x")}}`);
  const crd = { ...strategic, name: "a CRD", path: `${crdsPath}/fields.deep.example.com?dryRun=All`, body: deepCrd("fields", 2000) };
  for (const request of [create, ...bodies.map((body, index) => ({ ...strategic, name: `patch ${index}`, body })), crd]) {
    const [there, here] = await Promise.all([answerOf(real, request), answerOf(embedded, request)]);
    assert.equal(here.status, there.status, `${request.name}: ${there.body.slice(0, 300)} … ${here.body.slice(0, 300)}`);
    assert.ok(equal(shown(here.body), shown(there.body)), request.name);
  }
});

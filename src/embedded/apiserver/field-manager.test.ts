import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { startEmbeddedCluster } from "../index.ts";

const { exchange } = startEmbeddedCluster({ clock: new VirtualClock() });

async function send(method: string, path: string, type: string, body: object): Promise<string> {
  const headers = { "content-type": type, accept: "application/json" };
  const { signal } = new AbortController();
  const answer = await exchange({ method, path, headers, body: JSON.stringify(body), signal });
  let text = "";
  for await (const chunk of answer.body) text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
  const { message } = JSON.parse(text) as { message?: string };
  return `${answer.status}${message === undefined ? "" : ` ${message}`}`;
}

const objects = "/api/v1/namespaces/default";
const secret = (name: string, a: string) => ({ apiVersion: "v1", kind: "Secret", metadata: { name }, data: { a } });
const apply = "application/apply-patch+yaml";
const by = "fieldManager=x&force=true";

/** Where Go's decoder stops, as a v1.35.8 server answered; undefined where it accepts the value. */
const values: Readonly<Record<string, number | undefined>> = {
  "!!!": 0,
  abc: 0,
  "YQ==!": 4,
  "YQ=": 3,
  " YQ==": 0,
  "Y\nQ==": undefined,
  "YQ==": undefined,
};

for (const [value, at] of Object.entries(values)) {
  test(`bytes that say ${JSON.stringify(value)}`, async () => {
    const found = `illegal base64 data at input byte ${at}`;
    const kind = "/v1, Kind=Secret";
    const refusal = `failed to convert new object (/s; ${kind}) to proper version: unable to convert unstructured object to ${kind}`;
    const applied = await send("PATCH", `${objects}/secrets/s?${by}&dryRun=All`, apply, secret("s", value));
    assert.equal(applied, at === undefined ? "201" : `500 ${refusal}: error decoding from json: ${found}`);
    const created = await send("POST", `${objects}/secrets?dryRun=All`, "application/json", secret("s", value));
    assert.equal(created, at === undefined ? "201" : `400 Secret in version "v1" cannot be handled as a Secret: ${found}`);
  });
}

test("bytes of an object that is there, and of another kind", async () => {
  assert.equal(await send("POST", `${objects}/secrets`, "application/json", secret("t", "YQ==")), "201");
  assert.match(await send("PATCH", `${objects}/secrets/t?${by}`, apply, secret("t", "!!!")), /^500 failed to convert new object \(\/t; /);
  assert.equal(
    await send("PATCH", `${objects}/secrets/t`, "application/strategic-merge-patch+json", { data: { a: "!!!" } }),
    '422  "" is invalid: patch: Invalid value: "map[data:map[a:!!!]]": error decoding from json: illegal base64 data at input byte 0',
  );
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, binaryData: { a: "!!!" } };
  assert.match(
    await send("PATCH", `${objects}/configmaps/c?${by}`, apply, map),
    /^500 .*Kind=ConfigMap: error decoding from json: illegal/,
  );
});

/** What the API server gets over the wire. */
import { VirtualClock } from "../../src/core/clock/index.ts";
import { startEmbeddedCluster } from "../../src/embedded/index.ts";
import { decodeBody, encodeObject, readEnvelope } from "../../src/embedded/protobuf/index.ts";
import { bytesOf, type FuzzTarget } from "./fuzz-target.ts";
import { configMap, manifests, pod, words } from "./seed-inputs.ts";

const { exchange } = startEmbeddedCluster({ clock: new VirtualClock(), seed: 1 });

/** What a real server refuses with 500, too: test/conformance/recorded/apply.jsonl has it. */
const refusal = "failed to create typed patch object (";

/** A request as text: its first line has method, path and the type of its body. */
async function request(input: string): Promise<void> {
  const at = input.indexOf("\n");
  const [method = "GET", path = "/", type = "application/json"] = input.slice(0, at < 0 ? undefined : at).split(" ");
  const body = at < 0 ? "" : input.slice(at + 1);
  const watches = /watch|follow/.test(path);
  if (watches || !path.startsWith("/")) return;
  const headers = { "content-type": type, accept: "application/json" };
  const answer = await exchange({
    method,
    path,
    headers,
    ...(body === "" ? {} : { body: bytesOf(body) }),
    signal: new AbortController().signal,
  });
  const told = JSON.stringify(answer.body);
  if (answer.status === 500 && !told.includes(refusal)) throw new TypeError(`answered 500: ${told.slice(0, 600)}`);
}

const packed = Buffer.from(encodeObject(pod)).toString("latin1");

export const wireTargets: Readonly<Record<string, FuzzTarget>> = {
  http: {
    seeds: [
      `POST /api/v1/namespaces/default/configmaps?dryRun=All application/json\n${configMap}`,
      `PATCH /api/v1/namespaces/default?fieldManager=x&force=true application/apply-patch+yaml\napiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n`,
      'PATCH /api/v1/namespaces/default application/merge-patch+json\n{"metadata":{"labels":{"a":null}}}',
      'PATCH /api/v1/namespaces/default application/strategic-merge-patch+json\n{"metadata":{"finalizers":["a"]}}',
      'PATCH /api/v1/namespaces/default application/json-patch+json\n[{"op":"add","path":"/metadata/labels","value":{}}]',
      "GET /api/v1/namespaces?labelSelector=a%3Db&fieldSelector=metadata.name%3Da&limit=1&continue=x&resourceVersion=0",
      "GET /apis/apps/v1/namespaces/default/deployments/a/scale",
      "GET /openapi/v3/apis/apps/v1",
      "GET /api/v1/namespaces/default/pods/a/log?tailLines=x",
      `POST /apis/apps/v1/namespaces/default/deployments?dryRun=All application/yaml\n${manifests[0]}`,
      'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All application/json\n{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"as.b.io"},"spec":{"group":"b.io","scope":"Namespaced","names":{"plural":"as","kind":"A"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"type":"string","pattern":"^a$","x-kubernetes-validations":[{"rule":"self != \'\'"}]}}}}}]}}',
      'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews application/json\n{"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}}',
      `POST /api/v1/namespaces/default/pods?dryRun=All application/vnd.kubernetes.protobuf\n${packed}`,
      'DELETE /api/v1/namespaces/default/configmaps?dryRun=All application/json\n{"propagationPolicy":"Foreground","preconditions":{"uid":"x"}}',
    ],
    tokens: [
      ...words(
        '/api/v1/ /apis/ namespaces/ ? & % %2F = /status /scale dryRun=All limit=-1 resourceVersionMatch=Exact {" "} : null [] {} spec metadata 1e400 \n',
      ),
      "GET ",
      "POST ",
      "PUT ",
      "PATCH ",
      "DELETE ",
    ],
    run: request,
  },
  protobuf: {
    seeds: [packed],
    tokens: words("k8s\0 \x0a \x12 \x1a \xff\xff\xff\xff\x0f \0 \x80 v1 Pod Secret apps/v1 Deployment"),
    run: (input) => decodeBody(readEnvelope(bytesOf(input))),
  },
};

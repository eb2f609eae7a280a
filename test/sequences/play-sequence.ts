import { RealClock, sleep } from "../../src/core/clock/index.ts";
import type { Exchange } from "../../src/core/exchange/index.ts";
import { isFields, listAt, stringAt } from "../../src/core/object/index.ts";
import { normalise } from "../conformance/normalise.ts";
import { widgetSchema } from "./random-object.ts";
import type { RandomRequest } from "./random-sequence.ts";

/** The namespace and the API group of one play. */
type Stage = { readonly namespace: string; readonly group: string };

type Identity = { readonly rv: string; readonly uid: string };

const json = { "content-type": "application/json" };
const clock = new RealClock();
const answerWithinMs = 60_000;

/** Plays a sequence in a namespace of its own and returns the normalised answers, the last of which are the final states. */
export async function playSequence(exchange: Exchange, sequence: readonly RandomRequest[], stage: Stage): Promise<readonly unknown[]> {
  const known = new Map<string, Identity>();
  const filled = (text: string) =>
    text
      .replaceAll("{ns}", stage.namespace)
      .replaceAll("{group}", stage.group)
      .replaceAll(/\{(rv|uid) ([^}]+)\}/g, (_whole, what: "rv" | "uid", path: string) => known.get(path)?.[what] ?? "0");
  const heard: unknown[] = [];
  for (const { method, path, type, accept = "application/json", body } of sequence) {
    const headers = { accept, "user-agent": "sequence/1", ...(type === undefined ? {} : { "content-type": type }) };
    const answer = await ask(exchange, method, filled(path), headers, body === undefined ? undefined : filled(body));
    heard.push(answer);
    remember(known, path, answer.body);
    if (method === "DELETE") await settledList(exchange, filled(collectionOf(path)));
  }
  const collections = [...new Set(sequence.map(({ path }) => collectionOf(path)))];
  for (const path of collections) heard.push(await settledList(exchange, filled(path)));
  const aliases = new Map([
    [stage.namespace, "<ns>"],
    [stage.group, "<group>.example.com"],
  ]);
  const normalised = normalise(heard, aliases);
  return Array.isArray(normalised) ? normalised : [];
}

function collectionOf(path: string): string {
  return path.split("?", 1)[0]!.replace(/(\{ns\}\/\w+).*/, "$1");
}

/** A collection when the garbage collector has dealt with what was deleted, and what every namespace has is there again. */
async function settledList(exchange: Exchange, path: string): Promise<Heard> {
  for (let times = 0; ; times++) {
    const answer = await ask(exchange, "GET", path, { accept: "application/json" });
    const text = JSON.stringify(answer.body);
    const isBusy = /"finalizers":\[[^\]]*"(orphan|foregroundDeletion)"/.test(text);
    const isMissing = path.endsWith("/configmaps") && !text.includes("kube-root-ca.crt");
    if ((!isBusy && !isMissing) || times === 50) return { ...answer, body: withGeneratedLast(answer.body) };
    await sleep(clock, 20);
  }
}

function isGenerated(item: unknown): boolean {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(stringAt(item, "metadata.name", ""));
}

/** A list with objects last whose name is a uid, as of a LimitRange without a name: their order is chance. */
function withGeneratedLast(list: unknown): unknown {
  const items = listAt(list, "items");
  if (!isFields(list) || !items.some(isGenerated)) return list;
  return { ...list, items: [...items.filter((item) => !isGenerated(item)), ...items.filter(isGenerated)] };
}

/** Creates the namespace, and the CRD of Widgets in the group, and waits until they can be used. */
export async function prepareStage(exchange: Exchange, { namespace, group }: Stage, settle: () => Promise<void>): Promise<void> {
  await ask(exchange, "POST", "/api/v1/namespaces", json, JSON.stringify({ metadata: { name: namespace } }));
  const names = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" };
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const versions = [
    { name: "v1", served: true, storage: true, subresources: { status: {}, scale }, schema: { openAPIV3Schema: widgetSchema } },
  ];
  const crd = { metadata: { name: `widgets.${group}` }, spec: { group, scope: "Namespaced", names, versions } };
  await ask(exchange, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", json, JSON.stringify(crd));
  // Before the kind is served, everything about it is not found, and there is nothing to watch.
  const probe = `/apis/${group}/v1/namespaces/${namespace}/widgets?dryRun=All`;
  const widget = JSON.stringify({ apiVersion: `${group}/v1`, kind: "Widget", metadata: { name: "probe" }, spec: { color: "red" } });
  for (let times = 0; times < 600; times++) {
    await settle();
    const account = await ask(exchange, "GET", `/api/v1/namespaces/${namespace}/serviceaccounts/default`, {});
    const { status } = await ask(exchange, "POST", probe, json, widget);
    if (status === 201 && account.status === 200) return;
  }
  throw new Error(`widgets.${group} is not served`);
}

type Heard = { readonly status: number; readonly headers: object; readonly body: unknown };

async function ask(exchange: Exchange, method: string, path: string, headers: Record<string, string>, body?: string): Promise<Heard> {
  const signal = AbortSignal.timeout(answerWithinMs);
  const answer = await exchange({ method, path, headers, signal, ...(body === undefined ? {} : { body }) });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body) text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  const { "content-type": type, warning, "retry-after": retryAfter } = answer.headers;
  return { status: answer.status, headers: { type, warning, retryAfter }, body: parsed(text) };
}

/**
 * What is chance in a message: Go walks a map in no order and stops at what the schema does not have, so that it finds
 * other errors each time; fields of a struct are converted in their order, which no schema tells; the beginning of a body
 * has more or less of the names that the run has chosen.
 */
const chance = [
  /(failed to create typed patch object \([^)]*\)): .*/s,
  /(unable to convert unstructured object) to .*/s,
  /( \(\{).* \.\.\.\)$/s,
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) =>
      key === "message" && typeof value === "string" ? chance.reduce((text, pattern) => text.replace(pattern, "$1"), value) : value,
    );
  } catch {
    return text; // YAML, and what is no resource
  }
}

/** Keeps the version and the uid of an object that an answer shows. */
function remember(known: Map<string, Identity>, path: string, body: unknown): void {
  const [name, uid, rv] = ["name", "uid", "resourceVersion"].map((field) => stringAt(body, `metadata.${field}`, ""));
  const collection = /^.*\{ns\}\/\w+/.exec(path)?.[0];
  if (collection !== undefined && name && uid && rv) known.set(`${collection}/${name}`, { rv, uid });
}

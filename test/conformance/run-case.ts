import { sleep } from "../../src/core/clock/index.ts";
import { Fault } from "../../src/core/fault/index.ts";
import { isFields, stringAt } from "../../src/core/object/index.ts";
import type { RequestStep, ConformanceCase, OpenWatch, ReadEvents, CaseStep, Until, WaitFor, WaitForAll } from "./conformance-case.ts";
import { normalise, type Aliases } from "./normalise.ts";
import { fieldAt, isAsExpected, projectFields } from "./field-path.ts";
import { readBody, readJsonLines, requestWithRetry, type ConformanceTarget } from "./conformance-target.ts";
import { listAndWatchUntil, BufferedWatch, type RawWatchEvent } from "./buffered-watch.ts";

/** The answer to a step, normalised and reduced to what the step shows. */
export type StepAnswer = { readonly step: string; readonly heard: unknown };

/** How long a step may take, in the time of the cluster. It ends only steps that would never end. */
const stepTimeoutMs = 120_000;

const comparedHeaders = ["content-type", "warning", "retry-after"];

/** A case that runs: its variables, its watches, and what it has created outside its namespaces. */
type Run = {
  readonly site: ConformanceTarget;
  readonly variables: Map<string, string>;
  readonly taps: Map<string, BufferedWatch>;
  readonly leftovers: string[];
  readonly signal: AbortSignal;
};

/** Runs a case and returns the answer to every step. Throws when a step violates its own `expect` or `until`. */
export async function runCase(subject: ConformanceCase, target: ConformanceTarget, run: string): Promise<StepAnswer[]> {
  const ended = new AbortController();
  const aliases = aliasesOf(subject, run, target);
  const variables = new Map([...aliases].map(([name, alias]) => [alias.slice(1, -1), name]));
  for (const [name, value] of webhookVariables(target)) variables.set(name, value);
  const running: Run = { site: target, variables, taps: new Map(), leftovers: [], signal: ended.signal };
  try {
    await prepare(running, subject.namespaces ?? 1);
    const answers: { step: string; heard: unknown; show: CaseStep }[] = [];
    for (const [index, step] of subject.steps.entries()) {
      const title = `${index + 1} ${titleOf(step)}`;
      answers.push({ step: title, heard: await timed(running, title, (signal) => runStep(running, step, signal)), show: step });
    }
    return normalisedAnswers(subject, answers, aliases);
  } finally {
    ended.abort();
    await clear(running);
  }
}

function webhookVariables({ webhook }: ConformanceTarget): readonly [string, string][] {
  if (webhook === undefined) return [];
  const { address, caBundle } = webhook;
  return [
    ["ca", caBundle],
    ["port", address.replace(/.*:/, "")],
  ];
}

function aliasesOf(subject: ConformanceCase, run: string, { webhook }: ConformanceTarget): Aliases {
  const unique = `${subject.id.replaceAll(/[^a-z0-9]+/g, "-").slice(0, 36)}-${run}`;
  const names = Array.from({ length: subject.namespaces ?? 1 }, (_, index): [string, string] => [
    `n${index + 1}-${unique}`,
    index === 0 ? "<ns>" : `<ns${index + 1}>`,
  ]);
  const addresses: [string, string][] =
    webhook === undefined
      ? []
      : [
          [webhook.address, "<webhook>"],
          [webhook.address.replace(/.*:/, ".svc:"), ".svc:<port>"],
        ];
  return new Map([...names, ...addresses, [`g-${unique}.example.com`, "<group>"], [`u-${unique}`, "<unique>"]]);
}

/** Normalises before reducing, since the names of objects depend on fields that may not be shown. */
function normalisedAnswers(
  subject: ConformanceCase,
  answers: readonly { step: string; heard: unknown; show: CaseStep }[],
  aliases: Aliases,
): StepAnswer[] {
  const heard = normalise(
    answers.map((answer) => answer.heard),
    aliases,
    { oneCounter: subject.oneCounter ?? false },
  );
  const steps = Array.isArray(heard) ? heard : [];
  return answers.map(({ step, show }, index) => ({ step, heard: shown(steps[index], show) }));
}

function shown(heard: unknown, step: CaseStep): unknown {
  if (!isFields(heard) || !("show" in step || "coalesce" in step)) return heard;
  const { show } = step;
  if ("events" in step && Array.isArray(heard["events"])) {
    const events = heard["events"].map((event) => ({
      type: fieldAt(event, "type"),
      object: projectFields(fieldAt(event, "object"), show),
    }));
    return { events: step.coalesce ? coalesced(events) : events };
  }
  if ("object" in heard) return { object: projectFields(heard["object"], show) };
  return { ...heard, body: projectFields(heard["body"], show) };
}

function coalesced(events: readonly { type: unknown; object: unknown }[]): unknown[] {
  return events.filter((event, index) => index === 0 || JSON.stringify(event) !== JSON.stringify(events[index - 1]));
}

async function timed<T>(run: Run, title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const cancel = run.site.clock.after(stepTimeoutMs, () => timeout.abort(new Error(`nothing for ${stepTimeoutMs / 1000} s`)), {
    background: true,
  });
  const signal = AbortSignal.any([run.signal, timeout.signal]);
  const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  try {
    return await run.site.drive(Promise.race([work(signal), aborted]));
  } catch (cause) {
    throw new Fault(title, cause);
  } finally {
    cancel();
  }
}

/** Creates the namespaces and waits for what controllers put into each, so that a case starts in a stable state. */
async function prepare(run: Run, count: number): Promise<void> {
  for (let index = 1; index <= count; index++) {
    const name = run.variables.get(index === 1 ? "ns" : `ns${index}`)!;
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    const path = `/api/v1/namespaces/${name}`;
    run.leftovers.push(path);
    await timed(run, `create namespace ${name}`, (signal) =>
      call(run, { call: "POST /api/v1/namespaces", body, headers: { "content-type": "application/json" } }, signal),
    );
    for (const made of ["serviceaccounts/default", "configmaps/kube-root-ca.crt"]) {
      await timed(run, `wait for ${made}`, (signal) => waitFor(run, { waitFor: `${path}/${made}`, until: "present" }, signal));
    }
  }
}

async function clear(run: Run): Promise<void> {
  for (const path of run.leftovers) {
    await run.site.drive(
      run.site
        .exchange({ method: "DELETE", path, headers: {}, signal: AbortSignal.timeout(10_000) })
        .then(({ body }) => readBody(body))
        .catch(() => undefined), // a leftover does no harm: no two cases share a name
    );
  }
}

function runStep(run: Run, step: CaseStep, signal: AbortSignal): Promise<unknown> {
  if ("call" in step) return call(run, step, signal);
  if ("waitFor" in step) return waitFor(run, step, signal);
  if ("waitForAll" in step) return waitForAll(run, step, signal);
  if ("watch" in step) return openWatch(run, step, signal);
  return readEvents(run, step);
}

function titleOf(step: CaseStep): string {
  if ("call" in step) return step.call;
  if ("waitFor" in step) return `wait for ${step.waitFor} to be ${JSON.stringify(step.until)}`;
  if ("waitForAll" in step) return `wait for ${step.count} of ${step.waitForAll} to be ${JSON.stringify(step.until ?? "present")}`;
  return "watch" in step ? `watch ${step.watch}` : `events of ${step.events}`;
}

async function call(run: Run, step: RequestStep, signal: AbortSignal): Promise<unknown> {
  const [method = "", path = ""] = filled(run, step.call).split(/ (.*)/);
  const text = step.text ?? (step.body === undefined ? undefined : JSON.stringify(step.body));
  const body = text === undefined ? undefined : filled(run, text);
  const given = Object.entries(step.headers ?? {}).map(([name, value]) => [name, filled(run, value)] as const);
  const request = { method, path, headers: { accept: "application/json", ...Object.fromEntries(given) }, signal };
  const isOfOwnGroup = path.startsWith(`/apis/${run.variables.get("group")}`) && step.expect === undefined;
  const retried = [429, ...(isOfOwnGroup ? [404] : []), ...(step.early === undefined ? [] : [step.early])];
  const ask = () => requestWithRetry(run.site, body === undefined ? request : { ...request, body }, retried);
  let answer = await ask();
  let content = await readBody(answer.body);
  const until = JSON.parse(filled(run, JSON.stringify(step.until ?? "present"))) as Until;
  while (!isAsExpected(content, until) || !(answer.headers["warning"] ?? "").includes(step.untilWarned ?? "")) {
    await sleep(run.site.clock, 100, signal);
    answer = await ask();
    content = await readBody(answer.body);
  }
  const isExpected = step.expect === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === step.expect;
  if (!isExpected) {
    throw new Error(
      `expected ${step.expect ?? "success"}, got ${answer.status}: ${stringAt(content, "message", JSON.stringify(content).slice(0, 200))}`,
    );
  }
  capture(run, content, step.capture);
  if (answer.status === 201 && !path.includes("/namespaces/")) run.leftovers.unshift(objectPath(method, path, content));
  return { status: answer.status, headers: compared(answer.headers), body: content };
}

function objectPath(method: string, path: string, content: unknown): string {
  const plain = path.split("?")[0] ?? path;
  return method === "POST" ? `${plain}/${stringAt(content, "metadata.name", "")}` : plain;
}

function compared(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(comparedHeaders.filter((name) => name in headers).map((name) => [name, headers[name] ?? ""]));
}

async function waitFor(run: Run, step: WaitFor, signal: AbortSignal): Promise<unknown> {
  const path = filled(run, step.waitFor);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const collection = `${path.slice(0, path.lastIndexOf("/"))}?fieldSelector=metadata.name%3D${name}`;
  let last: unknown;
  try {
    const found = await listAndWatchUntil(run.site, collection, (objects) => isAsExpected((last = objects.get(name)), step.until), signal);
    capture(run, found.get(name), step.capture);
    return { object: found.get(name) ?? null };
  } catch (cause) {
    throw new Fault(`last seen ${JSON.stringify(isFields(last) ? (last["status"] ?? last) : null)}`, cause);
  }
}

async function waitForAll(run: Run, step: WaitForAll, signal: AbortSignal): Promise<unknown> {
  const path = filled(run, step.waitForAll);
  const until = step.until ?? "present";
  const found = await listAndWatchUntil(
    run.site,
    path,
    (objects) => objects.size === step.count && [...objects.values()].every((object) => isAsExpected(object, until)),
    signal,
  );
  const inOrder = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  return { object: { items: inOrder } };
}

async function openWatch(run: Run, step: OpenWatch, signal: AbortSignal): Promise<unknown> {
  const path = filled(run, step.watch);
  const headers = { accept: "application/json", ...step.headers };
  const answer = await requestWithRetry(run.site, { method: "GET", path, headers, signal: run.signal });
  signal.throwIfAborted();
  if (answer.status !== (step.expect ?? 200)) {
    throw new Error(`expected ${step.expect ?? 200}, got ${answer.status}: ${JSON.stringify(await readBody(answer.body))}`);
  }
  if (answer.status !== 200) return { status: answer.status, headers: compared(answer.headers), body: await readBody(answer.body) };
  run.taps.set(step.name, new BufferedWatch(readJsonLines(answer.body)));
  return { status: answer.status, headers: compared(answer.headers) };
}

async function readEvents(run: Run, step: ReadEvents): Promise<unknown> {
  const tap = run.taps.get(step.events);
  if (tap === undefined) throw new Error(`no watch is called ${step.events}`);
  const { until } = step;
  const isLast = (event: RawWatchEvent, index: number): boolean => {
    if (until === "end") return false;
    if ("count" in until) return index + 1 === until.count;
    return event.type === until.type && (until.is === undefined || isAsExpected(event.object, until.is));
  };
  const events = await tap.take(isLast);
  if (tap.ended && until !== "end" && !events.some(isLast)) throw new Error(`the watch ended after ${JSON.stringify(events)}`);
  return { events };
}

const encodedPath = /^base64:/;

function capture(run: Run, content: unknown, wanted: Readonly<Record<string, string>> = {}): void {
  for (const [name, path] of Object.entries(wanted)) {
    const value = fieldAt(content, path.replace(encodedPath, ""));
    if (value === undefined) throw new Error(`nothing to capture at ${path}`);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    run.variables.set(name, encodedPath.test(path) ? Buffer.from(text, "base64").toString() : text);
  }
}

/** Replaces captured names in braces. Others stay: the rules of a schema have braces too. */
function filled(run: Run, text: string): string {
  const plain = text.replace(/"\{port\}"/g, () => run.variables.get("port") ?? "0");
  return plain.replace(/\{(\w+)\}/g, (whole, name: string) => run.variables.get(name) ?? whole);
}

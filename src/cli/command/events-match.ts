import { EventSourceEvaluator, explain, type MatchResult } from "../../sveltos/evaluate/index.ts";
import type { ScriptEnvironment } from "../../sveltos/script/index.ts";
import type { EventSource } from "../../sveltos/api/index.ts";
import { BadInput } from "../../core/fault/index.ts";
import { isUnknownKind, type Cluster } from "../../kube/index.ts";
import { apiVersionOf, keyOf, refOf, titleOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { table } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { readEventSourceFile } from "../events/event-source-folder.ts";
import { scriptEnvironment } from "../events/script-environment.ts";
import { exitCodes } from "../failure.ts";
import { withCluster } from "../with-cluster.ts";
import type { Terminal } from "../terminal.ts";
import type { EventsMatchFlags } from "../command-group/events.ts";

/** An object of a kind that the EventSource selects, and its match. */
type Row = { readonly ref: ObjectRef; readonly state: MatchResult["state"]; readonly because: string };
type MatchReport = { readonly rows: readonly Row[]; readonly failures: readonly string[]; readonly unknown: readonly string[] };

/**
 * Prints which objects of a cluster an EventSource matches now, and for every other object of its kinds why not. Exit code 1
 * when an object could not be evaluated. Changes nothing.
 */
export async function eventsMatch(file: string, options: EventsMatchFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { source, problems } = await readEventSourceFile(file);
  if (source === undefined || problems.length > 0) throw new BadInput(problems);
  const { output, ...where } = options;
  const look = await withCluster(where, terminal, ({ cluster }) =>
    matchInCluster({ source, namespace: options.namespace, environment: scriptEnvironment(terminal) }, cluster, signal),
  );
  if (output === "text") show(look, terminal);
  else terminal.out(formatOutput(dataOf(look), output));
  const isJudged = look.failures.length === 0 && look.rows.every(({ state }) => state !== "failed");
  return isJudged ? exitCodes.ok : exitCodes.failed;
}

type MatchRequest = { readonly source: EventSource; readonly namespace: string | undefined; readonly environment: ScriptEnvironment };

async function matchInCluster(question: MatchRequest, cluster: Cluster, signal: AbortSignal): Promise<MatchReport> {
  const { source, environment } = question;
  const { objects, unknown } = await objectsFor(question, cluster, signal);
  const evaluation = new EventSourceEvaluator(source, { environment });
  for (const object of objects) evaluation.put(object);
  const { matches, failures } = evaluation.evaluate();
  const matching = new Set(matches.map(({ ref }) => keyOf(ref)));
  const explainObject = explain(source, environment);
  return {
    rows: [
      ...matches.map(({ ref, message }): Row => ({ ref, state: "matching", because: message })),
      ...objects.filter((object) => !matching.has(keyOf(refOf(object)))).map((object) => rowFor(object, explainObject(object))),
    ],
    failures: failures.filter(({ ref }) => ref === undefined).map(({ reason }) => reason),
    unknown,
  };
}

type Found = { readonly objects: readonly KubeObject[]; readonly unknown: readonly string[] };

/** Lists the objects of the kinds that the EventSource selects, and names the kinds that the cluster does not serve. */
async function objectsFor({ source, namespace }: MatchRequest, cluster: Cluster, signal: AbortSignal): Promise<Found> {
  const kinds = new Map(source.selectors.map((selector) => [`${apiVersionOf(selector)} ${selector.kind}`, selector]));
  const objects = new Map<string, KubeObject>();
  const unknown: string[] = [];
  for (const [title, { group, version, kind }] of kinds)
    try {
      const { items } = await cluster.list({ group, version, kind }, { ...(namespace !== undefined && { namespace }), signal });
      for (const object of items) objects.set(`${version}/${keyOf(refOf(object))}`, object);
    } catch (error) {
      if (!isUnknownKind(error)) throw error;
      unknown.push(title);
    }
  return { objects: [...objects.values()], unknown };
}

function rowFor(object: KubeObject, verdict: MatchResult): Row {
  const ref = refOf(object);
  // A selector matches it and the EventSource does not, so aggregatedSelection left it out.
  if (verdict.state === "matching") return { ref, state: "different", because: "aggregatedSelection did not choose it" };
  return { ref, state: verdict.state, because: verdict.because };
}

const words = { matching: "matches", different: "does not match", failed: "cannot be judged" } as const;

function show({ rows, failures, unknown }: MatchReport, { out, err, paint }: Terminal): void {
  for (const failure of failures) out(`${paint.bad("error")}: ${failure}`);
  for (const kind of unknown)
    err(paint.warn(`warning: the cluster knows no kind ${kind}: nothing of it matches until its definition is there`));
  const lines = rows.map(({ ref, state, because }) => [titleOf(ref), ref.namespace, words[state], because]);
  if (lines.length > 0) for (const line of table(["OBJECT", "NAMESPACE", "VERDICT", "REASON"], lines)) out(line);
  const matching = rows.filter(({ state }) => state === "matching").length;
  out(`${matching} of ${rows.length} objects match`);
}

function dataOf({ rows, failures, unknown }: MatchReport): object {
  return {
    objects: rows.map(({ ref, state, because }) => {
      const { kind, namespace, name } = ref;
      return { apiVersion: apiVersionOf(ref), kind, namespace, name, verdict: state, because };
    }),
    failures,
    unknownKinds: unknown,
  };
}

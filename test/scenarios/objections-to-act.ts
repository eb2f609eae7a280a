import { isDeepStrictEqual } from "node:util";
import { titleOf } from "../../src/core/object/index.ts";
import type { Progress } from "../../src/release/index.ts";
import { matchingChanges, objectionToOrder } from "./observed-order.ts";
import { progressLine } from "./progress-line.ts";
import type { Act, Expectation } from "./scenario.ts";
import type { ActResult, ScenarioRunner } from "./scenario-runner.ts";

/** How the result of an act differs from its expectation. */
export async function objectionsToAct(act: Act, result: ActResult, runner: ScenarioRunner): Promise<readonly string[]> {
  const expect = act.expect ?? {};
  const fill = (text: string) => text.replaceAll("$NS", runner.namespace);
  return [
    ...(act.do === "others" ? [] : endObjections(act, expect, result)),
    ...orderObjections(expect, result.seen(), fill),
    ...progressObjections(expect, result, fill),
    ...presenceObjections(expect, runner.live(), fill),
    ...(await recordObjections(expect, runner, act)),
    ...(expect.withinMs !== undefined && result.tookMs > expect.withinMs
      ? [`it took ${result.tookMs} ms, not ${expect.withinMs} at most`]
      : []),
  ];
}

function endObjections(act: Act, expect: Expectation, { progress, refusal }: ActResult): readonly string[] {
  if (refusal !== undefined) {
    const text = refusal instanceof Error ? (refusal.stack ?? refusal.message) : String(refusal);
    return expect.refused?.test(text) === true ? [] : [`it was refused: ${text}`];
  }
  if (expect.refused !== undefined) return [`it was not refused with ${expect.refused}`];
  const end = progress.at(-1);
  const wanted = expect.status ?? (act.do === "delete" ? "deleted" : "deployed");
  if (end?.type !== "done") return ["the progress has no end"];
  const because = end.because ?? "";
  if (end.status !== wanted) return [`it ended ${end.status}, not ${wanted}: ${because}`];
  return expect.because === undefined || expect.because.test(because)
    ? []
    : [`it ended because of ${because}, which does not match ${expect.because}`];
}

function orderObjections(
  { order = [], never = [] }: Expectation,
  seen: readonly string[],
  fill: (text: string) => string,
): readonly string[] {
  const wrong = order.flatMap((each) => {
    const objection = objectionToOrder(fill(each), seen);
    return objection === undefined ? [] : [`${each}: ${objection}`];
  });
  return [...wrong, ...never.flatMap((pattern) => matchingChanges(fill(pattern), seen).map((text) => `there should be no ${text}`))];
}

function progressObjections(
  { progressLines = [], unwantedLines = [], kept, logs }: Expectation,
  { progress }: ActResult,
  fill: (text: string) => string,
): readonly string[] {
  const lines = progress.map(progressLine);
  const planned = progress.findLast((event) => event.type === "planned");
  const stays = planned?.plan.kept.map(({ ref }) => titleOf(ref)) ?? [];
  return [
    ...progressLines.filter((pattern) => !lines.some((line) => pattern.test(line))).map((pattern) => `no progress line matches ${pattern}`),
    ...unwantedLines.flatMap((pattern) => lines.filter((line) => pattern.test(line)).map((line) => `unwanted progress line: ${line}`)),
    ...(kept === undefined || kept.map(fill).toSorted().join() === stays.toSorted().join()
      ? []
      : [`kept is ${stays.join()}, not ${kept.join()}`]),
    ...(logs === undefined || isDeepStrictEqual(logsIn(progress), logs) ? [] : [`the logs are ${JSON.stringify(logsIn(progress))}`]),
  ];
}

/** What containers have written, by object and container. */
function logsIn(progress: readonly Progress[]): Record<string, string[]> {
  const logs: Record<string, string[]> = {};
  for (const event of progress)
    if (event.type === "log")
      (logs[`${titleOf(event.ref)} ${event.container}`] ??= []).push("line" in event ? event.line : JSON.stringify(event));
  return logs;
}

function presenceObjections(
  { there = [], absent = [] }: Expectation,
  live: ReadonlySet<string>,
  fill: (text: string) => string,
): readonly string[] {
  return [
    ...there.filter((title) => !live.has(fill(title))).map((title) => `${title} is not there`),
    ...absent.filter((title) => live.has(fill(title))).map((title) => `${title} is there`),
  ];
}

async function recordObjections({ records }: Expectation, runner: ScenarioRunner, act: Act): Promise<readonly string[]> {
  if (records === undefined) return [];
  const found = await runner.records(act);
  return found.join() === records.join() ? [] : [`the records are ${found.join(", ")}, not ${records.join(", ")}`];
}

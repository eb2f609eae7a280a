import { titleOf } from "../../src/core/object/index.ts";
import { matching, objectionToOrder } from "./before.ts";
import { lineOf } from "./line.ts";
import type { Act, Expectation } from "./scenario.ts";
import type { Played, Theatre } from "./theatre.ts";

/** All that is not as an act's expectation says. Nothing, when it is. */
export async function objectionsTo(act: Act, played: Played, theatre: Theatre): Promise<readonly string[]> {
  const expect = act.expect ?? {};
  const fill = (text: string) => text.replaceAll("$NS", theatre.namespace);
  return [
    ...(act.do === "others" ? [] : endObjections(act, expect, played)),
    ...orderObjections(expect, played.seen(), fill),
    ...storyObjections(expect, played, fill),
    ...presenceObjections(expect, theatre.live(), fill),
    ...(await recordObjections(expect, theatre, act)),
    ...(expect.withinMs !== undefined && played.tookMs > expect.withinMs
      ? [`it took ${played.tookMs} ms, not ${expect.withinMs} at most`]
      : []),
  ];
}

function endObjections(act: Act, expect: Expectation, { story, refusal }: Played): readonly string[] {
  if (refusal !== undefined) {
    const said = refusal instanceof Error ? (refusal.stack ?? refusal.message) : String(refusal);
    return expect.refused?.test(said) === true ? [] : [`it was refused: ${said}`];
  }
  if (expect.refused !== undefined) return [`it was not refused with ${expect.refused}`];
  const end = story.at(-1);
  const wanted = expect.status ?? (act.do === "delete" ? "deleted" : "deployed");
  if (end?.type !== "done") return ["the story has no end"];
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
  return [...wrong, ...never.flatMap((pattern) => matching(fill(pattern), seen).map((text) => `there should be no ${text}`))];
}

function storyObjections(
  { told = [], untold = [], kept }: Expectation,
  { story }: Played,
  fill: (text: string) => string,
): readonly string[] {
  const lines = story.map(lineOf);
  const planned = story.findLast((event) => event.type === "planned");
  const stays = planned?.plan.kept.map(({ ref }) => titleOf(ref)) ?? [];
  return [
    ...told.filter((pattern) => !lines.some((line) => pattern.test(line))).map((pattern) => `nothing was told like ${pattern}`),
    ...untold.flatMap((pattern) => lines.filter((line) => pattern.test(line)).map((line) => `it should not be told: ${line}`)),
    ...(kept === undefined || kept.map(fill).toSorted().join() === stays.toSorted().join()
      ? []
      : [`kept is ${stays.join()}, not ${kept.join()}`]),
  ];
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

async function recordObjections({ records }: Expectation, theatre: Theatre, act: Act): Promise<readonly string[]> {
  if (records === undefined) return [];
  const found = await theatre.records(act);
  return found.join() === records.join() ? [] : [`the records are ${found.join(", ")}, not ${records.join(", ")}`];
}

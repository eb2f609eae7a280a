import { rowTitle, timelineOf, type Timeline } from "../release/recording/index.ts";
import type { RehearsalReport } from "../release/rehearse/index.ts";

/** The expected timeline as a JUnit report: one test case for each object. */
export function rehearsalJunit(report: RehearsalReport): string {
  const { release, status, because = status, recording } = report;
  const name = `rehearsal of ${release.name} in ${release.namespace}`;
  const good = status === "deployed" || status === "unchanged";
  const timeline = recording === undefined ? undefined : timelineOf(recording);
  const cases = timeline === undefined ? [] : timeline.rows.map((row) => caseOf(row, timeline));
  const whole = testCase("the deploy", seconds(timeline?.lengthMs ?? 0), good ? "" : `<failure message="${attribute(because)}"/>`);
  const failed = cases.filter((text) => text.includes("<failure")).length + (good ? 0 : 1);
  const skipped = cases.filter((text) => text.includes("<skipped")).length;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="${attribute(name)}" tests="${cases.length + 1}" failures="${failed}" skipped="${skipped}" time="${seconds(timeline?.lengthMs ?? 0)}">
${[whole, ...cases].join("\n")}
</testsuite>`;
}

function caseOf({ ref, fromMs, toMs, outcome, because = outcome }: Timeline["rows"][number], { subject }: Timeline): string {
  const inner =
    outcome === "finished"
      ? ""
      : outcome === "skipped"
        ? `<skipped message="${attribute(because)}"/>`
        : `<failure message="${attribute(because)}"/>`;
  return testCase(rowTitle(ref, subject), seconds(toMs - fromMs), inner);
}

function testCase(name: string, time: string, inner: string): string {
  const head = `<testcase classname="rehearsal" name="${attribute(name)}" time="${time}"`;
  return inner === "" ? `  ${head}/>` : `  ${head}>${inner}</testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML has no spelling for control characters. */
function attribute(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character]!).replaceAll(/\p{Cc}/gu, " ");
}

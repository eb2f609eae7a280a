import type { Warn } from "../../chart/index.ts";
import type { Hook, Revision } from "../record/index.ts";
import { ansicText } from "./go-time.ts";
import { hooksText } from "./hooks-text.ts";
import { chartText } from "./metadata-text.ts";
import { valuesText } from "./values-text.ts";

/** All that the record of a revision says. Models helm pkg/cmd/get_all.go and the printer of pkg/cmd/status.go */
export function wholeText(revision: Revision, options: { readonly warn?: Warn } = {}): string {
  const { name, namespace, lastDeployed, state, chart, description, manifest } = revision;
  const notes = revision.notes.trim();
  const lines = [
    `NAME: ${name}`,
    ...(lastDeployed === undefined ? [] : [`LAST DEPLOYED: ${ansicText(lastDeployed)}`]),
    `NAMESPACE: ${namespace}`,
    `STATUS: ${state}`,
    `REVISION: ${revision.revision}`,
    `CHART: ${chartText(chart, "name")}`,
    `VERSION: ${chartText(chart, "version")}`,
    `APP_VERSION: ${chartText(chart, "appVersion")}`,
    `DESCRIPTION: ${description}`,
    ...testLines(revision),
    `${valuesText(revision, "table")}\n`,
    `${valuesText(revision, "table", { all: true, ...options })}\n`,
    "HOOKS:",
    ...hookTexts(revision),
    `MANIFEST:\n${manifest}`,
    ...(revision.notes === "" ? [] : [`NOTES:\n${notes}`]),
  ];
  return lines.join("\n");
}

function hookTexts(revision: Revision): readonly string[] {
  const text = hooksText(revision);
  return text === undefined ? [] : [text];
}

function testLines({ hooks }: Revision): readonly string[] {
  const tests = hooks.filter(({ events }) => events.includes("test"));
  return tests.length === 0 ? ["TEST SUITE: None"] : tests.flatMap(runLines);
}

/** A test that has not run is not told of. */
function runLines({ name, lastRun }: Hook): readonly string[] {
  if (lastRun.startedAt === undefined) return [];
  return [
    `TEST SUITE:     ${name}`,
    `Last Started:   ${ansicText(lastRun.startedAt)}`,
    `Last Completed: ${ansicText(lastRun.completedAt)}`,
    `Phase:          ${lastRun.phase}`,
  ];
}

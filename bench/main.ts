/**
 * Runs the benchmarks that are named, `npm run bench -- rollout startup`, or all that do not take minutes. Most of them need
 * real control planes, and Go to build them. `--only REGEX` chooses among the races, the requests of `api` and the functions of long texts.
 */
import { parseArgs } from "node:util";
import { benchApi } from "./api.ts";
import { benchApiSize } from "./api-size.ts";
import { benchClient } from "./client.ts";
import { benchDashboard } from "./dashboard.ts";
import { benchData } from "./data.ts";
import { benchEvaluation } from "./evaluate.ts";
import { benchEvents } from "./events.ts";
import { benchFleet } from "./fleet.ts";
import { benchEmbeddedLoad, benchLoad } from "./load.ts";
import { benchLongTexts } from "./long-texts.ts";
import { benchOverhead } from "./overhead.ts";
import { benchPlanning } from "./planning.ts";
import { benchRace } from "./race.ts";
import { benchRecording } from "./recording.ts";
import { benchRehearsal } from "./rehearsal.ts";
import { benchRollout } from "./rollout.ts";
import { benchStartup } from "./startup.ts";

const benchmarks: Readonly<Record<string, (only?: RegExp) => Promise<void>>> = {
  api: benchApi,
  "api-size": benchApiSize,
  client: benchClient,
  dashboard: benchDashboard,
  data: benchData,
  evaluate: benchEvaluation,
  overhead: benchOverhead,
  planning: benchPlanning,
  recording: benchRecording,
  rehearsal: benchRehearsal,
  rollout: benchRollout,
  startup: benchStartup,
  race: benchRace,
  "long-texts": benchLongTexts,
  events: benchEvents,
  fleet: benchFleet,
  load: benchLoad,
  "load-embedded": benchEmbeddedLoad,
};
const onlyWhenNamed: readonly string[] = [
  "api",
  "api-size",
  "dashboard",
  "data",
  "race",
  "long-texts",
  "events",
  "fleet",
  "load",
  "load-embedded",
];

const { values, positionals: asked } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } });
const only = values.only === undefined ? undefined : new RegExp(values.only);
const unknown = asked.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(", ")}: there are ${Object.keys(benchmarks).join(", ")}\n`);
  process.exitCode = 2;
} else {
  for (const name of asked.length > 0 ? asked : Object.keys(benchmarks).filter((each) => !onlyWhenNamed.includes(each))) {
    process.stdout.write(`\n== ${name}\n`);
    await benchmarks[name]!(only);
  }
}

import { randomBytes } from "node:crypto";
import type { Clock } from "../core/clock/index.ts";
import { openHttpClient } from "../http/index.ts";
import { eventSpan, eventSpanContext, readOtlpSettings, spansOfRecording, TraceExporter } from "../release/trace/index.ts";
import type { TraceSink } from "../sveltos/controllers/index.ts";
import { version } from "./version.ts";

/** Sends traces of what is done. */
export type Traces = TraceSink & { flush(): Promise<void> };

/** Traces as the variables of OpenTelemetry ask for them; undefined when they are wrong, which is a warning. */
export function openTraces(clock: Clock, onWarning: (warning: string) => void): Traces | undefined {
  const settings = readOtlpSettings(process.env);
  if ("problem" in settings) {
    onWarning(`no traces are sent: ${settings.problem}`);
    return undefined;
  }
  const { timeoutMs, parent } = settings;
  // What has been done is told even when the run was interrupted.
  const fetch = openHttpClient({ clock, signal: new AbortController().signal, env: process.env, timeoutMs });
  const exporter = new TraceExporter(settings, { fetch, clock, version, onWarning });
  return {
    addRecording: (recording, eventProfile) => {
      const links = eventProfile === undefined ? [] : [eventSpanContext(eventProfile)];
      exporter.add(spansOfRecording(recording, { newId, links, ...(parent === undefined ? {} : { parent }) }));
    },
    addEvent: (profile, { fromMs, toMs }, attributes) => exporter.add([eventSpan(profile, fromMs, toMs, attributes)]),
    flush: () => exporter.flush(),
  };
}

function newId(digits: number): string {
  return randomBytes(digits / 2).toString("hex");
}

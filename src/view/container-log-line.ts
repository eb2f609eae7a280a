import { titleOf } from "../core/object/index.ts";
import type { LogProgress } from "../release/index.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";
import { plainLine } from "./text-width.ts";

/** What a container has written as a line: `log      job/migrate in shop, migrate-x2x9z/main: 3 tables migrated`. */
export function containerLogLine(event: LogProgress, paint: Paint = plainPaint): string {
  const { ref, pod, container } = event;
  const where = ref.kind === "Pod" ? container : `${pod}/${container}`;
  const place = ref.namespace === "" ? "" : ` in ${ref.namespace}`;
  return `${paint.dim(`${"log".padEnd(8)} ${titleOf(ref)}${place}, ${where}:`)} ${textOf(event, paint)}`;
}

/** What a container writes can hold anything: it is put on one line, without what would move a cursor or change a colour. */
function textOf(event: LogProgress, paint: Paint): string {
  if ("line" in event) return plainLine(event.line.replaceAll("\t", "    "));
  if ("because" in event) return paint.warn(plainLine(event.because));
  return paint.warn(`… ${event.skipped.toLocaleString("en-US")} ${event.skipped === 1 ? "line" : "lines"} skipped`);
}

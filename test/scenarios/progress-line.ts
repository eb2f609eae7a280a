import { titleOf } from "../../src/core/object/index.ts";
import type { Progress } from "../../src/release/index.ts";

/** One progress event as a line. */
export function progressLine(event: Progress): string {
  if (event.type === "planned") return "planned";
  const because = "because" in event && event.because !== undefined ? `: ${event.because}` : "";
  if (event.type === "event") return `event ${titleOf(event.ref)}: ${event.text}`;
  if (event.type === "log") return `log ${titleOf(event.ref)}/${event.container}${"line" in event ? `: ${event.line}` : because}`;
  return event.type === "done" ? `done ${event.status}${because}` : `${event.type} ${event.verb} ${titleOf(event.ref)}${because}`;
}

import { titleOf } from "../core/object/index.ts";
import type { EventProgress } from "../release/index.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";
import { plainLine } from "./text-width.ts";

/** A Kubernetes Event as a line: `event    deployment/web in shop: pod web-1: Pulled: …`. */
export function eventLine({ ref, text, warning }: EventProgress, paint: Paint = plainPaint): string {
  const place = ref.namespace === "" ? "" : ` in ${ref.namespace}`;
  const message = plainLine(text);
  return `${paint.dim(`${"event".padEnd(8)} ${titleOf(ref)}${place}:`)} ${warning ? paint.warn(message) : message}`;
}

import { createHash } from "node:crypto";
import type { Span, SpanContext } from "./span.ts";

/**
 * The span of the event that has brought a profile about. It follows from the profile's uid, so that whoever deploys the profile,
 * in this process or in another, can name it.
 */
export function eventSpanContext(profileUid: string): SpanContext {
  const digest = createHash("sha256").update(`event/${profileUid}`).digest("hex");
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

/** An event that was taken up between two times, and the profile that was written for it. */
export function eventSpan(
  profile: { readonly uid: string; readonly name: string },
  fromMs: number,
  toMs: number,
  attributes: Span["attributes"],
): Span {
  return { ...eventSpanContext(profile.uid), name: `event ${profile.name}`, fromMs, toMs, attributes };
}

import { failedBecause, progressingBecause, ready, type Health } from "./health.ts";
import type { HealthSignal } from "./health-signal.ts";

/** Whether a summary says that the whole is good, and none says otherwise. */
export function isSettled(signals: readonly HealthSignal[]): boolean {
  const summaries = summariesOf(signals);
  return summaries.length > 0 && summaries.every(({ hint }) => hint === "good");
}

/** The worst signal decides, except for those that a good summary covers. */
export function healthOfSignals(signals: readonly HealthSignal[]): Health {
  const counting = isSettled(signals) ? outstanding(signals) : signals;
  const bad = counting.find(({ hint }) => hint === "bad");
  if (bad !== undefined) return failedBecause(bad.because);
  const open = [...summariesOf(signals), ...counting].find(({ hint }) => hint !== "good");
  if (open !== undefined) return progressingBecause(open.because);
  return signals.every(({ weight }) => weight === "step") ? progressingBecause(`${signals.at(-1)?.because}, and no more yet`) : ready;
}

/** The signals that count beside a good summary. While one part is at work, a failed one may still be retried. */
function outstanding(signals: readonly HealthSignal[]): readonly HealthSignal[] {
  const summaries = summariesOf(signals);
  const claims = signals.filter((signal) => (signal.weight === "summary" || signal.weight === "claim") && !isOver(signal, summaries));
  const objections = signals.filter(({ weight }) => weight === "objection");
  const atWork = objections.filter(({ hint }) => hint === "busy");
  return [...claims, ...(atWork.length > 0 ? atWork : objections)];
}

function summariesOf(signals: readonly HealthSignal[]): readonly HealthSignal[] {
  return signals.filter(({ weight }) => weight === "summary");
}

/** Whether a newer summary overrides the signal: some kinds never reset a condition of work. */
function isOver({ hint, since }: HealthSignal, summaries: readonly HealthSignal[]): boolean {
  if (hint !== "busy" || since === undefined) return false;
  return summaries.some((state) => state.since === undefined) && summaries.some((summary) => (summary.since ?? "") > since);
}

import type { HealthHint } from "./name-hint.ts";
import type { SignalWeight } from "./signal-weight.ts";

/** One statement of a status about its object. */
export type HealthSignal = {
  readonly hint: HealthHint;
  readonly weight: SignalWeight;
  /** The reason to give when this signal decides. */
  readonly because: string;
  /** When it became true, if the status says so. */
  readonly since?: string;
};

import type { HealthHint } from "./name-hint.ts";
import type { SignalWeight } from "./signal-weight.ts";

/** One thing that a status says of its object. */
export type HealthSignal = {
  readonly hint: HealthHint;
  readonly weight: SignalWeight;
  /** The reason to give when this sign decides. */
  readonly because: string;
  /** When it came to be so, as far as the status tells. */
  readonly since?: string;
};

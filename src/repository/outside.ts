import type { Clock } from "../core/clock/index.ts";
import { placesIn, type Places } from "./places.ts";
import { following } from "./web/follow.ts";
import { openWeb } from "./web/transport.ts";
import type { Web } from "./web/web.ts";

/** What all work with repositories is done with: where things are kept, the web, and whom to tell what is odd. */
export type Outside = {
  readonly places: Places;
  readonly web: Web;
  /** Credential helpers run in it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
};

export type OutsideOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform?: string;
  readonly clock: Clock;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
  /** How long one answer may take. */
  readonly timeoutMs?: number;
};

export function outsideOf({ env, home, platform = "linux", clock, warn, signal, timeoutMs }: OutsideOptions): Outside {
  const web = following(openWeb({ clock, signal, env, ...(timeoutMs === undefined ? {} : { timeoutMs }) }));
  return { places: placesIn(env, home, platform), web, env, clock, warn, signal };
}

import { RealClock, sleep, VirtualClock, type Clock } from "../../src/core/clock/index.ts";
import type { Exchange } from "../../src/core/exchange/index.ts";
import { simulate } from "../../src/embedded/index.ts";
import { conduct } from "../conformance/conduct.ts";

/** A cluster that scenarios are played on. */
export type Ground = {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Waits for work of ours; in virtual time that makes time pass. */
  until<T>(work: Promise<T>): Promise<T>;
  /** Lets streams bring what has happened. */
  catchUp(): Promise<void>;
  /** How often what streams have not brought yet is waited for. */
  readonly patience: number;
  /** Others live there too, so nothing is to be left behind. */
  readonly shared: boolean;
  leave(): void;
};

/** A new embedded cluster in virtual time, which lives by the same rules as the real one's kubelet. */
export function embedded(): Ground {
  const clock = new VirtualClock();
  const { exchange, stop } = simulate({ clock, behaviour: conduct });
  return {
    exchange,
    clock,
    until: (work) => clock.until(work),
    catchUp: () => clock.advance(100),
    patience: 1,
    shared: false,
    leave: stop,
  };
}

/** A cluster whose time is everybody's. */
export function real(exchange: Exchange): Ground {
  const clock = new RealClock();
  return { exchange, clock, until: (work) => work, catchUp: () => sleep(clock, 200), patience: 15, shared: true, leave: () => undefined };
}

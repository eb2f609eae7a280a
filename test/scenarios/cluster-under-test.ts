import { RealClock, sleep, VirtualClock, type Clock } from "../../src/core/clock/index.ts";
import type { Exchange } from "../../src/core/exchange/index.ts";
import { startEmbeddedCluster } from "../../src/embedded/index.ts";
import { suiteBehaviour } from "../conformance/suite-behaviour.ts";

/** A cluster that scenarios are played on. */
export type ClusterUnderTest = {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Waits for work of ours; in virtual time that makes time pass. */
  until<T>(work: Promise<T>): Promise<T>;
  /** Lets streams bring what has happened. */
  catchUp(): Promise<void>;
  /** How often what streams have not brought yet is waited for. */
  readonly attempts: number;
  /** Others live there too, so nothing is to be left behind. */
  readonly shared: boolean;
  close(): void;
};

/** A new embedded cluster in virtual time, which lives by the same rules as the real one's kubelet. */
export function embeddedUnderTest(): ClusterUnderTest {
  const clock = new VirtualClock();
  const { exchange, stop } = startEmbeddedCluster({ clock, behaviour: suiteBehaviour });
  return {
    exchange,
    clock,
    until: (work) => clock.until(work),
    catchUp: () => clock.advance(100),
    attempts: 1,
    shared: false,
    close: stop,
  };
}

/** A cluster whose time is everybody's. */
export function realUnderTest(exchange: Exchange): ClusterUnderTest {
  const clock = new RealClock();
  return { exchange, clock, until: (work) => work, catchUp: () => sleep(clock, 200), attempts: 15, shared: true, close: () => undefined };
}

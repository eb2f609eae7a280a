import { RealClock, sleep, VirtualClock, type Clock } from "../../src/core/clock/index.ts";
import type { Exchange } from "../../src/core/exchange/index.ts";
import { startEmbeddedCluster } from "../../src/embedded/index.ts";
import { suiteBehaviour } from "../conformance/suite-behaviour.ts";

/** A cluster that scenarios run on. */
export type ClusterUnderTest = {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Awaits work; in virtual time this advances the clock. */
  until<T>(work: Promise<T>): Promise<T>;
  /** Gives watch streams time to deliver. */
  catchUp(): Promise<void>;
  /** How often expectations are checked again for late watch streams. */
  readonly attempts: number;
  /** The cluster is shared, so everything is cleaned up. */
  readonly shared: boolean;
  close(): void;
};

/** A new embedded cluster in virtual time, with the behaviour of the real cluster's kubelet. */
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

/** A cluster in real time. */
export function realUnderTest(exchange: Exchange): ClusterUnderTest {
  const clock = new RealClock();
  return { exchange, clock, until: (work) => work, catchUp: () => sleep(clock, 200), attempts: 15, shared: true, close: () => undefined };
}

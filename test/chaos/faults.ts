import { gvkOf } from "../../src/sveltos/api/index.ts";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { stringAt } from "../../src/core/object/index.ts";
import { fleetNamespace, type ChaosFleet } from "./chaos-fleet.ts";

const clock = new RealClock();
const seconds = (count: number) => sleep(clock, count * 1000);

/** As long as a pod has to end by default. */
const terminationGraceMs = 30_000;

/** Something that goes wrong while users change things. `play` resolves when it is over, with what is to be said of it. */
export type ChaosFault = {
  readonly name: string;
  /** Part of the short form. */
  readonly isShort?: true;
  readonly play: (fleet: ChaosFleet, isShort: boolean) => Promise<string | void>;
};

/** Leads the replicas through the HTTP proxy while something is done to it. */
async function behindProxy<T>(fleet: ChaosFleet, protocol: "h2" | "http/1.1", play: () => Promise<T>): Promise<T> {
  await fleet.proxy.open(protocol);
  const direct = fleet.network.target;
  fleet.network.target = fleet.proxy.port;
  fleet.network.resetAll();
  try {
    return await play();
  } finally {
    fleet.network.target = direct;
    await fleet.proxy.close();
    fleet.network.resetAll();
  }
}

async function killAndReplace(fleet: ChaosFleet, index: number): Promise<void> {
  const replica = fleet.replicas[index % fleet.replicas.length]!;
  fleet.remove(replica);
  await replica.kill();
  await fleet.startReplica();
}

/** Ends every replica at once, and starts as many again. */
async function endAll(fleet: ChaosFleet): Promise<string> {
  const { replicas } = fleet;
  fleet.replicas = [];
  const startedAt = clock.now();
  const codes = await Promise.all(replicas.map((replica) => replica.end()));
  const tookMs = clock.now() - startedAt;
  if (codes.some((code) => code !== 0)) throw new Error(`replicas ended by SIGTERM have the exit codes ${codes.join()}`);
  if (tookMs > terminationGraceMs)
    throw new Error(`SIGTERM takes ${tookMs / 1000} s: Kubernetes kills a pod after ${terminationGraceMs / 1000}`);
  const held = await fleet.heldLeases();
  if (held.length > 0) throw new Error(`nobody runs, and somebody holds the Leases ${held.join(", ")}`);
  for (const _ of replicas) await fleet.startReplica();
  return `ended in ${(tookMs / 1000).toFixed(1)} s, no Lease is held`;
}

/** Waits until a cluster's connection has a status, and gives the seconds that it took. */
async function connectionIs(fleet: ChaosFleet, status: string): Promise<string> {
  const startedAt = clock.now();
  const ref = { ...gvkOf("SveltosCluster"), namespace: fleetNamespace, name: fleet.clusterName(0) };
  while (stringAt(await fleet.hub.get(ref), "status.connectionStatus") !== status) {
    if (clock.now() > startedAt + 120_000) throw new Error(`${ref.name} is not ${status} after 120 s`);
    await sleep(clock, 200);
  }
  return `${status} after ${((clock.now() - startedAt) / 1000).toFixed(1)} s`;
}

/** One request in two is refused, with 429 and 500 in turns. */
function refuseHalf(fleet: ChaosFleet): void {
  let count = 0;
  fleet.proxy.refusalOf = () => [undefined, 429, undefined, 500][count++ % 4];
}

export const faults: readonly ChaosFault[] = [
  { name: "churn at 10 changes a second", play: () => seconds(20) },
  {
    name: "kill -9 every 5 s",
    isShort: true,
    async play(fleet, isShort) {
      for (let index = 0; index < (isShort ? 2 : 6); index++) {
        await killAndReplace(fleet, index);
        await seconds(5);
      }
    },
  },
  {
    name: "the leader stopped for 40 s (SIGSTOP)",
    async play(fleet) {
      const leader = (await fleet.findLeader()) ?? fleet.replicas[0]!;
      leader.pause();
      await seconds(40);
      leader.resume();
    },
  },
  { name: "a restart of the management API server", play: (fleet) => fleet.management.restartApiServer() },
  { name: "a restart of etcd, 5 s", play: (fleet) => fleet.management.restartEtcd(() => seconds(5)) },
  {
    name: "connections reset every second",
    async play({ network }) {
      for (let second = 0; second < 15; second++) {
        network.resetAll();
        await seconds(1);
      }
    },
  },
  {
    name: "every connection reset for 10 s",
    isShort: true,
    async play({ network }, isShort) {
      network.mode = "reset";
      await seconds(isShort ? 5 : 10);
      network.mode = "pass";
    },
  },
  {
    name: "2 s of latency",
    async play({ network }) {
      network.latencyMs = 2000;
      await seconds(30);
      network.latencyMs = 0;
    },
  },
  {
    name: "half-open connections for 30 s",
    async play({ network }) {
      network.mode = "half-open";
      await seconds(30);
      network.mode = "pass";
    },
  },
  {
    name: "a silent cut",
    isShort: true,
    async play({ network }) {
      network.cutSilently();
    },
  },
  {
    name: "the management API away for 17 s",
    async play({ network }) {
      await network.goAway();
      await seconds(17);
      await network.comeBack();
    },
  },
  {
    name: "the management API away for a minute",
    async play({ network }) {
      await network.goAway();
      await seconds(60);
      await network.comeBack();
    },
  },
  {
    name: "an endpoint that speaks HTTP/1.1, then HTTP/2",
    play: (fleet) =>
      behindProxy(fleet, "http/1.1", async () => {
        await seconds(10);
        await fleet.proxy.close();
        await fleet.proxy.open("h2");
        await seconds(10);
      }),
  },
  {
    name: "429 and 500 on half of the requests for 30 s",
    isShort: true,
    play: (fleet, isShort) =>
      behindProxy(fleet, "h2", async () => {
        refuseHalf(fleet);
        await seconds(isShort ? 10 : 30);
        fleet.proxy.refusalOf = () => undefined;
      }),
  },
  {
    name: "an HTTP proxy that restarts",
    play: (fleet) =>
      behindProxy(fleet, "h2", async () => {
        await seconds(5);
        for (let turn = 0; turn < 3; turn++) {
          await fleet.proxy.close();
          await seconds(3);
          await fleet.proxy.open("h2");
          await seconds(5);
        }
      }),
  },
  { name: "SIGTERM to all replicas at once", isShort: true, play: endAll },
  {
    name: "a managed cluster away",
    async play(fleet) {
      const [network] = fleet.managedNetworks;
      await network!.goAway();
      const down = await connectionIs(fleet, "Down");
      await seconds(30);
      await network!.comeBack();
      return `${down}, ${await connectionIs(fleet, "Healthy")}`;
    },
  },
];

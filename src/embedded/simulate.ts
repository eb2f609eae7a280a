import type { Cancel, Clock } from "../core/clock/index.ts";
import type { Exchange } from "../core/exchange/index.ts";
import { ApiServer, Catalog } from "./api/index.ts";
import { defaultAdmission } from "./api/default-admission.ts";
import { EventRecorder } from "./api/event-recorder.ts";
import { defaultBehaviour, logsOf, nextLineAt, type Behaviour } from "./behaviour/index.ts";
import { bootObjects } from "./boot.ts";
import { controllers, nodeShapes, Queue, type World } from "./controller/index.ts";
import { seededRandom } from "./random.ts";
import { exchangeOf } from "./rest/index.ts";
import { Store } from "./store/index.ts";

export type SimulateOptions = {
  readonly clock: Clock;
  /** The same seed gives the same history. Default 1. */
  readonly seed?: number;
  /** How pods, volumes and load balancers behave. Default: everything starts within seconds and works. */
  readonly behaviour?: Behaviour;
  /** How many nodes there are. Default 1. */
  readonly nodes?: number;
  /** The certificate, in PEM, of whoever vouches for the server; every namespace's kube-root-ca.crt holds it. Default: none. */
  readonly certificate?: string;
};

/** A cluster in this process. */
export type Simulation = {
  readonly exchange: Exchange;
  /** Ends its controllers and timers. What is stored can still be read. */
  readonly stop: Cancel;
};

/** Starts a cluster in this process: an API server with the controllers that a rollout needs, on the given clock. */
export function simulate(options: SimulateOptions): Simulation {
  const { clock, seed = 1, behaviour = defaultBehaviour, nodes = 1, certificate = "" } = options;
  const random = seededRandom(seed);
  const store = new Store();
  const catalog = new Catalog();
  const server: ApiServer = new ApiServer({ store, catalog, clock, random, admission: defaultAdmission(() => server, random) });
  const recorder = new EventRecorder(store, () => clock.now(), random);
  const world: World = {
    api: server,
    clock,
    random,
    record: (about, occurrence) => recorder.record(about, occurrence),
    resources: () => catalog.all().map(({ key, namespaced }) => ({ resource: key, namespaced })),
  };
  for (const { resource, object } of bootObjects()) server.create(resource, object, "kube-apiserver");
  const queues = controllers({ behaviour, nodes: nodeShapes(nodes), seed, catalog, certificate }).map(
    (make) => new Queue(make(world), clock),
  );
  const stops = queues.map((queue) => queue.start(store));
  return {
    exchange: exchangeOf(server, {
      printed: (pod, asked) => logsOf(pod, asked, behaviour, clock.now()),
      nextAt: (pod, container) => nextLineAt(pod, container, behaviour, clock.now()),
    }),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** A Fleet with its management cluster, in virtual time, whose managed clusters fail as a test wants. */
import { sveltosCrds, gvkOf } from "../../src/sveltos/api/index.ts";
import { VirtualClock } from "../../src/core/clock/index.ts";
import { connect, type Cluster } from "../../src/kube/index.ts";
import { fieldsAt } from "../../src/core/object/index.ts";
import { startEmbeddedCluster } from "../../src/embedded/index.ts";
import { embeddedKubeconfig, Fleet, inProcessOpener, register, type FleetEvent } from "../../src/sveltos/fleet/index.ts";

/** A signal that nobody aborts. */
export const never = new AbortController().signal;
/** The reference to a registered cluster. */
export const sveltosCluster = (name: string) => ({ ...gvkOf("SveltosCluster"), namespace: "mgmt", name });

type FleetUnderTestOptions = Partial<Pick<ConstructorParameters<typeof Fleet>[1], "manageAll" | "onFailure">>;

/** A management cluster with the CRDs, and managed clusters whose requests can be made to fail, hang or get a 401. */
export class FleetUnderTest {
  readonly clock = new VirtualClock();
  readonly hub: Cluster;
  readonly stop = new AbortController();
  readonly failures = new Map<string, "refused" | "hanging" | 401>();
  readonly log: string[] = [];
  readonly fleet: Fleet;
  probes = 0;
  readonly #managed = new Map<string, Cluster>();

  private constructor(options: FleetUnderTestOptions) {
    this.hub = connect(startEmbeddedCluster({ clock: this.clock }).exchange, { clock: this.clock });
    for (const name of ["c1", "c2", "c3"]) this.#managed.set(name, this.#start(name));
    this.fleet = new Fleet(this.hub, { open: inProcessOpener((name) => this.#managed.get(name)), ...options });
  }

  static async open(options: FleetUnderTestOptions = {}): Promise<FleetUnderTest> {
    const fixture = new FleetUnderTest(options);
    for (const crd of sveltosCrds()) await fixture.hub.create(crd);
    await fixture.clock.advance(1000);
    return fixture;
  }

  #start(name: string): Cluster {
    const { exchange } = startEmbeddedCluster({ clock: this.clock });
    return connect(
      (request) => {
        if (request.path === "/version") this.probes++;
        const failure = this.failures.get(name);
        if (failure === "refused") return Promise.reject(new Error("connect ECONNREFUSED"));
        if (failure === "hanging")
          return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
        if (failure === 401) return Promise.resolve({ status: 401, headers: {}, body: ["{}"] });
        return exchange(request);
      },
      { clock: this.clock },
    );
  }

  async run(): Promise<void> {
    void this.fleet.run(this.stop.signal);
    void this.#listen();
    await this.clock.advance(100);
  }

  async #listen(): Promise<void> {
    for await (const event of this.fleet.events(this.stop.signal)) this.log.push(lineOf(event));
  }

  register(name: string, labels = {}, kubeconfig = embeddedKubeconfig(name)): Promise<unknown> {
    return register(this.hub, { namespace: "mgmt", name, kubeconfig, labels }, never);
  }

  /** The events since the last call. */
  async events(afterMs = 100): Promise<string[]> {
    await this.clock.advance(afterMs);
    return this.log.splice(0);
  }

  async status(name: string): Promise<unknown> {
    return fieldsAt(await this.hub.get(sveltosCluster(name)), "status");
  }
}

function lineOf(event: FleetEvent): string {
  if (event.type === "synced") return "synced";
  const { type, cluster } = event;
  return `${type} ${cluster.managed.name}${type === "lost" ? `: ${event.because}` : ""}`;
}

import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { seededRandom, startEmbeddedCluster, type Behaviour, type BehaviourRule } from "../../embedded/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { faultyExchange } from "./faulty-exchange.ts";
import { passingWebhook } from "./passing-webhook.ts";
import type { Snapshot } from "./snapshot.ts";
import { failingRule, nothingWrong, slowRule, type WhatIf } from "./what-if.ts";
import { withoutNodes } from "./without-nodes.ts";

type BehaviourMatch = BehaviourRule["match"];

export type RehearsalOptions = {
  /** The default namespace of its clients. */
  readonly namespace: string;
  /** Default: everything starts within seconds and works. */
  readonly behaviour?: Behaviour;
  /** What goes wrong. Default nothing. */
  readonly whatIf?: WhatIf;
  readonly warn?: (warning: string) => void;
};

/** A client of a rehearsal. */
type RehearsalClient = {
  readonly cluster: Cluster;
  /** Its program dies: no request of it is answered or takes effect any more. */
  kill(): void;
};

/** A cluster to rehearse on. Its time jumps to the next event whenever nothing else can happen. */
export type Rehearsal = {
  readonly clock: VirtualClock;
  /** Objects of the snapshot whose kinds it does not serve. */
  readonly unserved: readonly KubeObject[];
  newClient(): RehearsalClient;
  /** From now on nothing goes wrong any more. */
  recover(): void;
  close(): void;
};

/** Starts an embedded cluster that is as the live one was when the snapshot was taken. */
export function openRehearsal(snapshot: Snapshot, options: RehearsalOptions): Rehearsal {
  const { namespace, behaviour: usual = { rules: [] }, whatIf = nothingWrong, warn } = options;
  const clock = new VirtualClock({ start: Date.parse(snapshot.takenAt), jump: true });
  const behaviour = { rules: [...exemptions(whatIf, snapshot), ...rulesOf(whatIf, usual), ...usual.rules] };
  const { exchange, unserved, stop } = startEmbeddedCluster({
    clock,
    behaviour,
    objects: withoutNodes(snapshot.objects, whatIf.nodesDown),
    // Nodes that may not be read are taken to have room.
    nodes: snapshot.unseen.some(({ what }) => what === "Node objects") ? 1 : 0,
    callWebhook: passingWebhook,
    // Who may do what was asked of the live cluster, by dry runs.
    authorization: "AlwaysAllow",
  });
  const denied = whatIf.fail.filter(({ how }) => how === "denied").map(({ ref }) => ref);
  let current = faultyExchange(exchange, { denied, errorShare: whatIf.apiErrors, random: seededRandom(1) });
  return {
    clock,
    unserved,
    newClient() {
      const { killable, kill } = killableExchange((request) => current(request));
      return { kill, cluster: connect(killable, { clock, namespace, ...(warn === undefined ? {} : { warn }) }) };
    },
    recover() {
      behaviour.rules = [...usual.rules];
      current = exchange;
    },
    close: stop,
  };
}

/** An exchange that answers until it is killed. */
function killableExchange(exchange: Exchange): { readonly killable: Exchange; readonly kill: () => void } {
  let alive = true;
  const silence = new Promise<never>(() => {});
  return {
    killable: async (request) => {
      if (!alive) return silence;
      const answer = await exchange(request);
      return alive ? answer : silence;
    },
    kill: () => {
      alive = false;
    },
  };
}

/** Pods that are there already go on as they are: what goes wrong is what the deploy brings. */
function exemptions({ fail, slow }: WhatIf, { objects }: Snapshot): readonly BehaviourRule[] {
  const refs = [...fail, ...slow].map(({ ref }) => ref);
  if (refs.length === 0) return [];
  const pods = objects.filter(({ kind, metadata }) => kind === "Pod" && refs.some(({ name }) => metadata.name.startsWith(`${name}-`)));
  return pods.map(({ metadata: { name, namespace = "" } }) => ({ match: { kind: "Pod", name, namespace } }));
}

/** What goes wrong with an object changes that part of what is known of it, and leaves the rest. */
function rulesOf({ fail, slow }: WhatIf, { rules }: Behaviour): readonly BehaviourRule[] {
  const overrides = [...fail.flatMap(({ ref, how }) => failingRule(ref, how) ?? []), ...slow.map(({ ref, ms }) => slowRule(ref, ms))];
  return overrides.flatMap((override) => {
    const known = rules.filter(({ match }) => isAbout(match, override.match));
    const changed = known.map((rule) => ({
      ...rule,
      ...override,
      ...laterConditions(rule, override),
      match: { ...rule.match, ...override.match },
    }));
    return [...changed, override].map((rule) => ({ ...rule, overrules: true }));
  });
}

/** A rule for a workload names it; one for custom resources may hold for all of a kind. */
function isAbout({ crd, kind, workload, namespace }: BehaviourMatch, object: BehaviourMatch): boolean {
  if (kind !== object.kind) return false;
  if (crd === undefined) return workload === object.workload && namespace === object.namespace;
  return (workload ?? object.workload) === object.workload && (namespace ?? object.namespace) === object.namespace;
}

function laterConditions({ conditions }: BehaviourRule, { ready }: BehaviourRule): Pick<BehaviourRule, "conditions"> {
  if (conditions === undefined || ready === undefined || !("after" in ready)) return {};
  return { conditions: conditions.map((condition) => ({ ...condition, after: ready.after })) };
}

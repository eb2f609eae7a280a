import { gvkOf, objectionTo } from "../../api/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";
import type { Desk } from "../context/index.ts";
import { failuresOf, type Holdings } from "./holdings.ts";
import { readTrigger } from "./judge.ts";
import type { Entry, Ledger, Trouble } from "./ledger.ts";
import { pairOf } from "./pair.ts";
import { patched } from "./patch.ts";
import { statusBefore, statusOf, type StatusInput } from "./status.ts";

/** How many troubles of one look become Events: nobody reads the same of a hundred objects. */
const mostNotes = 5;

/** Writes the statuses of triggers, and tells the chronicle of every trouble that is new in them. */
export class StatusWriter {
  readonly #desk: Desk;
  readonly #holdings: Holdings;
  readonly #ledger: Ledger;
  /** The troubles that each trigger has been said to have, by its uid. */
  readonly #said = new Map<string, ReadonlySet<string>>();

  constructor(desk: Desk, holdings: Holdings, ledger: Ledger) {
    this.#desk = desk;
    this.#holdings = holdings;
    this.#ledger = ledger;
  }

  /** False when somebody else has changed the trigger meanwhile. */
  async write(label: string, signal: AbortSignal): Promise<boolean> {
    const [first, ...others] = this.#holdings.triggersNamed(label);
    if (first === undefined) return true;
    const rivals = others.map((trigger) =>
      this.#put(trigger, { objection: rivalryWith(first), entries: new Map(), fateOf: nothingOf }, signal),
    );
    const done = await Promise.all([this.#put(first, this.#inputFor(label, first), signal), ...rivals]);
    return done.every(Boolean);
  }

  #inputFor(label: string, trigger: KubeObject): StatusInput {
    const objection = this.#objectionTo(trigger);
    const fateOf = (entry: Entry) => {
      const pair = pairOf(label, entry.cluster);
      return { troubles: this.#holdings.failed(pair).flatMap(troublesOf), isBusy: this.#holdings.isBusy(pair) };
    };
    return { objection, entries: this.#ledger.of(label), fateOf };
  }

  #objectionTo(trigger: KubeObject): Trouble | undefined {
    const reading = readTrigger(trigger);
    const message = objectionTo(reading);
    if (message !== undefined) return { reason: "Refused", message };
    if (reading.state === "invalid") return undefined;
    const missing = reading.value.clusterSetRefs.filter((name) => this.#desk.copies.find(gvkOf("ClusterSet"), "", name) === undefined);
    return missing.length === 0 ? undefined : { reason: "ClusterSetMissing", message: `ClusterSet ${missing.join(", ")} does not exist` };
  }

  async #put(trigger: KubeObject, input: StatusInput, signal: AbortSignal): Promise<boolean> {
    const { patch, troubles } = statusOf(trigger, input);
    this.#say(trigger, input.objection === undefined ? troubles : [input.objection, ...troubles]);
    if (equal(patch, statusBefore(trigger))) return true;
    return patched(trigger, { status: patch }, this.#desk, { subresource: "status", signal });
  }

  #say(trigger: KubeObject, troubles: readonly Trouble[]): void {
    const { uid = "" } = trigger.metadata;
    const before = this.#said.get(uid) ?? new Set();
    const fresh = new Map(troubles.map((trouble) => [`${trouble.reason} ${trouble.message}`, trouble]));
    if (fresh.size === 0) this.#said.delete(uid);
    else this.#said.set(uid, new Set(fresh.keys()));
    const news = [...fresh].filter(([text]) => !before.has(text)).map(([, trouble]) => trouble);
    const { chronicle } = this.#desk;
    for (const { reason } of news) chronicle.count("sluice_trigger_failures_total", { trigger: trigger.metadata.name, reason });
    for (const { reason, message } of news.slice(0, mostNotes)) chronicle.note(trigger, { type: "Warning", reason, message });
  }
}

function nothingOf() {
  return { troubles: [], isBusy: false };
}

function rivalryWith({ kind, metadata: { name } }: KubeObject): Trouble {
  const message = `${kind} ${name} has the name already, and what the two make could not be told apart: nothing is deployed for this one`;
  return { reason: "Refused", message };
}

function troublesOf(object: KubeObject): readonly Trouble[] {
  const { kind, metadata } = object;
  return failuresOf(object).map((message) => ({ reason: "DeployFailed", message: `${kind} ${metadata.name}: ${message}` }));
}

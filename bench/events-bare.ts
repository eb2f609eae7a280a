import type { Body } from "../src/core/exchange/index.ts";
import type { Cluster } from "../src/kube/index.ts";
import { isFields, listAt, refOf, stringAt, type Fields } from "../src/core/object/index.ts";
import { warmUps, type EventClient, type ServiceLoad, type Times } from "./service-load.ts";
import { isWrite, criticalWrites, type EventsRecording, type RecordedRequest } from "./events-recording.ts";

/** The uid and version of an object that was written. */
type Known = { readonly uid: string; readonly resourceVersion: string };

/**
 * A client without decisions: for each Service it repeats the recorded writes one after another, with the names of that
 * Service. It reads nothing, watches nothing and has no cache.
 */
export class BareClient implements EventClient {
  readonly #recording: EventsRecording;
  readonly #clusters: Readonly<Record<RecordedRequest["cluster"], Cluster>>;
  /** By the path of the object. */
  readonly #known = new Map<string, Known>();
  /** The last write of an object that several Services share. */
  readonly #last = new Map<string, Promise<void>>();
  /** The write of a shared object that waits for the one before. */
  readonly #waiting = new Map<string, Promise<void>>();

  constructor(recording: EventsRecording, clusters: Readonly<Record<RecordedRequest["cluster"], Cluster>>) {
    this.#recording = recording;
    this.#clusters = clusters;
  }

  /** Does what a controller would, for some Services to warm up and then for those that are timed. */
  async run(load: ServiceLoad, services: number, times: Times): Promise<void> {
    await this.#begin();
    await load.run(this, "warm-up", warmUps);
    await load.run(this, "bare", services, times);
    await this.#clusters.hub.delete(refOf(this.#recording.report));
  }

  /** Creates what all Services share. */
  async #begin(): Promise<void> {
    const { hub } = this.#clusters;
    const { report } = this.#recording;
    const { uid: _uid, resourceVersion: _version, managedFields: _fields, ...metadata } = report.metadata;
    await hub.delete(refOf(report)).catch(() => undefined);
    const made = await hub.create({ ...report, metadata });
    const [step] = criticalWrites(this.#recording.creation);
    this.#learn(placeOf(step!.path), made);
  }

  /** Creates the NetworkPolicy, and then writes what the controller writes about it: statuses of what belongs to this Service. */
  async created(name: string): Promise<void> {
    const { creation, names } = this.#recording;
    const critical = criticalWrites(creation);
    const rest = creation.filter((step) => isWrite(step) && !critical.includes(step) && names.some((each) => step.path.includes(each)));
    for (const step of [...critical, ...rest]) await this.#inTurn(this.#named(step, name));
  }

  /** Deletes the NetworkPolicy, and then what would be left. */
  async deleted(name: string): Promise<void> {
    const { deletion } = this.#recording;
    const critical = criticalWrites(deletion);
    const rest = deletion.slice(deletion.indexOf(critical.at(-1)!) + 1).filter((step) => isWrite(step) && isCleanUp(step));
    for (const step of [...critical, ...rest]) await this.#inTurn(this.#named(step, name));
  }

  /**
   * Writes of one object are serialised, since each needs the version of the one before. A replacement that waits for another
   * is made once for all Services that wait for it.
   */
  async #inTurn(step: RecordedRequest): Promise<void> {
    const place = placeOf(step.path);
    const before = this.#last.get(place);
    const waiting = this.#waiting.get(place);
    if (waiting !== undefined && step.method === "PUT") return waiting;
    const done = (before ?? Promise.resolve()).then(() => {
      this.#waiting.delete(place);
      return this.#perform(step, place);
    });
    if (before !== undefined) this.#waiting.set(place, done);
    this.#last.set(place, done);
    await done;
    if (this.#last.get(place) === done) this.#last.delete(place);
  }

  async #perform({ cluster, method, path: to, headers, body }: RecordedRequest, place: string): Promise<void> {
    const request = { method, path: to, headers, signal: new AbortController().signal };
    const text = body === "" ? {} : { body: this.#current(body, place) };
    const answer = await this.#clusters[cluster].raw({ ...request, ...text });
    const said = await textOf(answer.body);
    if (answer.status >= 300) throw new Error(`${method} ${to}: ${answer.status} ${said}`);
    const object: unknown = JSON.parse(said);
    if (isFields(object)) this.#learn(method === "POST" ? `${place}/${stringAt(object, "metadata.name", "")}` : place, object);
  }

  #named(step: RecordedRequest, name: string): RecordedRequest {
    const own = (text: string) =>
      this.#recording.names.reduce((all, each, index) => all.replaceAll(each, index === 0 ? name : `sveltos-${index}-${name}`), text);
    return { ...step, path: own(step.path), body: own(step.body) };
  }

  /** Replaces the recorded uids and versions by those of this cluster. */
  #current(body: string, place: string): string {
    const value: unknown = JSON.parse(body);
    if (!isFields(value)) return body;
    const known = this.#known.get(place);
    const metadata = value["metadata"];
    const preconditions = value["preconditions"];
    return JSON.stringify({
      ...value,
      ...(isFields(metadata) && { metadata: { ...replaced(metadata, known), ...this.#owners(metadata) } }),
      ...(isFields(preconditions) && { preconditions: replaced(preconditions, known) }),
    });
  }

  #owners(metadata: Fields): Fields {
    const owners = listAt(metadata, "ownerReferences");
    if (owners.length === 0) return {};
    const uidOf = (name: string) => [...this.#known].find(([place]) => place.endsWith(`/${name}`))?.[1].uid;
    return { ownerReferences: owners.map((owner) => ({ ...owner, uid: uidOf(stringAt(owner, "name", "")) })) };
  }

  #learn(place: string, object: object): void {
    this.#known.set(place, {
      uid: stringAt(object, "metadata.uid", ""),
      resourceVersion: stringAt(object, "metadata.resourceVersion", ""),
    });
  }
}

/** Removes finalizers and content, without which deleted objects would stay. */
function isCleanUp({ method, path: to }: RecordedRequest): boolean {
  return (method === "PATCH" && !to.includes("/status")) || (method === "DELETE" && to.includes("/configmaps/"));
}

function replaced(fields: Fields, known: Known | undefined): Fields {
  const { uid, resourceVersion, ...rest } = fields;
  return {
    ...rest,
    ...(uid !== undefined && known !== undefined && { uid: known.uid }),
    ...(resourceVersion !== undefined && known !== undefined && { resourceVersion: known.resourceVersion }),
  };
}

/** The path of the object, or of the collection for a create. */
function placeOf(to: string): string {
  return to.replace(/\?.*/, "").replace(/\/status$/, "");
}

async function textOf(body: Body): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

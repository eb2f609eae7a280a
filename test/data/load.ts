import { stringAt } from "../../src/core/object/index.ts";
import type { AcknowledgedWrites } from "./acknowledged-writes.ts";
import type { ClusterProcess } from "./cluster-process.ts";

const writers = 8;
const namesOfEach = 12;
export const collection = "/api/v1/namespaces/load/configmaps";

/** Large enough that logs are compacted every now and then. */
const ballast = "x".repeat(3000);

/**
 * Creates, changes and deletes ConfigMaps over several connections' worth of requests at once, until the server is gone. Each
 * writer has names of its own and one request at a time, so that what it was told last is what must be found.
 */
export async function writeUntilGone(server: ClusterProcess, writes: AcknowledgedWrites, random: () => number): Promise<void> {
  const from = writes.highest;
  server.watch(`${collection}?watch=true${from === 0 ? "" : `&resourceVersion=${from}`}`, (event) => {
    if (typeof event === "object" && event !== null && "object" in event) writes.see(event.object);
  });
  const reader = async (): Promise<void> => {
    for (;;) {
      const answer = await server.request("GET", `${collection}?limit=1`);
      if (answer === undefined) return;
      writes.see(answer.body);
    }
  };
  const writer = async (number: number): Promise<void> => {
    for (;;) {
      const name = `w${number}-${Math.floor(random() * namesOfEach)}`;
      if (!(await isWritten(server, writes, name, random))) return;
    }
  };
  await Promise.all([reader(), ...Array.from({ length: writers }, (_, number) => writer(number))]);
}

/** One write; false when it was not answered. */
async function isWritten(server: ClusterProcess, writes: AcknowledgedWrites, name: string, random: () => number): Promise<boolean> {
  const known = writes.at(name);
  const isDeletion = known !== undefined && random() < 0.3;
  const value = isDeletion ? undefined : Math.floor(random() * 1e9);
  writes.begin(name, value);
  const path = known === undefined ? collection : `${collection}/${name}`;
  const metadata = { name, ...(known === undefined ? {} : { uid: known.uid, resourceVersion: String(known.resourceVersion) }) };
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { value: String(value), ballast } };
  const method = isDeletion ? "DELETE" : known === undefined ? "POST" : "PUT";
  const answer = await server.request(method, path, isDeletion ? undefined : body);
  if (answer === undefined) return false;
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${stringAt(answer.body, "message", "")}`);
  writes.acknowledge(name, isDeletion ? undefined : answer.body);
  return true;
}

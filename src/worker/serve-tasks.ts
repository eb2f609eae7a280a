import { Fault } from "../core/fault/index.ts";
import { packed, unpacked, type Parcel } from "./parcel.ts";
import type { TaskReply, TaskRequest } from "./task.ts";

/** What a worker can do, by name. A result may be a promise. */
export type TaskHandlers = Readonly<Record<string, (input: unknown) => unknown>>;

/** The connection of a worker to the process that has started it. */
type TaskPort = { onRequest(listener: (request: TaskRequest) => void): void; reply(reply: TaskReply): void };

/** The most that the process with the pool is sent at once, which has to hold it. */
const maxOutputBytes = 64 * 2 ** 20;

/** Answers the requests of a pool, which sends one after the other. */
export function serveTasks(handlers: TaskHandlers, port: TaskPort): void {
  port.onRequest((request) => void answered(request, handlers).then((reply) => send(reply, port)));
}

/** A result that is nested too deep cannot be cloned. */
function send(reply: TaskReply, port: TaskPort): void {
  try {
    port.reply(reply);
  } catch (error) {
    const { message } = new Fault("return the result", error);
    port.reply({ id: reply.id, fault: { message, final: true } });
  }
}

async function answered({ id, handler, input }: TaskRequest, handlers: TaskHandlers): Promise<TaskReply> {
  try {
    const handle = handlers[handler];
    if (handle === undefined) throw new TypeError(`there is no handler ${handler}`);
    return { id, output: packedOutput(await handle(unpacked(input))) };
  } catch (error) {
    // What is no Fault is a mistake of ours, and is told as such.
    const message = error instanceof Error ? error.message : String(error);
    return { id, fault: { message, final: error instanceof Fault && error.final } };
  }
}

function packedOutput(output: unknown): Parcel {
  try {
    return packed(output, maxOutputBytes);
  } catch (error) {
    throw new Fault("return the result", error);
  }
}

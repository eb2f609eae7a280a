import type { Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { bearer, type Credentials } from "./credentials.ts";
import type { Machine } from "./machine.ts";

const keepMs = 60_000;

/** A token out of a file that somebody else keeps fresh: read again every minute, and when the server does not take it. */
export function tokenFile(path: string, machine: Pick<Machine, "read">, clock: Clock, otherwise?: string): Credentials {
  let token = "";
  let readAt = -Infinity;

  async function read(): Promise<void> {
    try {
      token = (await machine.read(path)).trim();
    } catch (cause) {
      if (token === "" && otherwise === undefined) throw new Fault(`read the token in ${path}`, cause);
      token ||= otherwise ?? ""; // an older token may still do
    }
    readAt = clock.now();
  }

  return {
    async headers() {
      if (clock.now() - readAt >= keepMs) await read();
      return bearer(token);
    },
    async renew(sent) {
      if (sent["authorization"] === bearer(token)["authorization"]) await read();
      return sent["authorization"] !== bearer(token)["authorization"];
    },
  };
}

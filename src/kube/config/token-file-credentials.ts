import type { Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { bearerAuthHeader, type Credentials } from "./credentials.ts";
import type { Machine } from "./machine.ts";

const keepMs = 60_000;

/** A token from a file that another process rotates. It is read again every minute, and when the server rejects it. */
export function tokenFileCredentials(path: string, machine: Pick<Machine, "read">, clock: Clock, otherwise?: string): Credentials {
  let token = "";
  let readAt = -Infinity;

  async function read(): Promise<void> {
    try {
      token = (await machine.read(path)).trim();
    } catch (cause) {
      if (token === "" && otherwise === undefined) throw new Fault(`read the token in ${path}`, cause);
      token ||= otherwise ?? ""; // an older token may still be valid
    }
    readAt = clock.now();
  }

  return {
    async headers() {
      if (clock.now() - readAt >= keepMs) await read();
      return bearerAuthHeader(token);
    },
    async renew(sent) {
      if (sent["authorization"] === bearerAuthHeader(token)["authorization"]) await read();
      return sent["authorization"] !== bearerAuthHeader(token)["authorization"];
    },
  };
}

import { Fault } from "../core/fault/index.ts";

/** There is no response. The message names the server, the cause and what to change. */
export class ConnectionFault extends Fault {
  /** The error code of the system (`ECONNREFUSED`, `CERT_HAS_EXPIRED`). Empty when there is none. */
  readonly code: string;
  /** The request has not reached the server, so any request may be retried. */
  readonly unsent: boolean;
  /** A retry may succeed without any change. */
  readonly transient: boolean;

  constructor(message: string, options: { code?: string; unsent?: boolean; transient?: boolean; cause?: unknown } = {}) {
    super(message, undefined, { final: !(options.transient ?? true) });
    this.name = "ConnectionFault";
    this.cause = options.cause;
    this.code = options.code ?? "";
    this.unsent = options.unsent ?? false;
    this.transient = options.transient ?? true;
  }
}

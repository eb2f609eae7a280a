import { Fault } from "../core/fault/index.ts";

/** No answer could be had. The message says of which server, why, and what to change. */
export class ConnectionFault extends Fault {
  /** The system's word for it (`ECONNREFUSED`, `CERT_HAS_EXPIRED`); empty when there is none. */
  readonly code: string;
  /** The server has not seen the request, so it may be sent again whatever it asks for. */
  readonly unsent: boolean;
  /** It is worth trying again: nobody has to change anything first. */
  readonly transient: boolean;

  constructor(message: string, options: { code?: string; unsent?: boolean; passing?: boolean; cause?: unknown } = {}) {
    super(message, undefined, { final: !(options.passing ?? true) });
    this.name = "ConnectionFault";
    this.cause = options.cause;
    this.code = options.code ?? "";
    this.unsent = options.unsent ?? false;
    this.transient = options.passing ?? true;
  }
}

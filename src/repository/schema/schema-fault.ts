import { Fault } from "../../core/fault/index.ts";
import { redactedUrl, type HttpClientResponse } from "../../http/index.ts";

/** A server that answers with something else than a schema. In Helm's words. */
export class SchemaStatusFault extends Fault {
  readonly status: number;

  constructor(url: string, { status, statusText }: HttpClientResponse) {
    super(`HTTP request to ${redactedUrl(url)} returned status ${status} (${statusText.replace(/^\d+ ?/, "")})`);
    this.status = status;
  }
}

/** A schema that is not fetched, or not used, on purpose. */
export class SchemaRefusal extends Fault {
  constructor(because: string) {
    super(because, undefined, { final: true });
  }
}

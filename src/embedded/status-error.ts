import type { FieldError } from "./field-error.ts";

type StatusCause = { readonly reason?: string; readonly message: string; readonly field?: string };

type StatusDetails = {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
};

/** The result of a request. Models apimachinery pkg/apis/meta/v1 Status */
export type ApiStatus = {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: { readonly continue?: string };
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
};

/** The error of a rejected request, answered as its Status. Models apimachinery pkg/api/errors StatusError */
export class StatusError extends Error {
  readonly status: ApiStatus;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.name = "Refusal";
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      ...(reason === "" ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }

  get reason(): string {
    return this.status.reason ?? "";
  }
}

/** A group resource: `deployments.apps`. */
export type ResourceName = { readonly group: string; readonly plural: string };

function groupResourceOf({ group, plural }: ResourceName): string {
  return group === "" ? plural : `${plural}.${group}`;
}

function detailsOf({ group, plural }: ResourceName, name: string): StatusDetails {
  return { ...(name === "" ? {} : { name }), ...(group === "" ? {} : { group }), kind: plural };
}

// The messages below model apimachinery pkg/api/errors/errors.go

export function notFoundError(resource: ResourceName, name: string): StatusError {
  return new StatusError(404, "NotFound", `${groupResourceOf(resource)} ${JSON.stringify(name)} not found`, detailsOf(resource, name));
}

export function alreadyExistsError(resource: ResourceName, name: string): StatusError {
  return new StatusError(
    409,
    "AlreadyExists",
    `${groupResourceOf(resource)} ${JSON.stringify(name)} already exists`,
    detailsOf(resource, name),
  );
}

/** A name that is taken, of an object that has a prefix for generated names: another one may be free. */
export function generatedNameConflict(resource: ResourceName, name: string): StatusError {
  const message = `${groupResourceOf(resource)} ${JSON.stringify(name)} already exists, the server was not able to generate a unique name for the object`;
  return new StatusError(409, "AlreadyExists", message, { ...detailsOf(resource, name), retryAfterSeconds: 1 });
}

export function conflictError(resource: ResourceName, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${groupResourceOf(resource)} ${JSON.stringify(name)}: ${why}`;
  return new StatusError(409, "Conflict", message, detailsOf(resource, name));
}

/** The object was modified since it was read. */
export function modifiedError(resource: ResourceName, name: string): StatusError {
  return conflictError(resource, name, "the object has been modified; please apply your changes to the latest version and try again");
}

export function forbiddenError(resource: ResourceName, name: string, why: string): StatusError {
  const subject = name === "" ? groupResourceOf(resource) : `${groupResourceOf(resource)} ${JSON.stringify(name)}`;
  return new StatusError(403, "Forbidden", `${subject} is forbidden: ${why}`, detailsOf(resource, name));
}

export function badRequestError(message: string): StatusError {
  return new StatusError(400, "BadRequest", message);
}

export function internalError(why: string): StatusError {
  return new StatusError(500, "InternalError", `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

export function invalidError(
  { group, kind }: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const messages = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  const list = messages.length === 1 ? messages[0] : `[${messages.join(", ")}]`;
  const causes = errors.map(({ field, message, reason }) => ({ reason, message, field }));
  const title = group === "" ? kind : `${kind}.${group}`;
  return new StatusError(422, "Invalid", `${title} ${JSON.stringify(name)} is invalid: ${list}`, {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(kind === "" ? {} : { kind }),
    causes,
  });
}

export function isStatusError(error: unknown, reason?: string): error is StatusError {
  return error instanceof StatusError && (reason === undefined || error.reason === reason);
}

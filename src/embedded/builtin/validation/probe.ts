import { listAt, numberAt, stringsAt, type Fields } from "../../../core/object/index.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { has, nonNegative, portNumber, portNumberOrName, present, text, within } from "./check.ts";
import { checked } from "./meta.ts";
import { headerName } from "./names.ts";

// Models pkg/apis/core/validation/validation.go validateProbe, validateHandler and validateLifecycle

type Action = (action: Fields, path: string, graceSeconds: number | undefined) => readonly FieldError[];

const actions: Readonly<Record<string, Action>> = {
  exec: (action, path) => (stringsAt(action, "command").length === 0 ? [required(`${path}.command`)] : []),
  httpGet,
  tcpSocket: (action, path) => portNumberOrName(action["port"], `${path}.port`),
  grpc: (action, path) => portNumber(numberAt(action, "port", 0), `${path}.port`),
  sleep,
};

function httpGet(action: Fields, path: string): readonly FieldError[] {
  const scheme = text(action, "scheme");
  return [
    ...present(action, "path", path),
    ...portNumberOrName(action["port"], `${path}.port`),
    ...(["HTTP", "HTTPS"].includes(scheme) ? [] : [notSupported(`${path}.scheme`, scheme, ["HTTP", "HTTPS"])]),
    ...listAt(action, "httpHeaders").flatMap((header) => checked(headerName, `${path}.httpHeaders`, text(header, "name"))),
  ];
}

function sleep(action: Fields, path: string, graceSeconds: number | undefined): readonly FieldError[] {
  const seconds = numberAt(action, "seconds", 0);
  if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return [];
  return [invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`)];
}

function handler(fields: Fields, path: string, names: readonly string[], graceSeconds: number | undefined): readonly FieldError[] {
  const given = names.filter((name) => has(fields, name));
  const [first, ...others] = given;
  if (first === undefined) return [required(path, "must specify a handler type")];
  const check = actions[first];
  return [
    ...(check ? within(fields, first, path, (action, at) => check(action, at, graceSeconds)) : []),
    ...others.map((name) => forbidden(`${path}.${name}`, "may not specify more than 1 handler type")),
  ];
}

const counts = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

function probe(fields: Fields, path: string, graceSeconds: number | undefined): readonly FieldError[] {
  const own = numberAt(fields, "terminationGracePeriodSeconds");
  return [
    ...handler(fields, path, ["exec", "httpGet", "tcpSocket", "grpc"], graceSeconds),
    ...counts.flatMap((name) => nonNegative(fields, name, path)),
    ...(own !== undefined && own <= 0 ? [invalid(`${path}.terminationGracePeriodSeconds`, own, "must be greater than 0")] : []),
  ];
}

function succeedsOnce(fields: Fields, path: string): readonly FieldError[] {
  const threshold = numberAt(fields, "successThreshold", 0);
  return threshold === 1 ? [] : [invalid(`${path}.successThreshold`, threshold, "must be 1")];
}

export function probes(container: Fields, path: string, graceSeconds: number | undefined): readonly FieldError[] {
  return [
    ...within(container, "livenessProbe", path, (fields, at) => [...probe(fields, at, graceSeconds), ...succeedsOnce(fields, at)]),
    ...within(container, "readinessProbe", path, (fields, at) => {
      const own = fields["terminationGracePeriodSeconds"];
      const grace = own === undefined ? [] : [invalid(`${at}.terminationGracePeriodSeconds`, own, "must not be set for readinessProbes")];
      return [...probe(fields, at, graceSeconds), ...grace];
    }),
    ...within(container, "startupProbe", path, (fields, at) => [...probe(fields, at, graceSeconds), ...succeedsOnce(fields, at)]),
  ];
}

export function lifecycle(container: Fields, path: string, spec: Fields): readonly FieldError[] {
  const graceSeconds = numberAt(spec, "terminationGracePeriodSeconds");
  const names = ["exec", "httpGet", "tcpSocket", "sleep"];
  return within(container, "lifecycle", path, (fields, at) => [
    ...within(fields, "postStart", at, (hook, where) => handler(hook, where, names, graceSeconds)),
    ...within(fields, "preStop", at, (hook, where) => handler(hook, where, names, graceSeconds)),
  ]);
}

import { listAt, numberAt, stringsAt, type Fields } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import {
  hasField,
  checkNonNegative,
  checkPortNumber,
  checkPortNumberOrName,
  checkPresent,
  stringField,
  checkNestedObject,
} from "./field-checks.ts";
import { formatErrors } from "./object-meta.ts";
import { checkHeaderName } from "./name-formats.ts";

// Models pkg/apis/core/validation/validation.go validateProbe, validateHandler and validateLifecycle

type Action = (action: Fields, path: string, graceSeconds: number | undefined) => readonly FieldError[];

const actions: Readonly<Record<string, Action>> = {
  exec: (action, path) => (stringsAt(action, "command").length === 0 ? [fieldRequired(`${path}.command`)] : []),
  httpGet,
  tcpSocket: (action, path) => checkPortNumberOrName(action["port"], `${path}.port`),
  grpc: (action, path) => checkPortNumber(numberAt(action, "port", 0), `${path}.port`),
  sleep,
};

function httpGet(action: Fields, path: string): readonly FieldError[] {
  const scheme = stringField(action, "scheme");
  return [
    ...checkPresent(action, "path", path),
    ...checkPortNumberOrName(action["port"], `${path}.port`),
    ...(["HTTP", "HTTPS"].includes(scheme) ? [] : [fieldNotSupported(`${path}.scheme`, scheme, ["HTTP", "HTTPS"])]),
    ...listAt(action, "httpHeaders").flatMap((header) => formatErrors(checkHeaderName, `${path}.httpHeaders`, stringField(header, "name"))),
  ];
}

function sleep(action: Fields, path: string, graceSeconds: number | undefined): readonly FieldError[] {
  const seconds = numberAt(action, "seconds", 0);
  if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return [];
  return [fieldInvalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`)];
}

function handler(fields: Fields, path: string, names: readonly string[], graceSeconds: number | undefined): readonly FieldError[] {
  const given = names.filter((name) => hasField(fields, name));
  const [first, ...others] = given;
  if (first === undefined) return [fieldRequired(path, "must specify a handler type")];
  const check = actions[first];
  return [
    ...(check ? checkNestedObject(fields, first, path, (action, at) => check(action, at, graceSeconds)) : []),
    ...others.map((name) => fieldForbidden(`${path}.${name}`, "may not specify more than 1 handler type")),
  ];
}

const counts = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

function probe(fields: Fields, path: string, graceSeconds: number | undefined): readonly FieldError[] {
  const own = numberAt(fields, "terminationGracePeriodSeconds");
  return [
    ...handler(fields, path, ["exec", "httpGet", "tcpSocket", "grpc"], graceSeconds),
    ...counts.flatMap((name) => checkNonNegative(fields, name, path)),
    ...(own !== undefined && own <= 0 ? [fieldInvalid(`${path}.terminationGracePeriodSeconds`, own, "must be greater than 0")] : []),
  ];
}

function succeedsOnce(fields: Fields, path: string): readonly FieldError[] {
  const threshold = numberAt(fields, "successThreshold", 0);
  return threshold === 1 ? [] : [fieldInvalid(`${path}.successThreshold`, threshold, "must be 1")];
}

export function validateProbes(container: Fields, path: string, graceSeconds: number | undefined): readonly FieldError[] {
  return [
    ...checkNestedObject(container, "livenessProbe", path, (fields, at) => [
      ...probe(fields, at, graceSeconds),
      ...succeedsOnce(fields, at),
    ]),
    ...checkNestedObject(container, "readinessProbe", path, (fields, at) => {
      const own = fields["terminationGracePeriodSeconds"];
      const grace =
        own === undefined ? [] : [fieldInvalid(`${at}.terminationGracePeriodSeconds`, own, "must not be set for readinessProbes")];
      return [...probe(fields, at, graceSeconds), ...grace];
    }),
    ...checkNestedObject(container, "startupProbe", path, (fields, at) => [
      ...probe(fields, at, graceSeconds),
      ...succeedsOnce(fields, at),
    ]),
  ];
}

export function validateLifecycle(container: Fields, path: string, spec: Fields): readonly FieldError[] {
  const graceSeconds = numberAt(spec, "terminationGracePeriodSeconds");
  const names = ["exec", "httpGet", "tcpSocket", "sleep"];
  return checkNestedObject(container, "lifecycle", path, (fields, at) => [
    ...checkNestedObject(fields, "postStart", at, (hook, where) => handler(hook, where, names, graceSeconds)),
    ...checkNestedObject(fields, "preStop", at, (hook, where) => handler(hook, where, names, graceSeconds)),
  ]);
}

import { listAt, numberAt, type Fields } from "../../../object/index.ts";
import { duplicate, forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { each, has, inRange, named, oneOf, portNumber, present, text, within } from "./check.ts";
import { env, envFrom } from "./env.ts";
import { dnsLabel, portName } from "./names.ts";
import { lifecycle, probes } from "./probe.ts";
import { containerResourceErrors } from "./resources.ts";
import { volumeDevices, volumeMounts } from "./volumes.ts";

// Models pkg/apis/core/validation/validation.go validateContainers, validateInitContainers and validateContainerCommon

/** What a container is checked against: the rest of its Pod. */
export type Surroundings = {
  readonly spec: Fields;
  readonly volumes: ReadonlyMap<string, Fields>;
  readonly claims: ReadonlySet<string>;
};

const protocols = ["SCTP", "TCP", "UDP"];

function ports(container: Fields, path: string): readonly FieldError[] {
  const names = new Set<string>();
  return each(container, "ports", path, (port, at) => {
    const name = text(port, "name");
    const problems = name === "" ? [] : portName(name).map((problem) => invalid(`${at}.name`, name, problem));
    const twice = problems.length === 0 && names.has(name) ? [duplicate(`${at}.name`, name)] : [];
    if (name !== "" && problems.length === 0) names.add(name);
    const [inside, outside] = [numberAt(port, "containerPort", 0), numberAt(port, "hostPort", 0)];
    return [
      ...problems,
      ...twice,
      ...(inside === 0 ? [required(`${at}.containerPort`)] : portNumber(inside, `${at}.containerPort`)),
      ...(outside === 0 ? [] : portNumber(outside, `${at}.hostPort`)),
      ...oneOf(text(port, "protocol"), `${at}.protocol`, protocols),
    ];
  });
}

const largestId = 2 ** 31 - 1;

export function ids(context: Fields, path: string, names: readonly string[]): readonly FieldError[] {
  return names.flatMap((name) => {
    const value = numberAt(context, name);
    return value === undefined ? [] : inRange(value, `${path}.${name}`, 0, largestId);
  });
}

function securityContext(context: Fields, path: string): readonly FieldError[] {
  const contradicts = context["allowPrivilegeEscalation"] === false && context["privileged"] === true;
  return [
    ...ids(context, path, ["runAsUser", "runAsGroup"]),
    ...(contradicts ? [invalid(path, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true")] : []),
  ];
}

function common(container: Fields, path: string, { volumes, claims }: Surroundings): readonly FieldError[] {
  return [
    ...named(container, "name", path, dnsLabel),
    ...present(container, "image", path),
    ...oneOf(text(container, "terminationMessagePolicy"), `${path}.terminationMessagePolicy`, ["File", "FallbackToLogsOnError"]),
    ...ports(container, path),
    ...env(container, path),
    ...envFrom(container, path),
    ...volumeMounts(container, path, volumes),
    ...volumeDevices(container, path, volumes),
    ...oneOf(text(container, "imagePullPolicy"), `${path}.imagePullPolicy`, ["Always", "IfNotPresent", "Never"]),
    ...containerResourceErrors(container, path, claims),
    ...within(container, "securityContext", path, securityContext),
  ];
}

const restartPolicies = ["Always", "Never", "OnFailure"];

function restartPolicy(container: Fields, path: string): readonly FieldError[] {
  const policy = text(container, "restartPolicy");
  const rules = listAt(container, "restartPolicyRules");
  if (policy === "")
    return rules.length > 0 ? [required(`${path}.restartPolicy`, "must specify restartPolicy when restart rules are used")] : [];
  return restartPolicies.includes(policy) ? [] : [notSupported(`${path}.restartPolicy`, policy, restartPolicies)];
}

function hostPortConflicts(containers: readonly Fields[], path: string): readonly FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, index) =>
    each(container, "ports", `${path}[${index}]`, (port, at) => {
      const number = numberAt(port, "hostPort", 0);
      const key = `${text(port, "protocol")}/${text(port, "hostIP")}/${number}`;
      if (number === 0) return [];
      if (taken.has(key)) return [duplicate(`${at}.hostPort`, key)];
      taken.add(key);
      return [];
    }),
  );
}

export function containers(path: string, surroundings: Surroundings): readonly FieldError[] {
  const { spec } = surroundings;
  const list = listAt(spec, "containers");
  if (list.length === 0) return [required(`${path}.containers`)];
  const names = new Set<string>();
  const grace = numberAt(spec, "terminationGracePeriodSeconds");
  const own = each(spec, "containers", path, (container, at) => {
    const name = text(container, "name");
    const twice = names.has(name) ? [duplicate(`${at}.name`, name)] : [];
    names.add(name);
    return [
      ...common(container, at, surroundings),
      ...twice,
      ...lifecycle(container, at, spec),
      ...probes(container, at, grace),
      ...restartPolicy(container, at),
    ];
  });
  return [...own, ...hostPortConflicts(list, `${path}.containers`)];
}

const hooks = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"];

export function initContainers(path: string, surroundings: Surroundings): readonly FieldError[] {
  const { spec } = surroundings;
  const names = new Set(listAt(spec, "containers").map((container) => text(container, "name")));
  const grace = numberAt(spec, "terminationGracePeriodSeconds");
  return each(spec, "initContainers", path, (container, at) => {
    const name = text(container, "name");
    const twice = names.has(name) ? [duplicate(`${at}.name`, name)] : [];
    if (name !== "") names.add(name);
    const sidecar = text(container, "restartPolicy") === "Always";
    const running = sidecar
      ? [...lifecycle(container, at, spec), ...probes(container, at, grace)]
      : hooks
          .filter((hook) => has(container, hook))
          .map((hook) => forbidden(`${at}.${hook}`, "may not be set for init containers without restartPolicy=Always"));
    return [
      ...common(container, at, surroundings),
      ...restartPolicy(container, at),
      ...twice,
      ...hostPortConflicts([container], `${path}.initContainers`),
      ...running,
    ];
  });
}

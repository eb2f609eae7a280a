import { listAt, numberAt, type Fields } from "../../../core/object/index.ts";
import { duplicate, forbidden, invalid, notFound, notSupported, required, type FieldError } from "../../field-error.ts";
import { each, has, named, oneOf, portNumber, present, text, within } from "./check.ts";
import { env, envFrom } from "./env.ts";
import { dnsLabel, portName } from "./names.ts";
import { lifecycle, probes } from "./probe.ts";
import { containerResourceErrors } from "./resources.ts";
import { containerSecurity } from "./security.ts";
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

function resizePolicies(container: Fields, path: string, spec: Fields): readonly FieldError[] {
  const at = `${path}.resizePolicy`;
  const seen = new Set<string>();
  return each(container, "resizePolicy", path, (policy, item) => {
    const [resource, restart] = [text(policy, "resourceName"), text(policy, "restartPolicy")];
    const twice = seen.has(resource) ? [duplicate(item, resource)] : [];
    seen.add(resource);
    const never = spec["restartPolicy"] === "Never" && restart !== "NotRequired";
    return [
      ...twice,
      ...oneOf(resource, at, ["cpu", "memory"]),
      ...oneOf(restart, at, ["NotRequired", "RestartContainer"]),
      ...(never ? [invalid(at, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'")] : []),
    ];
  });
}

function common(container: Fields, path: string, { spec, volumes, claims }: Surroundings): readonly FieldError[] {
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
    ...resizePolicies(container, path, spec),
    ...within(container, "securityContext", path, (context, at) => containerSecurity(context, at, spec["hostUsers"] !== false)),
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

const debugFields = new Set([
  "name",
  "image",
  "command",
  "args",
  "workingDir",
  "envFrom",
  "env",
  "volumeMounts",
  "volumeDevices",
  "terminationMessagePath",
  "terminationMessagePolicy",
  "imagePullPolicy",
  "securityContext",
  "stdin",
  "stdinOnce",
  "tty",
  "targetContainerName",
]);
const notForDebugging = "cannot be set for an Ephemeral Container";

export function ephemeralContainers(path: string, surroundings: Surroundings): readonly FieldError[] {
  const { spec } = surroundings;
  const others = new Set(
    ["containers", "initContainers"].flatMap((list) => listAt(spec, list).map((container) => text(container, "name"))),
  );
  const names = new Set(others);
  return each(spec, "ephemeralContainers", path, (container, at) => {
    const [name, target] = [text(container, "name"), text(container, "targetContainerName")];
    const twice = names.has(name) ? [duplicate(`${at}.name`, name)] : [];
    names.add(name);
    const unwanted = Object.keys(container).filter((field) => !debugFields.has(field) && !isEmpty(container[field]));
    return [
      ...common(container, at, surroundings),
      ...twice,
      ...(target !== "" && !others.has(target) ? [notFound(`${at}.targetContainerName`, target)] : []),
      ...unwanted.map((field) => forbidden(`${at}.${field}`, notForDebugging)),
      ...each(container, "volumeMounts", at, (mount, where) =>
        ["subPath", "subPathExpr"]
          .filter((field) => text(mount, field) !== "")
          .map((field) => forbidden(`${where}.${field}`, notForDebugging)),
      ),
    ];
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

import { listAt, numberAt, type Fields } from "../../../core/object/index.ts";
import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  type FieldError,
} from "../../field-error.ts";
import {
  checkEach,
  hasField,
  checkRequired,
  checkOneOf,
  checkPortNumber,
  checkPresent,
  stringField,
  checkNestedObject,
} from "./field-checks.ts";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { checkDnsLabel, checkPortName } from "./name-formats.ts";
import { validateLifecycle, validateProbes } from "./probe.ts";
import { containerResourceErrors } from "./resource-requirements.ts";
import { validateContainerSecurityContext } from "./security-context.ts";
import { validateVolumeDevices, validateVolumeMounts } from "./volumes.ts";

// Models pkg/apis/core/validation/validation.go validateContainers, validateInitContainers and validateContainerCommon

/** The Pod around a container, which the container is validated against. */
type ContainerContext = {
  readonly spec: Fields;
  readonly volumes: ReadonlyMap<string, Fields>;
  readonly claims: ReadonlySet<string>;
};

const protocols = ["SCTP", "TCP", "UDP"];

function ports(container: Fields, path: string): readonly FieldError[] {
  const names = new Set<string>();
  return checkEach(container, "ports", path, (port, at) => {
    const name = stringField(port, "name");
    const problems = name === "" ? [] : checkPortName(name).map((problem) => fieldInvalid(`${at}.name`, name, problem));
    const twice = problems.length === 0 && names.has(name) ? [fieldDuplicate(`${at}.name`, name)] : [];
    if (name !== "" && problems.length === 0) names.add(name);
    const [inside, outside] = [numberAt(port, "containerPort", 0), numberAt(port, "hostPort", 0)];
    return [
      ...problems,
      ...twice,
      ...(inside === 0 ? [fieldRequired(`${at}.containerPort`)] : checkPortNumber(inside, `${at}.containerPort`)),
      ...(outside === 0 ? [] : checkPortNumber(outside, `${at}.hostPort`)),
      ...checkOneOf(stringField(port, "protocol"), `${at}.protocol`, protocols),
    ];
  });
}

function resizePolicies(container: Fields, path: string, spec: Fields): readonly FieldError[] {
  const at = `${path}.resizePolicy`;
  const seen = new Set<string>();
  return checkEach(container, "resizePolicy", path, (policy, item) => {
    const [resource, restart] = [stringField(policy, "resourceName"), stringField(policy, "restartPolicy")];
    const twice = seen.has(resource) ? [fieldDuplicate(item, resource)] : [];
    seen.add(resource);
    const never = spec["restartPolicy"] === "Never" && restart !== "NotRequired";
    return [
      ...twice,
      ...checkOneOf(resource, at, ["cpu", "memory"]),
      ...checkOneOf(restart, at, ["NotRequired", "RestartContainer"]),
      ...(never ? [fieldInvalid(at, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'")] : []),
    ];
  });
}

function common(container: Fields, path: string, { spec, volumes, claims }: ContainerContext): readonly FieldError[] {
  return [
    ...checkRequired(container, "name", path, checkDnsLabel),
    ...checkPresent(container, "image", path),
    ...checkOneOf(stringField(container, "terminationMessagePolicy"), `${path}.terminationMessagePolicy`, [
      "File",
      "FallbackToLogsOnError",
    ]),
    ...ports(container, path),
    ...validateEnv(container, path),
    ...validateEnvFrom(container, path),
    ...validateVolumeMounts(container, path, volumes),
    ...validateVolumeDevices(container, path, volumes),
    ...checkOneOf(stringField(container, "imagePullPolicy"), `${path}.imagePullPolicy`, ["Always", "IfNotPresent", "Never"]),
    ...containerResourceErrors(container, path, claims),
    ...resizePolicies(container, path, spec),
    ...checkNestedObject(container, "securityContext", path, (context, at) =>
      validateContainerSecurityContext(context, at, spec["hostUsers"] !== false),
    ),
  ];
}

const restartPolicies = ["Always", "Never", "OnFailure"];

function restartPolicy(container: Fields, path: string): readonly FieldError[] {
  const policy = stringField(container, "restartPolicy");
  const rules = listAt(container, "restartPolicyRules");
  if (policy === "")
    return rules.length > 0 ? [fieldRequired(`${path}.restartPolicy`, "must specify restartPolicy when restart rules are used")] : [];
  return restartPolicies.includes(policy) ? [] : [fieldNotSupported(`${path}.restartPolicy`, policy, restartPolicies)];
}

function hostPortConflicts(containers: readonly Fields[], path: string): readonly FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, index) =>
    checkEach(container, "ports", `${path}[${index}]`, (port, at) => {
      const number = numberAt(port, "hostPort", 0);
      const key = `${stringField(port, "protocol")}/${stringField(port, "hostIP")}/${number}`;
      if (number === 0) return [];
      if (taken.has(key)) return [fieldDuplicate(`${at}.hostPort`, key)];
      taken.add(key);
      return [];
    }),
  );
}

export function validateContainers(path: string, context: ContainerContext): readonly FieldError[] {
  const { spec } = context;
  const list = listAt(spec, "containers");
  if (list.length === 0) return [fieldRequired(`${path}.containers`)];
  const names = new Set<string>();
  const grace = numberAt(spec, "terminationGracePeriodSeconds");
  const own = checkEach(spec, "containers", path, (container, at) => {
    const name = stringField(container, "name");
    const twice = names.has(name) ? [fieldDuplicate(`${at}.name`, name)] : [];
    names.add(name);
    return [
      ...common(container, at, context),
      ...twice,
      ...validateLifecycle(container, at, spec),
      ...validateProbes(container, at, grace),
      ...restartPolicy(container, at),
    ];
  });
  return [...own, ...hostPortConflicts(list, `${path}.containers`)];
}

const hooks = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"];

export function validateInitContainers(path: string, context: ContainerContext): readonly FieldError[] {
  const { spec } = context;
  const names = new Set(listAt(spec, "containers").map((container) => stringField(container, "name")));
  const grace = numberAt(spec, "terminationGracePeriodSeconds");
  return checkEach(spec, "initContainers", path, (container, at) => {
    const name = stringField(container, "name");
    const twice = names.has(name) ? [fieldDuplicate(`${at}.name`, name)] : [];
    if (name !== "") names.add(name);
    const sidecar = stringField(container, "restartPolicy") === "Always";
    const running = sidecar
      ? [...validateLifecycle(container, at, spec), ...validateProbes(container, at, grace)]
      : hooks
          .filter((hook) => hasField(container, hook))
          .map((hook) => fieldForbidden(`${at}.${hook}`, "may not be set for init containers without restartPolicy=Always"));
    return [
      ...common(container, at, context),
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

export function validateEphemeralContainers(path: string, context: ContainerContext): readonly FieldError[] {
  const { spec } = context;
  const others = new Set(
    ["containers", "initContainers"].flatMap((list) => listAt(spec, list).map((container) => stringField(container, "name"))),
  );
  const names = new Set(others);
  return checkEach(spec, "ephemeralContainers", path, (container, at) => {
    const [name, target] = [stringField(container, "name"), stringField(container, "targetContainerName")];
    const twice = names.has(name) ? [fieldDuplicate(`${at}.name`, name)] : [];
    names.add(name);
    const unwanted = Object.keys(container).filter((field) => !debugFields.has(field) && !isEmpty(container[field]));
    return [
      ...common(container, at, context),
      ...twice,
      ...(target !== "" && !others.has(target) ? [fieldNotFound(`${at}.targetContainerName`, target)] : []),
      ...unwanted.map((field) => fieldForbidden(`${at}.${field}`, notForDebugging)),
      ...checkEach(container, "volumeMounts", at, (mount, where) =>
        ["subPath", "subPathExpr"]
          .filter((field) => stringField(mount, field) !== "")
          .map((field) => fieldForbidden(`${where}.${field}`, notForDebugging)),
      ),
    ];
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

import { fieldsAt, isFields, listAt, numberAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../../field-error.ts";
import { checkEach, hasField, checkPortNumber, stringField, checkNestedObject } from "./field-checks.ts";
import { cidrErrors, cidrContains, parseCidr } from "./ip.ts";
import type { KindRules } from "./kind-rules.ts";
import { formatErrors, validateCoreObjectMeta, validateCoreObjectMetaUpdate, validateLabelSelector } from "./object-meta.ts";
import { checkDnsSubdomain, checkPortName } from "./name-formats.ts";

// Models pkg/apis/networking/validation/validation.go ValidateNetworkPolicySpec

const protocols = ["TCP", "UDP", "SCTP"];

function portErrors(port: Fields, at: string): readonly FieldError[] {
  const protocol = hasField(port, "protocol") ? stringField(port, "protocol") : "TCP";
  const known = protocols.includes(protocol) ? [] : [fieldNotSupported(`${at}.protocol`, protocol, protocols)];
  return [...known, ...rangeErrors(port, at)];
}

function rangeErrors(port: Fields, at: string): readonly FieldError[] {
  const first = port["port"];
  const last = numberAt(port, "endPort");
  const where = `${at}.endPort`;
  if (typeof first === "string") {
    const needless = last === undefined ? [] : [fieldInvalid(where, last, "may not be specified when `port` is non-numeric")];
    return [...needless, ...formatErrors(checkPortName, `${at}.port`, first)];
  }
  if (typeof first !== "number")
    return last === undefined ? [] : [fieldInvalid(where, last, "may not be specified when `port` is not specified")];
  if (last === undefined) return checkPortNumber(first, `${at}.port`);
  const backwards = last < first ? [fieldInvalid(where, first, "must be greater than or equal to `port`")] : [];
  return [...checkPortNumber(first, `${at}.port`), ...backwards, ...checkPortNumber(last, where)];
}

function blockPeer(block: Fields, at: string, known: readonly string[]): readonly FieldError[] {
  const range = stringField(block, "cidr");
  if (range === "") return [fieldRequired(`${at}.cidr`)];
  const outer = parseCidr(range);
  const errors = cidrErrors(range, `${at}.cidr`, known);
  if (!outer) return errors;
  const exceptions = stringsAt(block, "except").flatMap((exception, index) => {
    const where = `${at}.except[${index}]`;
    const inner = parseCidr(exception);
    const inside = !inner || (cidrContains(outer, inner.address) && outer.bits < inner.bits);
    return [
      ...cidrErrors(exception, where, known),
      ...(inside ? [] : [fieldInvalid(where, exception, "must be a strict subset of `cidr`")]),
    ];
  });
  return [...errors, ...exceptions];
}

function peerErrors(peer: Fields, at: string, known: readonly string[]): readonly FieldError[] {
  const given = ["podSelector", "namespaceSelector", "ipBlock"].filter((name) => hasField(peer, name));
  return [
    ...checkNestedObject(peer, "podSelector", at, validateLabelSelector),
    ...checkNestedObject(peer, "namespaceSelector", at, validateLabelSelector),
    ...checkNestedObject(peer, "ipBlock", at, (block, path) => blockPeer(block, path, known)),
    ...(given.length === 0 ? [fieldRequired(at, "must specify a peer")] : []),
    ...(given.length > 1 && hasField(peer, "ipBlock") ? [fieldForbidden(at, "may not specify both ipBlock and another peer")] : []),
  ];
}

function typeErrors(spec: Fields): readonly FieldError[] {
  const types = stringsAt(spec, "policyTypes");
  if (types.length > 2) return [fieldInvalid("spec.policyTypes", types, "may not specify more than two policyTypes")];
  return types.flatMap((type, index) =>
    ["Ingress", "Egress"].includes(type) ? [] : [fieldNotSupported(`spec.policyTypes[${index}]`, type, ["Ingress", "Egress"])],
  );
}

const directions = [
  ["ingress", "from"],
  ["egress", "to"],
] as const;

function specErrors(policy: KubeObject, known: readonly string[]): readonly FieldError[] {
  const spec = fieldsAt(policy, "spec");
  const rules = directions.flatMap(([direction, peers]) =>
    checkEach(spec, direction, "spec", (rule, at) => [
      ...checkEach(rule, "ports", at, portErrors),
      ...checkEach(rule, peers, at, (peer, path) => peerErrors(peer, path, known)),
    ]),
  );
  return [...validateLabelSelector(spec["podSelector"], "spec.podSelector"), ...rules, ...typeErrors(spec)];
}

/** Ranges that the live object already has are accepted anywhere. */
function rangesOf(policy: KubeObject): readonly string[] {
  return directions.flatMap(([direction, peers]) =>
    listAt(policy, `spec.${direction}`).flatMap((rule) =>
      listAt(rule, peers)
        .map((peer) => peer["ipBlock"])
        .filter(isFields)
        .flatMap((block) => [stringField(block, "cidr"), ...stringsAt(block, "except")]),
    ),
  );
}

export const networkPolicyRules: KindRules = {
  create: (object) => [...validateCoreObjectMeta(object, { name: checkDnsSubdomain, namespaced: true }), ...specErrors(object, [])],
  update: (object, live) => [...validateCoreObjectMetaUpdate(object, live), ...specErrors(object, rangesOf(live))],
};

import { fieldsAt, isFields, listAt, numberAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { each, has, portNumber, text, within } from "./check.ts";
import { blockErrors, contains, parseBlock } from "./ip.ts";
import type { KindRules } from "./kind.ts";
import { checked, coreMeta, coreMetaUpdate, labelSelector } from "./meta.ts";
import { dnsSubdomain, portName } from "./names.ts";

// Models pkg/apis/networking/validation/validation.go ValidateNetworkPolicySpec

const protocols = ["TCP", "UDP", "SCTP"];

function portErrors(port: Fields, at: string): readonly FieldError[] {
  const protocol = has(port, "protocol") ? text(port, "protocol") : "TCP";
  const known = protocols.includes(protocol) ? [] : [notSupported(`${at}.protocol`, protocol, protocols)];
  return [...known, ...rangeErrors(port, at)];
}

function rangeErrors(port: Fields, at: string): readonly FieldError[] {
  const first = port["port"];
  const last = numberAt(port, "endPort");
  const where = `${at}.endPort`;
  if (typeof first === "string") {
    const needless = last === undefined ? [] : [invalid(where, last, "may not be specified when `port` is non-numeric")];
    return [...needless, ...checked(portName, `${at}.port`, first)];
  }
  if (typeof first !== "number")
    return last === undefined ? [] : [invalid(where, last, "may not be specified when `port` is not specified")];
  if (last === undefined) return portNumber(first, `${at}.port`);
  const backwards = last < first ? [invalid(where, first, "must be greater than or equal to `port`")] : [];
  return [...portNumber(first, `${at}.port`), ...backwards, ...portNumber(last, where)];
}

function blockPeer(block: Fields, at: string, known: readonly string[]): readonly FieldError[] {
  const range = text(block, "cidr");
  if (range === "") return [required(`${at}.cidr`)];
  const outer = parseBlock(range);
  const errors = blockErrors(range, `${at}.cidr`, known);
  if (!outer) return errors;
  const exceptions = stringsAt(block, "except").flatMap((exception, index) => {
    const where = `${at}.except[${index}]`;
    const inner = parseBlock(exception);
    const inside = !inner || (contains(outer, inner.address) && outer.bits < inner.bits);
    return [...blockErrors(exception, where, known), ...(inside ? [] : [invalid(where, exception, "must be a strict subset of `cidr`")])];
  });
  return [...errors, ...exceptions];
}

function peerErrors(peer: Fields, at: string, known: readonly string[]): readonly FieldError[] {
  const given = ["podSelector", "namespaceSelector", "ipBlock"].filter((name) => has(peer, name));
  return [
    ...within(peer, "podSelector", at, labelSelector),
    ...within(peer, "namespaceSelector", at, labelSelector),
    ...within(peer, "ipBlock", at, (block, path) => blockPeer(block, path, known)),
    ...(given.length === 0 ? [required(at, "must specify a peer")] : []),
    ...(given.length > 1 && has(peer, "ipBlock") ? [forbidden(at, "may not specify both ipBlock and another peer")] : []),
  ];
}

function typeErrors(spec: Fields): readonly FieldError[] {
  const types = stringsAt(spec, "policyTypes");
  if (types.length > 2) return [invalid("spec.policyTypes", types, "may not specify more than two policyTypes")];
  return types.flatMap((type, index) =>
    ["Ingress", "Egress"].includes(type) ? [] : [notSupported(`spec.policyTypes[${index}]`, type, ["Ingress", "Egress"])],
  );
}

const directions = [
  ["ingress", "from"],
  ["egress", "to"],
] as const;

function specErrors(policy: KubeObject, known: readonly string[]): readonly FieldError[] {
  const spec = fieldsAt(policy, "spec");
  const rules = directions.flatMap(([direction, peers]) =>
    each(spec, direction, "spec", (rule, at) => [
      ...each(rule, "ports", at, portErrors),
      ...each(rule, peers, at, (peer, path) => peerErrors(peer, path, known)),
    ]),
  );
  return [...labelSelector(spec["podSelector"], "spec.podSelector"), ...rules, ...typeErrors(spec)];
}

/** Ranges that were accepted once stay so wherever they now stand. */
function rangesOf(policy: KubeObject): readonly string[] {
  return directions.flatMap(([direction, peers]) =>
    listAt(policy, `spec.${direction}`).flatMap((rule) =>
      listAt(rule, peers)
        .map((peer) => peer["ipBlock"])
        .filter(isFields)
        .flatMap((block) => [text(block, "cidr"), ...stringsAt(block, "except")]),
    ),
  );
}

export const networkPolicyRules: KindRules = {
  create: (object) => [...coreMeta(object, { name: dnsSubdomain, namespaced: true }), ...specErrors(object, [])],
  update: (object, live) => [...coreMetaUpdate(object, live), ...specErrors(object, rangesOf(live))],
};

import { booleanAt, fieldsAt, numberAt, stringAt, stringsAt, type Fields } from "../../../core/object/index.ts";
import { fieldForbidden, fieldInvalid, fieldRequired, fieldTooLong, type FieldError } from "../../field-error.ts";
import { checkEach, hasField, stringField } from "./field-checks.ts";
import { ipAddressErrors } from "./ip.ts";
import { formatErrors } from "./object-meta.ts";
import { checkDnsSubdomain, checkDnsSubdomainWithUnderscore } from "./name-formats.ts";

// Models pkg/apis/core/validation/validation.go: names, addresses and host ports of a Pod

export function validateHostPorts(spec: Fields, path: string, isPod: boolean): readonly FieldError[] {
  if (!booleanAt(spec, "hostNetwork")) return [];
  return checkEach(spec, "containers", path, (container, at) =>
    checkEach(container, "ports", at, (port, where) => {
      const outside = numberAt(port, "hostPort", 0);
      const differs = (isPod || outside !== 0) && outside !== numberAt(port, "containerPort", 0);
      return differs ? [fieldInvalid(`${where}.hostPort`, outside, "must match `containerPort` when `hostNetwork` is true")] : [];
    }),
  );
}

const most = { servers: 3, searches: 32, searchCharacters: 2048, hostname: 64 };

export function validateDnsConfig(spec: Fields, path: string): readonly FieldError[] {
  const at = `${path}.dnsConfig`;
  const none = spec["dnsPolicy"] === "None";
  if (!hasField(spec, "dnsConfig")) return none ? [fieldRequired(at, "must provide `dnsConfig` when `dnsPolicy` is None")] : [];
  const config = fieldsAt(spec, "dnsConfig");
  const servers = stringsAt(config, "nameservers");
  if (none && servers.length === 0)
    return [fieldRequired(`${at}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None")];
  const many =
    servers.length > most.servers
      ? [fieldInvalid(`${at}.nameservers`, servers, `must not have more than ${most.servers} nameservers`)]
      : [];
  return [
    ...many,
    ...servers.flatMap((server, index) => ipAddressErrors(server, `${at}.nameservers[${index}]`)),
    ...searches(stringsAt(config, "searches"), `${at}.searches`),
    ...checkEach(config, "options", at, (option, where) =>
      stringField(option, "name") === "" ? [fieldRequired(where, "must not be empty")] : [],
    ),
  ];
}

function searches(list: readonly string[], at: string): readonly FieldError[] {
  const long = list.join(" ").length > most.searchCharacters;
  return [
    ...(list.length > most.searches ? [fieldInvalid(at, list, `must not have more than ${most.searches} search paths`)] : []),
    ...(long
      ? [fieldInvalid(at, list, `must not have more than ${most.searchCharacters} characters (including spaces) in the search list`)]
      : []),
    ...list.flatMap((search, index) =>
      search === "." ? [] : formatErrors(checkDnsSubdomainWithUnderscore, `${at}[${index}]`, search.replace(/\.$/, "")),
    ),
  ];
}

export function validateHostAliases(spec: Fields, path: string): readonly FieldError[] {
  return checkEach(spec, "hostAliases", path, (alias, at) => [
    ...ipAddressErrors(stringField(alias, "ip"), `${at}.ip`),
    ...stringsAt(alias, "hostnames").flatMap((name, index) => formatErrors(checkDnsSubdomain, `${at}.hostnames[${index}]`, name)),
  ]);
}

export function validateHostnameOverride(spec: Fields, path: string): readonly FieldError[] {
  const name = stringAt(spec, "hostnameOverride");
  const at = `${path}.hostnameOverride`;
  if (name === undefined) return [];
  const against = ["setHostnameAsFQDN", "hostNetwork"].filter((field) => booleanAt(spec, field));
  return [
    ...against.map((field) => fieldForbidden(at, `may not be specified when ${field} is true`)),
    ...(name.length > most.hostname ? [fieldTooLong(at, most.hostname)] : []),
    ...formatErrors(checkDnsSubdomain, at, name),
  ];
}

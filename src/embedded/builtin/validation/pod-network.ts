import { booleanAt, fieldsAt, numberAt, stringAt, stringsAt, type Fields } from "../../../core/object/index.ts";
import { forbidden, invalid, required, tooLong, type FieldError } from "../../field-error.ts";
import { each, has, text } from "./check.ts";
import { addressErrors } from "./ip.ts";
import { checked } from "./meta.ts";
import { dnsSubdomain, dnsSubdomainWithUnderscore } from "./names.ts";

// Models pkg/apis/core/validation/validation.go: what a Pod says of names, addresses and host ports

export function hostPorts(spec: Fields, path: string, isPod: boolean): readonly FieldError[] {
  if (!booleanAt(spec, "hostNetwork")) return [];
  return each(spec, "containers", path, (container, at) =>
    each(container, "ports", at, (port, where) => {
      const outside = numberAt(port, "hostPort", 0);
      const differs = (isPod || outside !== 0) && outside !== numberAt(port, "containerPort", 0);
      return differs ? [invalid(`${where}.hostPort`, outside, "must match `containerPort` when `hostNetwork` is true")] : [];
    }),
  );
}

const most = { servers: 3, searches: 32, searchCharacters: 2048, hostname: 64 };

export function dnsConfig(spec: Fields, path: string): readonly FieldError[] {
  const at = `${path}.dnsConfig`;
  const none = spec["dnsPolicy"] === "None";
  if (!has(spec, "dnsConfig")) return none ? [required(at, "must provide `dnsConfig` when `dnsPolicy` is None")] : [];
  const config = fieldsAt(spec, "dnsConfig");
  const servers = stringsAt(config, "nameservers");
  if (none && servers.length === 0)
    return [required(`${at}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None")];
  const many =
    servers.length > most.servers ? [invalid(`${at}.nameservers`, servers, `must not have more than ${most.servers} nameservers`)] : [];
  return [
    ...many,
    ...servers.flatMap((server, index) => addressErrors(server, `${at}.nameservers[${index}]`)),
    ...searches(stringsAt(config, "searches"), `${at}.searches`),
    ...each(config, "options", at, (option, where) => (text(option, "name") === "" ? [required(where, "must not be empty")] : [])),
  ];
}

function searches(list: readonly string[], at: string): readonly FieldError[] {
  const long = list.join(" ").length > most.searchCharacters;
  return [
    ...(list.length > most.searches ? [invalid(at, list, `must not have more than ${most.searches} search paths`)] : []),
    ...(long
      ? [invalid(at, list, `must not have more than ${most.searchCharacters} characters (including spaces) in the search list`)]
      : []),
    ...list.flatMap((search, index) =>
      search === "." ? [] : checked(dnsSubdomainWithUnderscore, `${at}[${index}]`, search.replace(/\.$/, "")),
    ),
  ];
}

export function hostAliases(spec: Fields, path: string): readonly FieldError[] {
  return each(spec, "hostAliases", path, (alias, at) => [
    ...addressErrors(text(alias, "ip"), `${at}.ip`),
    ...stringsAt(alias, "hostnames").flatMap((name, index) => checked(dnsSubdomain, `${at}.hostnames[${index}]`, name)),
  ]);
}

export function hostnameOverride(spec: Fields, path: string): readonly FieldError[] {
  const name = stringAt(spec, "hostnameOverride");
  const at = `${path}.hostnameOverride`;
  if (name === undefined) return [];
  const against = ["setHostnameAsFQDN", "hostNetwork"].filter((field) => booleanAt(spec, field));
  return [
    ...against.map((field) => forbidden(at, `may not be specified when ${field} is true`)),
    ...(name.length > most.hostname ? [tooLong(at, most.hostname)] : []),
    ...checked(dnsSubdomain, at, name),
  ];
}

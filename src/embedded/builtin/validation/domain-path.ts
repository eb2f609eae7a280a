import { invalid, required, type FieldError } from "../../field-error.ts";
import { checked } from "./meta.ts";
import { dnsSubdomain, regexError } from "./names.ts";

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const isHttpPath = new RegExp(`^${httpPath}$`);

/** Models apimachinery pkg/util/validation IsDomainPrefixedPath: `acme.io/foo` */
export function domainPrefixedPath(value: string, at: string): readonly FieldError[] {
  if (value === "") return [required(at)];
  const slash = value.indexOf("/");
  const [host, path] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
  if (host === "" || path === "") return [invalid(at, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [...checked(dnsSubdomain, at, host), ...(isHttpPath.test(path) ? [] : [invalid(at, path, regexError("Invalid path", httpPath))])];
}

import { fieldInvalid, fieldRequired, type FieldError } from "../../field-error.ts";
import { formatErrors } from "./object-meta.ts";
import { checkDnsSubdomain, regexError } from "./name-formats.ts";

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const isHttpPath = new RegExp(`^${httpPath}$`);

/** Models apimachinery pkg/util/validation IsDomainPrefixedPath: `acme.io/foo` */
export function validateDomainPrefixedPath(value: string, at: string): readonly FieldError[] {
  if (value === "") return [fieldRequired(at)];
  const slash = value.indexOf("/");
  const [host, path] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
  if (host === "" || path === "") return [fieldInvalid(at, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [
    ...formatErrors(checkDnsSubdomain, at, host),
    ...(isHttpPath.test(path) ? [] : [fieldInvalid(at, path, regexError("Invalid path", httpPath))]),
  ];
}

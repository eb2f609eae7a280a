// The formats of names. Models apimachinery pkg/util/validation/validation.go

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Why a name is no DNS-1035 label; empty if it is one. */
export function dns1035LabelErrors(name: string): readonly string[] {
  const wrong = name.length > 63 ? ["must be no more than 63 bytes"] : [];
  if (label.test(name)) return wrong;
  return [
    ...wrong,
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ];
}

/** Why a name is no RFC 1123 subdomain; empty if it is one. */
export function dns1123SubdomainErrors(name: string): readonly string[] {
  const wrong = name.length > 253 ? ["must be no more than 253 bytes"] : [];
  if (subdomain.test(name)) return wrong;
  return [
    ...wrong,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ];
}

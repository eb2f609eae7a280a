/** Validates names and values that Kubernetes restricts, with its own messages. Models apimachinery pkg/api/validate/content. */

const name = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const value = `(${name})?`;
const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${dnsLabel}(\\.${dnsLabel})*`;

const namePattern = new RegExp(`^${name}$`);
const valuePattern = new RegExp(`^${value}$`);
const subdomainPattern = new RegExp(`^${subdomain}$`);

const nameRule = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const badName = `${nameRule} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${name}')`;

/** The problems of a label or annotation key. Empty when it is valid. */
export function labelKeyProblems(key: string): string[] {
  const parts = key.split("/");
  if (parts.length > 2) return [`a valid label key ${badName} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const problems: string[] = [];
  const last = parts.at(-1)!;
  if (parts.length === 2) problems.push(...prefixProblems(parts[0]!));
  if (last === "") problems.push("name part must be non-empty");
  else if (bytesOf(last) > 63) problems.push("name part must be no more than 63 bytes");
  if (!namePattern.test(last)) problems.push(`name part ${badName}`);
  return problems;
}

function prefixProblems(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return subdomainProblems(prefix).map((problem) => `prefix part ${problem}`);
}

/** The problems of a label value. Empty when it is valid. */
export function labelValueProblems(text: string): string[] {
  const problems: string[] = [];
  if (bytesOf(text) > 63) problems.push("must be no more than 63 bytes");
  if (!valuePattern.test(text))
    problems.push(
      `a valid label must be an empty string or ${nameRule.slice("must ".length)} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${value}')`,
    );
  return problems;
}

/** The problems of a lower-case RFC 1123 subdomain (the name of most objects). Empty when it is valid. */
export function subdomainProblems(text: string): string[] {
  const problems: string[] = [];
  if (bytesOf(text) > 253) problems.push("must be no more than 253 bytes");
  if (!subdomainPattern.test(text))
    problems.push(
      `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`,
    );
  return problems;
}

/** Pages check selectors too, and have no Buffer. */
function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

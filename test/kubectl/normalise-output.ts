/** What differs from run to run and from cluster to cluster in the output of kubectl, and what stands for it. */
const volatile: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "UID"],
  [/\bkube-api-access-\w{5}\b/g, "kube-api-access-NAME"],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "TOKEN"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\b/g, "TIME"],
  [/\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}\b/g, "TIME"],
  [/(resourceVersion"?: "?)\d+/g, "$1VERSION"],
  [/\b127\.0\.0\.1:\d+\b/g, "SERVER"],
  [/\b10\.\d+\.\d+\.\d+\b/g, "ADDRESS"],
  [/\b3[0-2]\d{3}\b/g, "PORT"],
  [/\/tmp\/\S+/g, "FILE"],
  [/\b(?:\d+[smhd]){1,2}\b/g, "AGE"],
  [/<(?:unknown|invalid)>/g, "AGE"],
  [/^[IWEF]\d{4} .*$/gm, "LOG"],
  [/[ \t]+/g, " "],
];

/** The output of a command without what cannot be the same twice. */
export function normalisedOutput(text: string): string {
  return volatile.reduce((left, [pattern, instead]) => left.replaceAll(pattern, instead), text).trim();
}

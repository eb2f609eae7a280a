const reserved: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

/** The name by which an expression reaches a field; undefined when it cannot. Models apiserver pkg/cel/escaping.go Escape */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[-./]/g, (part) => escapes[part] ?? part);
}

const escapes: Readonly<Record<string, string>> = { __: "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__" };
const unescapes: Readonly<Record<string, string>> = { underscores: "__", dot: ".", dash: "-", slash: "/" };

/** The field that an escaped name stands for; undefined when the escape is invalid. */
export function unescapeName(name: string): string | undefined {
  const keyword = /^__(.+)__$/.exec(name)?.[1];
  if (keyword !== undefined && reserved.has(keyword)) return keyword;
  let isValid = true;
  const plain = name.replaceAll(/__(?:(underscores|dot|dash|slash)__)?/g, (_, what?: string) => {
    if (what === undefined) isValid = false;
    return unescapes[what ?? ""] ?? "";
  });
  return isValid ? plain : undefined;
}

/** Whether a name is a keyword. Kubernetes also allows keywords as field names without an escape. */
export function isKeyword(name: string): boolean {
  return reserved.has(name);
}

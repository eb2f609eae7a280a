/** A path in an object: names of fields and indices of lists. */
export type Path = readonly (string | number)[];

/** Parses `metadata.annotations["a/b"]` or `spec.containers[0].name`. Anything else counts as a name. */
export function parsePath(text: string): Path {
  const path: (string | number)[] = [];
  for (const [, index, quoted, name] of text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([^.[]+|\[)/g)) {
    if (index !== undefined) path.push(Number(index));
    else path.push(quoted === undefined ? name! : (JSON.parse(quoted) as string));
  }
  return path;
}

/** Formats a path for messages: `metadata.annotations["a/b"]`, `spec.containers[0].name`. */
export function pathText(path: Path): string {
  return path
    .map((part, at) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[\w$-]+$/.test(part)) return `[${JSON.stringify(part)}]`;
      return at === 0 ? part : `.${part}`;
    })
    .join("");
}

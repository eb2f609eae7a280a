/** About how many characters a value has as JSON. Stops counting beyond `most`. */
export function approximateSize(value: unknown, most = Infinity): number {
  let size = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0 && size <= most) {
    const next = rest.pop();
    if (typeof next === "string") size += next.length + 3;
    else if (typeof next !== "object" || next === null) size += 6;
    else if (Array.isArray(next)) {
      size += 2;
      for (const item of next) rest.push(item);
    } else {
      size += 2;
      for (const [key, item] of Object.entries(next)) {
        size += key.length + 3;
        rest.push(item);
      }
    }
  }
  return size;
}

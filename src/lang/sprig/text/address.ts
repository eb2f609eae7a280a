/** The 4 or 16 bytes of an IP address; undefined when it is invalid. Like Go, it rejects leading zeros in IPv4. */
export function addressBytes(text: string): Uint8Array | undefined {
  return text.includes(":") ? longAddress(text) : shortAddress(text);
}

export function isIPv6(text: string): boolean {
  const [address = "", ...zone] = text.split("%");
  return addressBytes(address)?.length === 16 && (zone.length === 0 || zone.join("%") !== "");
}

function shortAddress(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return undefined;
  return Uint8Array.from(parts.map(Number));
}

function longAddress(text: string): Uint8Array | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(groupsOf);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const missing = 16 - head.length - (tail?.length ?? 0);
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return Uint8Array.from([...head, ...Array.from({ length: missing }, () => 0), ...(tail ?? [])]);
}

function groupsOf(text: string): number[] | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const dotted = index === groups.length - 1 && group.includes(".") ? shortAddress(group) : undefined;
    if (dotted !== undefined) bytes.push(...dotted);
    else if (/^[0-9A-Fa-f]{1,4}$/.test(group)) bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff);
    else return undefined;
  }
  return bytes;
}

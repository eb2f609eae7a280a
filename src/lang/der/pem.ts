type Pem = { readonly label: string; readonly bytes: Buffer };

/** Encodes bytes as PEM: base64 in lines of 64 characters between two marker lines. */
export function pemText({ label, bytes }: { readonly label: string; readonly bytes: Uint8Array }): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.map((line) => `${line}\n`).join("")}-----END ${label}-----\n`;
}

const block = /^-----BEGIN ([^\n]*?)-----[ \t\r]*\n(?:[^\n:]+:[^\n]*\n)*\s*([A-Za-z0-9+/=\s]*?)-----END \1-----[ \t\r]*$/m;

/** The first PEM block of a text; undefined when there is none. */
export function firstPem(text: string): Pem | undefined {
  const found = block.exec(text);
  return found === null ? undefined : { label: found[1]!, bytes: Buffer.from(found[2]!, "base64") };
}

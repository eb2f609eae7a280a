/** Whether two URLs have the same scheme, host and port. */
export function sameOrigin(one: string, other: string): boolean {
  const [left, right] = [new URL(one), new URL(other)];
  return left.protocol === right.protocol && left.host === right.host;
}

/** The URL without its password, for messages. */
export function redactedUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const shown = new URL(url);
  if (shown.password === "") return url;
  shown.password = "xxxxx";
  return shown.href;
}

/**
 * The formats that custom resources are checked against; any other name in a schema is ignored.
 *
 * Models apiextensions pkg/apiserver/validation/formats.go, kube-openapi pkg/validation/strfmt
 */
const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matching(/^[0-9a-f]{24}$/i),
  uri: isRequestUri,
  email: matching(/^(?:[^<>@]*<\s*)?[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()\\]+\s*>?$/),
  hostname: isHostname,
  ipv4: (text) => text.includes(".") && isIp(text),
  ipv6: (text) => text.includes(":") && isIp(text),
  cidr: isCidr,
  mac: matching(/^(?:(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}(?:(?:[0-9a-f]{2}\1){2})?[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2,3}[0-9a-f]{4})$/i),
  uuid: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: matching(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: isRgbColor,
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  k8slongname: (text) => text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
};

function normal(format: string): string {
  return format.replaceAll("-", "");
}

/** Whether the API server checks this format (`date-time` yes, `int32` no). */
export function isCheckedFormat(format: string): boolean {
  return Object.hasOwn(checks, normal(format));
}

export function matchesFormat(text: string, format: string): boolean {
  return checks[normal(format)]?.(text) ?? true;
}

function matching(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/** As Go's url.ParseRequestURI: an absolute URI or an absolute path. */
function isRequestUri(text: string): boolean {
  const hasControl = [...text].some((letter) => letter < " " || letter === "\u007F");
  if (text === "" || hasControl || /%(?![0-9a-f]{2})/i.test(text)) return false;
  return text === "*" || text.startsWith("/") || /^[a-z][a-z0-9+.-]*:(?:\/\/[^\s/?]*)?\S*$/i.test(text);
}

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  return hostname.test(text) && sizeOf(text) <= 255 && text.split(".").every((part) => sizeOf(part) <= 63);
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255);
}

function isIp(text: string): boolean {
  if (!text.includes(":")) return isIpv4(text);
  const tail = text.slice(text.lastIndexOf(":") + 1);
  if (tail.includes(".") && !isIpv4(tail)) return false;
  const plain = tail.includes(".") ? `${text.slice(0, -tail.length)}0:0` : text;
  const halves = plain.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}

function isCidr(text: string): boolean {
  const [address = "", bits = "", ...more] = text.split("/");
  if (more.length > 0 || !isIp(address) || !/^\d+$/.test(bits)) return false;
  return Number(bits) <= (address.includes(":") ? 128 : 32);
}

function digits(text: string): number[] {
  return [...text].map(Number);
}

function isIsbn10(text: string): boolean {
  const plain = text.replaceAll(/[\s-]+/g, "");
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(plain)) return false;
  const sum = digits(plain.slice(0, 9)).reduce((total, digit, index) => total + (index + 1) * digit, 0);
  return (sum + 10 * (plain.endsWith("X") ? 10 : Number(plain[9]))) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const plain = text.replaceAll(/[\s-]+/g, "");
  if (!/^[0-9]{13}$/.test(plain)) return false;
  const sum = digits(plain.slice(0, 12)).reduce((total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * digit, 0);
  return Number(plain[12]) === (10 - (sum % 10)) % 10;
}

const cards =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const plain = text.replaceAll(/\D+/g, "");
  const weighed = digits(plain)
    .toReversed()
    .map((digit, index) => (index % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2));
  return cards.test(plain) && weighed.reduce((total, digit) => total + digit, 0) % 10 === 0;
}

function isRgbColor(text: string): boolean {
  const [, ...parts] = /^rgb\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(text) ?? [];
  return parts.length === 3 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return year !== "" && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [date = "", time = ""] = text.toLowerCase().split("t");
  const [, hour = "99", minute = "", second = ""] = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time) ?? [];
  return isDate(date) && hour <= "23" && minute <= "59" && second <= "59";
}

const goDuration = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const units = /^(?:ns|us|µs|ms|s|m|h|hr|d|w|wk|(?:nano|micro|milli|sec|min|hour|day|week).*)$/;

/** As Go parses durations, or as Scala does: a number and the name of a unit anywhere in the text. */
function isDuration(text: string): boolean {
  if (goDuration.test(text)) return true;
  return [...text.matchAll(/\d+\s*([A-Za-zµ]+)/g)].some(([, unit = ""]) => units.test(unit.toLowerCase()));
}

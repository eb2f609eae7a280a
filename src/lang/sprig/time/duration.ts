const second = 1_000_000_000n;
const largest = 2n ** 63n;

const units: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1000n],
  ["µs", 1000n],
  ["μs", 1000n],
  ["ms", 1_000_000n],
  ["s", second],
  ["m", 60n * second],
  ["h", 3600n * second],
]);

/** Parses a Go duration such as `1h15m30.5s` to nanoseconds. Throws with Go's message. */
export function parseGoDuration(text: string): bigint {
  const invalid = () => new Error(`time: invalid duration ${quoteForTime(text)}`);
  const signed = /^[-+]?/.exec(text)![0];
  let rest = text.slice(signed.length);
  if (rest === "0") return 0n;
  if (rest === "") throw invalid();
  let sum = 0n;
  while (rest !== "") {
    const [number, whole = "", fraction = ""] = /^(\d*)(?:\.(\d*))?/.exec(rest)!;
    if ((whole === "" && fraction === "") || BigInt(whole === "" ? 0 : whole) > largest) throw invalid();
    const unit = /^[^.\d]*/.exec(rest.slice(number.length))![0];
    if (unit === "") throw new Error(`time: missing unit in duration ${quoteForTime(text)}`);
    const size = units.get(unit);
    if (size === undefined) throw new Error(`time: unknown unit ${quoteForTime(unit)} in duration ${quoteForTime(text)}`);
    const amount = BigInt(whole === "" ? 0 : whole) * size + fractionOf(fraction, size);
    sum += amount;
    if (amount > largest || sum > largest) throw invalid();
    rest = rest.slice(number.length + unit.length);
  }
  if (signed === "-") return -sum;
  if (sum > largest - 1n) throw invalid();
  return sum;
}

/** Go computes the fraction in floating point. */
function fractionOf(digits: string, unit: bigint): bigint {
  if (digits === "") return 0n;
  // Digits beyond 64 bits are dropped.
  const kept = digits.slice(0, 18);
  return BigInt(Math.trunc(Number(BigInt(kept)) * (Number(unit) / 10 ** kept.length)));
}

/** Formats nanoseconds as Go does: `72h3m0.5s`, `1.5ms`. */
export function durationText(duration: bigint): string {
  if (duration === 0n) return "0s";
  const size = duration < 0n ? -duration : duration;
  const text = size < second ? smallText(size) : largeText(size);
  return duration < 0n ? `-${text}` : text;
}

function smallText(size: bigint): string {
  if (size < 1000n) return `${size}ns`;
  return size < 1_000_000n ? `${decimal(size, 3)}µs` : `${decimal(size, 6)}ms`;
}

function largeText(size: bigint): string {
  const minutes = size / (60n * second);
  const seconds = `${decimal(size % (60n * second), 9)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** Formats a number with `places` decimals, without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return `${digits.slice(0, -places)}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Rounds to the nearest multiple, half away from zero. */
export function roundDuration(duration: bigint, multiple: bigint): bigint {
  if (multiple <= 0n) return duration;
  const size = duration < 0n ? -duration : duration;
  const rounded = ((size + multiple / 2n) / multiple) * multiple;
  return duration < 0n ? -rounded : rounded;
}

/** Models the quote function of Go's package time, which is simpler than strconv's. */
export function quoteForTime(text: string): string {
  let out = "";
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (point >= 0xdc80 && point <= 0xdcff) out += `\\x${(point - 0xdc00).toString(16)}`;
    else if (point >= 0x80 || point < 0x20) {
      for (const byte of Buffer.from(character)) out += `\\x${byte.toString(16).padStart(2, "0")}`;
    } else out += character === '"' || character === "\\" ? `\\${character}` : character;
  }
  return `"${out}"`;
}

/** Whether go-yaml takes a text for a timestamp when it decides on quotes. */
export function isTimestamp(text: string): boolean {
  const [, year, month, day, clock] =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](\d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d*)?)(?:Z|[-+]\d\d:\d\d)?)?$/.exec(text) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12) return false;
  const daysInMonth = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  if (Number(day) < 1 || Number(day) > daysInMonth) return false;
  if (clock === undefined) return /^\d{4}-\d{1,2}-\d{1,2}$/.test(text);
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map((part) => Math.floor(Number.parseFloat(part)));
  const zone = /(?:Z|[-+]\d\d:\d\d)$/.test(text);
  return hours < 24 && minutes < 60 && seconds < 60 && !/[.,]$/.test(clock) && zone !== text.includes(" ");
}

/** Formats a float as Go's strconv does: the shortest form that reads back, for 32 or 64 bits. */
export function formatGoFloat(value: number, bits: 32 | 64): string {
  if (Object.is(value, -0)) return "-0";
  const [mantissa = "0", exponent = "0"] = shortest(value, bits).split("e");
  const power = Number(exponent);
  const digits = mantissa.replace("-", "").replace(".", "");
  if (power < -4 || power >= 6) {
    return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const sign = mantissa.startsWith("-") ? "-" : "";
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, "0");
  const rest = digits.slice(power + 1);
  return sign + whole + (rest === "" ? "" : `.${rest}`);
}

function shortest(value: number, bits: 32 | 64): string {
  if (bits === 64) return value.toExponential();
  for (let precision = 0; precision < 9; precision++) {
    const text = Math.fround(value).toExponential(precision);
    if (Math.fround(Number(text)) === Math.fround(value)) return text;
  }
  return Math.fround(value).toExponential(9);
}

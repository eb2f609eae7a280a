/** Prints a double as Go's `%g` does: the shortest digits that read back, with an exponent below 0.0001 and from one million on. */
export function printDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [digits = "", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${digits}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  const plain = String(value);
  return plain.includes("e") ? value.toFixed(20).replace(/\.?0+$/, "") : plain;
}

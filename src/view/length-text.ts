/** How long something took, short: `0.4s`, `12.3s`, `1m05s`, `2h03m`. */
export function lengthText(ms: number): string {
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  return hours === 0 ? `${minutes}m${two(seconds % 60)}s` : `${hours}h${two(minutes % 60)}m`;
}

function two(count: number): string {
  return String(count).padStart(2, "0");
}

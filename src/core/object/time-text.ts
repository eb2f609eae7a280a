/** A time as Kubernetes writes it in an object: RFC 3339 in UTC, without a fraction of a second. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

/** An age in short form: `45s`, `5m10s`, `3h`. Models apimachinery pkg/util/duration HumanDuration */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)];
  if (minutes < 2) return `${seconds}s`;
  if (minutes < 10) return `${minutes}m${part(seconds % 60, "s")}`;
  if (hours < 3) return `${minutes}m`;
  if (hours < 8) return `${hours}h${part(minutes % 60, "m")}`;
  if (hours < 48) return `${hours}h`;
  if (days < 8) return `${days}d${part(hours % 24, "h")}`;
  const years = Math.floor(days / 365);
  if (years < 2) return `${days}d`;
  return years < 8 ? `${years}y${part(days % 365, "d")}` : `${years}y`;
}

function part(count: number, unit: string): string {
  return count === 0 ? "" : `${count}${unit}`;
}

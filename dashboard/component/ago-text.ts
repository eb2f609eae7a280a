const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** `5 min ago`: how long ago something was, in its largest unit. What lies ahead by clocks that differ was just now. */
export function agoText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 5) return "just now";
  for (const [unit, length] of units) if (seconds >= length) return `${Math.floor(seconds / length)} ${unit} ago`;
  return `${seconds} s ago`;
}

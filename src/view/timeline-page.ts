import { rowTitle, type Timeline, type TimelineRow, type TimelineSpan } from "../release/recording/index.ts";
import { lengthText } from "./length-text.ts";
import { headText, linkText, remarksOn, rowText } from "./timeline-words.ts";

/** The only styles of the page. It has no script and loads nothing, and says so to the browser. */
const styles = `
:root { color-scheme: light dark; --line: #8884; --apply: #9aa7b4; --wait: #3b82c4; --delete: #a8713a; --failed: #c43b3b; }
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .15rem .6rem .15rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td.time { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; }
svg text { font-size: 11px; fill: currentColor; }
.apply { fill: var(--apply); } .wait { fill: var(--wait); } .delete { fill: var(--delete); } .failed { fill: var(--failed); }
.grid { stroke: var(--line); } .remark { opacity: .75; }`;

const rowHeight = 20;
const [titleWidth, barWidth, textWidth] = [280, 640, 110];

/** One page that shows timelines and needs nothing else, below a heading and remarks about all. Every text of it is escaped. */
export function timelinePage(timelines: readonly Timeline[], heading = "", remarks: readonly string[] = []): string {
  const title = heading === "" ? timelines.map(headText).join("; ") : heading;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${styles}
</style>
</head>
<body>
${heading === "" ? "" : `<p class="remark">${escaped(heading)}</p>\n`}${timelines.map(sectionOf).join("\n")}
${remarks.map((remark) => `<p class="remark">${escaped(remark)}</p>`).join("\n")}
</body>
</html>
`;
}

function sectionOf(timeline: Timeline): string {
  const { criticalPath, waits, subject } = timeline;
  const timed = (fromMs: number, toMs: number, text: string) =>
    `<tr><td class="time">${lengthText(fromMs)}</td><td class="time">${lengthText(toMs - fromMs)}</td><td>${escaped(text)}</td></tr>`;
  return `<h1>${escaped(headText(timeline))}</h1>
${remarksOn(timeline)
  .map((remark) => `<p class="remark">${escaped(remark)}</p>`)
  .join("\n")}
${drawing(timeline)}
${tableOf(
  "Critical path",
  criticalPath.map((link) => timed(link.fromMs, link.toMs, linkText(link, subject))),
)}
${tableOf(
  "Longest waits",
  waits.map(({ ref, because, fromMs, toMs }) => timed(fromMs, toMs, `${rowTitle(ref, subject)}: ${because}`)),
)}`;
}

function tableOf(title: string, rows: readonly string[]): string {
  if (rows.length === 0) return "";
  return `<h2>${title}</h2>\n<table>\n<tr><th>from</th><th>took</th><th></th></tr>\n${rows.join("\n")}\n</table>`;
}

function drawing(timeline: Timeline): string {
  const { rows, lengthMs } = timeline;
  if (rows.length === 0) return "<p>No object was touched.</p>";
  const height = (rows.length + 1) * rowHeight;
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const x = titleWidth + part * barWidth;
    return `<line class="grid" x1="${x}" y1="${rowHeight}" x2="${x}" y2="${height}"/><text x="${x}" y="14" text-anchor="middle">${lengthText(lengthMs * part)}</text>`;
  });
  const width = titleWidth + barWidth + textWidth;
  return `<svg viewBox="0 0 ${width} ${height}" role="img">\n${[...marks, ...rows.map((row, at) => drawnRow(row, at, timeline))].join("\n")}\n</svg>`;
}

function drawnRow(row: TimelineRow, at: number, { lengthMs, subject }: Timeline): string {
  const y = (at + 1) * rowHeight;
  const title = rowTitle(row.ref, subject);
  const short = title.length > 40 ? `${title.slice(0, 39)}…` : title;
  const hover = [title, rowText(row), ...(row.because === undefined ? [] : [row.because])].join(": ");
  const bars = row.spans.map((span, place) => barOf(span, y, lengthMs, row.outcome === "failed" && place === row.spans.length - 1));
  return `<g><title>${escaped(hover)}</title><text x="0" y="${y + 14}">${escaped(short)}</text>${bars.join("")}<text x="${titleWidth + barWidth + 8}" y="${y + 14}">${escaped(rowText(row))}</text></g>`;
}

function barOf({ phase, fromMs, toMs }: TimelineSpan, y: number, lengthMs: number, isFailed: boolean): string {
  const scale = barWidth / Math.max(1, lengthMs);
  const width = Math.max(2, (toMs - fromMs) * scale);
  return `<rect class="${isFailed ? "failed" : phase}" x="${(titleWidth + fromMs * scale).toFixed(1)}" y="${y + 4}" width="${width.toFixed(1)}" height="12"/>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Names and reasons are other people's texts. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!).replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, " ");
}

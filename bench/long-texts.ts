import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildHelm } from "../test/cluster/toolchain.ts";
import { measureProgram } from "./process.ts";
import { least, type Sides } from "./renderer.ts";
import { reportAtMost, reportNote } from "./report.ts";

const program = join(import.meta.dirname, "..", "dist", "sluice.js");
const rounds = 3;
const calls = 4;
/** About 2 MB. */
const text =
  '{{- $t := repeat 20000 "Lorem ipsumDolor sit_amet 12 foo-bar, consectetur: 10.0.0.1/8; user@example.com\\n  - name: value # x\\n" }}';

/** Calls on the text, whose result is `$r`. */
const calledOn: Readonly<Record<string, string>> = {
  "regexReplaceAll, a class": 'regexReplaceAll "[^a-z0-9]+" $t "-"',
  "regexReplaceAll, groups": 'regexReplaceAll "([a-z]+)@([a-z]+)" $t "${2}/${1}"',
  "regexReplaceAll, words": 'regexReplaceAll "foo|name|sit" $t "x"',
  "regexReplaceAll, an address": 'regexReplaceAll "(\\\\d+)\\\\.(\\\\d+)\\\\.(\\\\d+)\\\\.(\\\\d+)/\\\\d+" $t "$1"',
  "regexReplaceAll, one letter": 'regexReplaceAll "[aeiou]" $t ""',
  "regexReplaceAll, lines": 'regexReplaceAll "(?m)^\\\\s*- (.*)$" $t "$1"',
  "regexReplaceAll, any case": 'regexReplaceAll "(?i)lorem\\\\s+IPSUM" $t "x"',
  "regexReplaceAll, ambiguous": 'regexReplaceAll "([a-z]+)+:" $t "x"',
  regexReplaceAllLiteral: 'regexReplaceAllLiteral "[0-9]+" $t "$1"',
  regexFindAll: 'regexFindAll "[a-z]+" $t -1',
  "regexFindAll, lazy": 'regexFindAll "c.*?r" $t -1',
  regexSplit: 'regexSplit "[,;] *" $t -1',
  "regexMatch, none": 'regexMatch "zz[0-9]+$" $t',
  snakecase: "snakecase $t",
  camelcase: "camelcase $t",
  kebabcase: "kebabcase $t",
  swapcase: "swapcase $t",
  title: "title $t",
  untitle: "untitle $t",
  trimAll: 'trimAll "Lx\\n" $t',
  trim: "trim $t",
  nospace: "nospace $t",
  initials: "initials $t",
  wrap: "wrap 80 $t",
  wrapWith: 'wrapWith 80 "\\n" $t',
  replace: 'replace "foo" "quux" $t',
  "replace, one letter": 'replace "o" "00" $t',
  upper: "upper $t",
  lower: "lower $t",
  indent: "indent 4 $t",
  quote: "quote $t",
  b64enc: "b64enc $t",
  sha256sum: "sha256sum $t",
  splitList: 'splitList "\\n" $t',
  trunc: "trunc 1000000 $t",
  "reverse, a list": 'splitList " " $t | reverse',
  join: 'splitList " " $t | join "+"',
};

/** Calls each function on megabytes in either program, and compares the CPU beyond that of a chart that only makes the text. */
export async function benchLongTexts(only = /(?:)/): Promise<void> {
  const helm = await buildHelm((line) => reportNote(line, ""));
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-texts-"));
  try {
    const none = await costs(folder, helm, "$t");
    reportNote("making the text, CPU", `${none.helm.toFixed(0)} ms and ${none.sluice.toFixed(0)} ms`);
    for (const [what, call] of Object.entries(calledOn)) {
      if (!only.test(what)) continue;
      const both = await costs(folder, helm, call);
      const [ours, theirs] = [both.sluice - none.sluice, both.helm - none.helm];
      // The kernel counts in steps of 10 ms.
      reportAtMost(`${what}: CPU of Sluice over Helm's`, ours / Math.max(theirs, 10), 2, "x");
      reportNote(`${calls} calls`, `${theirs.toFixed(0)} ms and ${ours.toFixed(0)} ms`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function costs(folder: string, helm: string, call: string): Promise<Sides<number>> {
  const chart = join(folder, "texts");
  await mkdir(join(chart, "templates"), { recursive: true });
  await writeFile(join(chart, "Chart.yaml"), "apiVersion: v2\nname: texts\nversion: 0.1.0\n");
  const called = `{{- $r := "" }}${`{{- $r = ${call} }}`.repeat(calls)}`;
  const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {kind: "{{ kindOf $r }}"}\n';
  await writeFile(join(chart, "templates", "a.yaml"), `${text}${called}${object}`);
  const found: Sides<number>[] = [];
  for (let round = 0; round < rounds; round++)
    found.push({
      helm: (await measureProgram(helm, ["template", chart])).cpuMs,
      sluice: (await measureProgram(process.execPath, [program, "template", chart])).cpuMs,
    });
  return least(found, (ms) => ms);
}

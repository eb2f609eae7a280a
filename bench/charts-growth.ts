import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Renderer, Sides } from "./renderer.ts";
import { reportNote } from "./report.ts";

const sizes = [50, 100, 200, 400];
const rounds = 5;

/** How the rendering time of both programs grows with the number of templates. */
export async function benchChartGrowth(folder: string, { helm, sluice }: Sides<Renderer>): Promise<void> {
  for (const size of sizes) {
    const asked = { chart: chartOf(folder, size), values: [], quiet: true };
    const best = { helm: Infinity, sluice: Infinity };
    for (let round = 0; round < rounds; round++) {
      best.helm = Math.min(best.helm, (await helm.ask(asked)).ms);
      best.sluice = Math.min(best.sluice, (await sluice.ask(asked)).ms);
    }
    reportNote(`a chart of ${size} templates, on the clock`, `${best.helm.toFixed(1)} ms and ${best.sluice.toFixed(1)} ms`);
  }
}

/** All templates differ. */
function chartOf(folder: string, templates: number): string {
  const chart = join(folder, String(templates));
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: growth\nversion: 1.0.0\n");
  writeFileSync(
    join(chart, "values.yaml"),
    "image: {repository: web, tag: '1.0'}\nresources: {limits: {cpu: 100m, memory: 64Mi}}\nports: [80, 443]\n",
  );
  writeFileSync(join(chart, "templates", "_labels.tpl"), `{{- define "labels" }}\napp: {{ .Release.Name | trunc 63 }}\n{{- end }}\n`);
  for (let index = 0; index < templates; index++) writeFileSync(join(chart, "templates", `web-${index}.yaml`), deployment(index));
  return chart;
}

function deployment(index: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ printf "%s-web-%d" .Release.Name ${index} | quote }}
  labels: {{- include "labels" . | nindent 4 }}
spec:
  template:
    metadata:
      labels: {{- include "labels" . | nindent 8 }}
    spec:
      containers:
        - name: web-${index}
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          {{- with .Values.resources }}
          resources: {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            {{- range .Values.ports }}
            - containerPort: {{ . }}
            {{- end }}
`;
}

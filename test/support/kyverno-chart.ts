import { packageChart } from "../../src/repository/index.ts";
import { chartOf } from "./chart-of.ts";

/** A small chart in the place of the one that an example names. */
export const kyvernoChart = chartOf({
  "Chart.yaml": "apiVersion: v2\nname: kyverno\nversion: v2.6.0\n",
  "templates/settings.yaml":
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata: {v: {{ .Values.v | default "none" | quote }}}\n',
});

/** The files of a repository with that chart, by path. */
export const kyvernoRepository: Readonly<Record<string, string | Uint8Array>> = {
  "/index.yaml": "apiVersion: v1\nentries:\n  kyverno:\n  - {name: kyverno, version: v2.6.0, urls: [kyverno.tgz]}\n",
  "/kyverno.tgz": packageChart(kyvernoChart),
};

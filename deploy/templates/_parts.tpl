{{- define "sluice.labels" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ include "sluice.tag" . | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- /* The version as labels and tags of images may say it: without a plus. */}}
{{- define "sluice.tag" -}}
{{ .root.Chart.AppVersion | replace "+" "_" | trunc 63 }}
{{- end }}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{- define "sluice.name" -}}
{{ .root.Release.Name }}-{{ .component }}
{{- end }}

{{- /* The names of objects without a namespace say whose they are. */}}
{{- define "sluice.clusterName" -}}
{{ .root.Release.Namespace }}-{{ .root.Release.Name }}-{{ .component }}
{{- end }}

{{- define "sluice.pod" -}}
{{- $root := .root }}
{{- $part := .part }}
serviceAccountName: {{ include "sluice.name" . }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
terminationGracePeriodSeconds: 30
containers:
  - name: {{ .component }}
    image: "{{ $root.Values.image.repository }}:{{ $root.Values.image.tag | default (include "sluice.tag" .) }}"
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args:
      {{- toYaml .args | nindent 6 }}
    env:
      # The only place that may be written to: downloaded charts lie there.
      - name: HOME
        value: /tmp
    ports:
      - name: {{ .port | default "metrics" }}
        containerPort: 8080
    livenessProbe:
      httpGet:
        path: /healthz
        port: {{ .port | default "metrics" }}
        {{- with .scheme }}
        scheme: {{ . }}
        {{- end }}
      periodSeconds: 20
      timeoutSeconds: 5
      failureThreshold: 3
    readinessProbe:
      httpGet:
        path: /readyz
        port: {{ .port | default "metrics" }}
        {{- with .scheme }}
        scheme: {{ . }}
        {{- end }}
      periodSeconds: 5
      timeoutSeconds: 5
    resources:
      {{- toYaml $part.resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop:
          - ALL
    volumeMounts:
      - name: tmp
        mountPath: /tmp
      {{- range .files }}
      - name: {{ .name }}
        mountPath: {{ .path }}
        readOnly: true
      {{- end }}
volumes:
  {{- range .files }}
  - name: {{ .name }}
    {{- toYaml .volume | nindent 4 }}
  {{- end }}
  - name: tmp
    # A pod that writes more is evicted; the caches hold themselves to half of it.
    emptyDir:
      sizeLimit: {{ $part.temporarySize }}
{{- with $part.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $part.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $part.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Binds the ServiceAccount of a part to a ClusterRole, everywhere or in a namespace. */}}
{{- define "sluice.binding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ if .namespace }}RoleBinding{{ else }}ClusterRoleBinding{{ end }}
metadata:
  name: {{ .name }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
  labels:
    {{- include "sluice.labels" . | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .roleKind | default "ClusterRole" }}
  name: {{ .role | default .name }}
subjects:
  - kind: ServiceAccount
    name: {{ include "sluice.name" . }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}

{{- /* A ClusterRole that takes in what administrators label, and one with the rules of the values. */}}
{{- define "sluice.extra" -}}
{{- $name := printf "%s-extra" (include "sluice.clusterName" .) }}
# Takes in the rules of all ClusterRoles with this label.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ $name }}
  labels:
    {{- include "sluice.labels" . | nindent 4 }}
aggregationRule:
  clusterRoleSelectors:
    - matchLabels:
        sluice.dev/aggregate-to-{{ .component }}: "true"
---
{{ include "sluice.binding" (merge (dict "name" $name) .) }}
{{- with .extraRules }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ $name }}-values
  labels:
    {{- include "sluice.labels" $ | nindent 4 }}
    sluice.dev/aggregate-to-{{ $.component }}: "true"
rules:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

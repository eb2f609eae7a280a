{{/* A name that is short enough. */}}
{{- define "warm-up.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $full := printf "%s-%s" .Release.Name $name | lower -}}
{{- regexReplaceAll "[^a-z\\d-]+" $full "-" | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "warm-up.labels" -}}
{{- if and (hasKey . "customLabels") (hasKey . "context") -}}
{{- $own := dict "app.kubernetes.io/name" "warm-up" "helm.sh/chart" (printf "%s-%s" .context.Chart.Name .context.Chart.Version | replace "+" "_") -}}
{{- with .context.Chart.AppVersion }}{{ $_ := set $own "app.kubernetes.io/version" (. | toString) }}{{ end -}}
{{ template "warm-up.merged" (dict "values" (list .customLabels $own) "scope" .context) }}
{{- end -}}
{{- end -}}

{{- define "warm-up.merged" -}}
{{- $merged := dict -}}
{{- range .values -}}
{{- $merged = include "warm-up.value" (dict "value" . "context" $.scope) | fromYaml | merge $merged -}}
{{- end -}}
{{ $merged | toYaml }}
{{- end -}}

{{- define "warm-up.value" -}}
{{- $value := typeIs "string" .value | ternary .value (.value | toYaml) -}}
{{- if contains "{{" (toJson .value) -}}
{{- tpl $value .context -}}
{{- else -}}
{{- $value -}}
{{- end -}}
{{- end -}}

{{- define "warm-up.image" -}}
{{- $registry := default .root.registry ((.global).imageRegistry) -}}
{{- $tag := .root.tag | toString -}}
{{- if not (regexFind "-r\\d+$|sha256:" $tag) }}{{ fail "no tag" }}{{ end -}}
{{- printf "%s/%s:%s" $registry .root.repository $tag -}}
{{- end -}}

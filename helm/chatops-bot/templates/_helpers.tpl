{{/*
Names. Kubernetes appends to names of workloads (hashes, numbers of pods), so that 40 characters are left for ours, and
a name that is cut bears a hash of the whole, so that two releases with a long beginning in common do not collide.
*/}}
{{- define "chatops-bot.cut" -}}
{{- $name := index . 0 -}}
{{- $length := int (index . 1) -}}
{{- if gt (len $name) $length -}}
{{- printf "%s-%s" ($name | trunc (int (sub $length 7)) | trimSuffix "-") ($name | sha256sum | trunc 6) -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{- define "chatops-bot.name" -}}
{{- include "chatops-bot.cut" (list (default .Chart.Name .Values.nameOverride) 40) -}}
{{- end -}}

{{- define "chatops-bot.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $whole := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- include "chatops-bot.cut" (list (default $whole .Values.fullnameOverride | replace "." "-") 40) -}}
{{- end -}}

{{/* For what lies outside the release's namespace, where a release of the same name may have its own. */}}
{{- define "chatops-bot.outsideName" -}}
{{- include "chatops-bot.cut" (list (printf "%s-%s" .Release.Namespace (include "chatops-bot.fullname" .)) 63) -}}
{{- end -}}

{{- define "chatops-bot.redisName" -}}
{{- printf "%s-redis" (include "chatops-bot.fullname" .) -}}
{{- end -}}

{{- define "chatops-bot.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "chatops-bot.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* What selects pods never changes in the life of a release. Called with (list $ "component"). */}}
{{- define "chatops-bot.selector" -}}
app.kubernetes.io/name: {{ include "chatops-bot.name" (index . 0) | quote }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name | quote }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Labels of pods: nothing that every new version of the chart would change, since that restarts Redis too. */}}
{{- define "chatops-bot.podLabels" -}}
{{ include "chatops-bot.selector" . }}
{{- with (index . 0).Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "chatops-bot.labels" -}}
{{- $root := index . 0 -}}
{{ include "chatops-bot.podLabels" . }}
{{- if ne (index . 1) "redis" }}
app.kubernetes.io/version: {{ include "chatops-bot.cut" (list ($root.Values.image.tag | default $root.Chart.AppVersion) 63) | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ include "chatops-bot.cut" (list (printf "%s-%s" $root.Chart.Name ($root.Chart.Version | replace "+" "_")) 63) }}
{{- end -}}

{{- define "chatops-bot.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
{{- end -}}

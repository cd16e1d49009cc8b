{{/*
What every pod of the bot has in common: those of the Deployment, of CronJobs and of `helm test`.
*/}}
{{- define "chatops-bot.checksums" -}}
checksum/config: {{ include "chatops-bot.configData" . | sha256sum }}
{{- /* Of what stands in the values alone: what has been made up, or lies elsewhere, is not known here. */}}
{{- $given := ternary .Values.redis.bundled.password "" (eq .Values.redis.mode "bundled") -}}
{{- with printf "%s%s" (include "chatops-bot.secretData" .) $given }}
checksum/secret: {{ . | sha256sum }}
{{- end }}
{{- end -}}

{{/* Called with (list $ LEAVE), LEAVE being whether the pod talks to the API server of its own cluster. */}}
{{- define "chatops-bot.podHead" -}}
{{- $root := index . 0 -}}
serviceAccountName: {{ include "chatops-bot.serviceAccountName" $root | quote }}
automountServiceAccountToken: {{ and (index . 1) $root.Values.cluster.enabled }}
enableServiceLinks: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
securityContext: {{- toYaml $root.Values.podSecurityContext | nindent 2 }}
{{- with $root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "chatops-bot.containerHead" -}}
image: {{ include "chatops-bot.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext: {{- toYaml .Values.containerSecurityContext | nindent 2 }}
env:
  - name: CHATOPS_CONFIG
    value: /etc/chatops-bot/config/chatops-bot.yaml
  {{- with .Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumeMounts:
  - name: config
    mountPath: /etc/chatops-bot/config
    readOnly: true
  {{- if .Values.policy }}
  - name: policy
    mountPath: /etc/chatops-bot/policy
    readOnly: true
  {{- end }}
  {{- if .Values.runbooks }}
  - name: runbooks
    mountPath: /etc/chatops-bot/runbooks
    readOnly: true
  {{- end }}
  {{- if include "chatops-bot.secretFiles" . | fromYamlArray }}
  - name: secrets
    mountPath: /etc/chatops-bot/secrets
    readOnly: true
  {{- end }}
  {{- if .Values.remoteClusters }}
  - name: kubeconfigs
    mountPath: /etc/chatops-bot/kubeconfigs
    readOnly: true
  {{- end }}
  {{- if include "chatops-bot.redisTls" . }}
  - name: redis-tls
    mountPath: /etc/chatops-bot/redis-tls
    readOnly: true
  {{- end }}
  {{- if eq .Values.redis.mode "embedded" }}
  - name: data
    mountPath: /var/lib/chatops-bot
  {{- end }}
  - name: tmp
    mountPath: /tmp
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "chatops-bot.volumes" -}}
- name: config
  configMap:
    name: {{ include "chatops-bot.fullname" . }}-config
{{- if .Values.policy }}
- name: policy
  configMap:
    name: {{ include "chatops-bot.fullname" . }}-policy
{{- end }}
{{- if .Values.runbooks }}
- name: runbooks
  configMap:
    name: {{ include "chatops-bot.fullname" . }}-runbooks
    items:
      {{- range $id, $_ := .Values.runbooks }}
      - key: {{ printf "%s.yaml" (replace "/" "." $id) | quote }}
        path: {{ printf "%s.yaml" $id | quote }}
      {{- end }}
{{- end }}
{{- with include "chatops-bot.secretFiles" . | fromYamlArray }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      - secret:
          name: {{ .secret | quote }}
          items:
            - key: {{ .key | quote }}
              path: {{ .file | quote }}
      {{- end }}
{{- end }}
{{- with .Values.remoteClusters }}
- name: kubeconfigs
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      - secret:
          name: {{ .secretName | quote }}
          items:
            - key: {{ .key | default "kubeconfig" | quote }}
              path: {{ .name | quote }}
      {{- end }}
{{- end }}
{{- with include "chatops-bot.redisTls" . }}
- name: redis-tls
  secret:
    secretName: {{ . | quote }}
    defaultMode: 0440
{{- end }}
{{- if eq .Values.redis.mode "embedded" }}
- name: data
  emptyDir: {}
{{- end }}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The Secret with the certificates of an external Redis, or "". */}}
{{- define "chatops-bot.redisTls" -}}
{{- if eq .Values.redis.mode "external" -}}{{- .Values.redis.external.tls.existingSecret -}}{{- end -}}
{{- end -}}

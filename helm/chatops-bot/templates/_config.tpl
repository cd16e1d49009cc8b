{{/*
Secrets as files. A YAML list of {file, setting, secret, key}: what lies where in the pods, which setting names it,
and the Secret that it comes from. What stands in the values goes into a Secret of the release.
*/}}
{{- define "chatops-bot.secretFiles" -}}
{{- $own := include "chatops-bot.fullname" . -}}
{{- range $entry := include "chatops-bot.wantedSecrets" . | fromYamlArray }}
- file: {{ $entry.file }}
  setting: {{ $entry.setting }}
  secret: {{ ternary $own $entry.existing (not (empty $entry.value)) | quote }}
  key: {{ ternary $entry.file $entry.key (not (empty $entry.value)) | quote }}
{{- end }}
{{- if eq .Values.redis.mode "bundled" }}
- file: redis-password
  setting: store.password_file
  secret: {{ default (include "chatops-bot.redisName" .) .Values.redis.bundled.existingSecret | quote }}
  key: {{ .Values.redis.bundled.passwordKey | quote }}
{{- end }}
{{- end -}}

{{/* All but the bundled Redis's password: what is wanted by the configuration, with its value or where it exists. */}}
{{- define "chatops-bot.wantedSecrets" -}}
{{- $wanted := list -}}
{{- range $platform, $names := include "chatops-bot.platformSecrets" . | fromYaml -}}
{{- $given := get $.Values $platform -}}
{{- range $names -}}
{{- $wanted = append $wanted (dict "file" (printf "%s-%s" $platform (kebabcase .)) "setting" (printf "%s.%s_file" $platform (snakecase .)) "value" (get $given .) "existing" $given.existingSecret "key" (get $given.keys .)) -}}
{{- end -}}
{{- end -}}
{{- $alerts := .Values.config.alerts | default dict -}}
{{- if and $alerts.enabled (not $alerts.unauthenticated) -}}
{{- $name := ternary "password" "token" (not (empty $alerts.username)) -}}
{{- $wanted = append $wanted (dict "file" (printf "alerts-%s" $name) "setting" (printf "alerts.%s_file" $name) "value" (get .Values.alerts $name) "existing" .Values.alerts.existingSecret "key" (get .Values.alerts.keys $name)) -}}
{{- end -}}
{{- $model := .Values.config.model | default dict -}}
{{- if and $model.name (or .Values.model.key .Values.model.existingSecret) -}}
{{- $wanted = append $wanted (dict "file" "model-key" "setting" "model.key_file" "value" .Values.model.key "existing" .Values.model.existingSecret "key" .Values.model.keys.key) -}}
{{- end -}}
{{- with .Values.redis.external -}}
{{- if eq $.Values.redis.mode "external" -}}
{{- if or .urlKey (include "chatops-bot.secretUrl" $) -}}
{{- $wanted = append $wanted (dict "file" "redis-url" "setting" "store.url_file" "value" (include "chatops-bot.secretUrl" $) "existing" .existingSecret "key" .urlKey) -}}
{{- end -}}
{{- if or .password .passwordKey -}}
{{- $wanted = append $wanted (dict "file" "redis-password" "setting" "store.password_file" "value" .password "existing" .existingSecret "key" .passwordKey) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $wanted -}}
{{- end -}}

{{/* Names of the secrets that each chat platform wants, by platform: those of the ways in that are switched on. */}}
{{- define "chatops-bot.platformSecrets" -}}
{{- $slack := .Values.config.slack | default dict -}}
{{- $feishu := .Values.config.feishu | default dict -}}
{{- $wecom := .Values.config.wecom | default dict -}}
{{- $names := dict -}}
{{- if $slack.enabled -}}
{{- $_ := set $names "slack" (list "botToken" (ternary "signingSecret" "appToken" (eq ($slack.mode | default "socket") "http"))) -}}
{{- end -}}
{{- if $feishu.enabled -}}
{{- $_ := set $names "feishu" (ternary (list "appSecret" "encryptKey" "verificationToken") (list "appSecret") (eq ($feishu.mode | default "connection") "webhook")) -}}
{{- end -}}
{{- if $wecom.enabled -}}
{{- $application := ternary (list "appSecret" "appToken" "appAesKey") list (gt (int $wecom.agent_id) 0) -}}
{{- $robot := get (dict "socket" (list "botSecret") "http" (list "botToken" "botAesKey")) ($wecom.bot_mode | default "off") | default list -}}
{{- $_ := set $names "wecom" (concat $application $robot) -}}
{{- end -}}
{{- toYaml $names -}}
{{- end -}}

{{/* The address of an external Redis as it stands in the values, with where its certificates are mounted. */}}
{{- define "chatops-bot.externalUrl" -}}
{{- with .Values.redis.external -}}
{{- $url := .url -}}
{{- if and $url .tls.existingSecret -}}
{{- $options := list -}}
{{- range $option, $key := dict "ssl_ca_certs" .tls.caKey "ssl_certfile" .tls.certKey "ssl_keyfile" .tls.keyKey -}}
{{- if $key -}}
{{- $options = append $options (printf "%s=/etc/chatops-bot/redis-tls/%s" $option $key) -}}
{{- end -}}
{{- end -}}
{{- $url = printf "%s%s%s" $url (ternary "&" "?" (contains "?" $url)) (join "&" $options) -}}
{{- end -}}
{{- $url -}}
{{- end -}}
{{- end -}}

{{/* The same where it may hold a password, and so belongs into a Secret; else "". */}}
{{- define "chatops-bot.secretUrl" -}}
{{- $url := include "chatops-bot.externalUrl" . -}}
{{- if or (contains "@" $url) (contains "password=" $url) -}}{{- $url -}}{{- end -}}
{{- end -}}

{{/* The bot's configuration file: what the values say, with what the chart knows laid over it. */}}
{{- define "chatops-bot.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- $clusters := list -}}
{{- with .Values.cluster -}}
{{- if .enabled -}}
{{- $entry := dict "name" .name "in_cluster" true -}}
{{- with $.Values.namespaces -}}{{- $_ := set $entry "namespaces" . -}}{{- end -}}
{{- with .environment -}}{{- $_ := set $entry "environment" . -}}{{- end -}}
{{- if not .events -}}{{- $_ := set $entry "events" false -}}{{- end -}}
{{- with .impersonate -}}{{- $_ := set $entry "impersonate" . -}}{{- end -}}
{{- $clusters = append $clusters $entry -}}
{{- end -}}
{{- end -}}
{{- range .Values.remoteClusters -}}
{{- $entry := dict "name" .name "kubeconfig" (printf "/etc/chatops-bot/kubeconfigs/%s" .name) -}}
{{- with .context -}}{{- $_ := set $entry "context" . -}}{{- end -}}
{{- with .namespaces -}}{{- $_ := set $entry "namespaces" . -}}{{- end -}}
{{- with .environment -}}{{- $_ := set $entry "environment" . -}}{{- end -}}
{{- if hasKey . "events" -}}{{- $_ := set $entry "events" .events -}}{{- end -}}
{{- with .impersonate -}}{{- $_ := set $entry "impersonate" . -}}{{- end -}}
{{- $clusters = append $clusters $entry -}}
{{- end -}}
{{- with $clusters -}}{{- $_ := set $config "clusters" . -}}{{- end -}}
{{- $store := $config.store | default dict -}}
{{- if eq .Values.redis.mode "bundled" -}}
{{- $_ := set $store "url" (printf "redis://%s:6379/0" (include "chatops-bot.redisName" .)) -}}
{{- else if eq .Values.redis.mode "embedded" -}}
{{- $_ := set $store "directory" "/var/lib/chatops-bot" -}}
{{- else if and .Values.redis.external.url (not (include "chatops-bot.secretUrl" .)) -}}
{{- $_ := set $store "url" (include "chatops-bot.externalUrl" .) -}}
{{- end -}}
{{- $_ := set $config "store" $store -}}
{{- range include "chatops-bot.secretFiles" . | fromYamlArray -}}
{{- $section := index (splitList "." .setting) 0 -}}
{{- $part := get $config $section | default dict -}}
{{- $_ := set $part (index (splitList "." .setting) 1) (printf "/etc/chatops-bot/secrets/%s" .file) -}}
{{- $_ := set $config $section $part -}}
{{- end -}}
{{- if .Values.policy -}}{{- $_ := set $config "policy_file" "/etc/chatops-bot/policy/policy.yaml" -}}{{- end -}}
{{- if .Values.services -}}{{- $_ := set $config "catalog_file" "/etc/chatops-bot/config/services.yaml" -}}{{- end -}}
{{- if .Values.runbooks -}}
{{- $runbooks := $config.runbooks | default dict -}}
{{- $_ := set $runbooks "folders" (append ($runbooks.folders | default list) "/etc/chatops-bot/runbooks") -}}
{{- $_ := set $config "runbooks" $runbooks -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{/* What the bot reads only when it starts. */}}
{{- define "chatops-bot.configData" -}}
chatops-bot.yaml: |
  {{- include "chatops-bot.config" . | nindent 2 }}
{{- with .Values.services }}
services.yaml: |
  {{- dict "services" . | toYaml | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The release's own Secret: what stands in the values, by file. */}}
{{- define "chatops-bot.secretData" -}}
{{- range include "chatops-bot.wantedSecrets" . | fromYamlArray }}
{{- if .value }}
{{ .file }}: {{ .value | b64enc | quote }}
{{- end }}
{{- end }}
{{- end -}}

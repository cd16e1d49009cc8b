{{/* What a schema cannot say: how values go together. All that is wrong is told at once. */}}
{{- define "chatops-bot.validate" -}}
{{- $wrong := list -}}
{{- $config := .Values.config -}}
{{- $feishu := $config.feishu | default dict -}}
{{- $wecom := $config.wecom | default dict -}}
{{- $console := $config.console | default dict -}}
{{- $external := .Values.redis.external -}}
{{- range $labels := list "commonLabels" "podLabels" -}}
{{- range $label := list "name" "instance" "component" -}}
{{- if hasKey (get $.Values $labels | default dict) (printf "app.kubernetes.io/%s" $label) -}}
{{- $wrong = append $wrong (printf "%s replaces app.kubernetes.io/%s, by which the chart finds its pods: take it away" $labels $label) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.cluster.enabled .Values.rbac.create (not .Values.clusterWide) (not .Values.namespaces) -}}
{{- $wrong = append $wrong "say where the bot may look: list namespaces, or set clusterWide: true for all of them" -}}
{{- end -}}
{{- $onNodes := list -}}
{{- range list "cordon" "uncordon" "drain" -}}{{- if has . $.Values.actions -}}{{- $onNodes = append $onNodes . -}}{{- end -}}{{- end -}}
{{- if and $onNodes .Values.cluster.enabled (not (and .Values.clusterWide (not .Values.namespaces) .Values.nodes.read)) -}}
{{- $wrong = append $wrong (printf "%s: nodes are in no namespace, and what runs on them is of any: set clusterWide: true without namespaces, and nodes.read: true, or take them out of actions" (join ", " $onNodes)) -}}
{{- end -}}
{{- if not (or .Values.cluster.enabled .Values.remoteClusters) -}}
{{- $wrong = append $wrong "there is no cluster to look at: set cluster.enabled: true, or list remoteClusters" -}}
{{- end -}}
{{- $names := ternary (list .Values.cluster.name) list .Values.cluster.enabled -}}
{{- range .Values.remoteClusters -}}{{- $names = append $names .name -}}{{- end -}}
{{- if ne (len $names) (len (uniq $names)) -}}
{{- $wrong = append $wrong (printf "names of clusters must differ: %s" (join ", " $names)) -}}
{{- end -}}
{{- if and (eq .Values.redis.mode "embedded") (gt (int .Values.replicaCount) 1) -}}
{{- $wrong = append $wrong (printf "replicaCount is %d, but there is no store that replicas could share: set redis.mode to bundled or external, or replicaCount to 1" (int .Values.replicaCount)) -}}
{{- end -}}
{{- if eq .Values.redis.mode "external" -}}
{{- if not (or $external.url $external.urlKey) -}}
{{- $wrong = append $wrong "redis.mode is external, but no Redis is named: set redis.external.url, or existingSecret with urlKey" -}}
{{- end -}}
{{- if and $external.url $external.urlKey -}}
{{- $wrong = append $wrong "redis.external.url and redis.external.urlKey both say where Redis is; keep one" -}}
{{- end -}}
{{- if and (or $external.urlKey $external.passwordKey) (not $external.existingSecret) -}}
{{- $wrong = append $wrong "redis.external.existingSecret is missing: urlKey and passwordKey are keys of that Secret" -}}
{{- end -}}
{{- if and $external.password $external.passwordKey -}}
{{- $wrong = append $wrong "redis.external.password and redis.external.passwordKey are both set; keep one" -}}
{{- end -}}
{{- else if or $external.url $external.existingSecret -}}
{{- $wrong = append $wrong (printf "redis.external names a Redis, but redis.mode is %s: set redis.mode: external, or take it away" .Values.redis.mode) -}}
{{- end -}}
{{- if and $external.url (not (regexMatch "^(redis|rediss|sentinel|cluster)://" $external.url)) -}}
{{- $wrong = append $wrong "redis.external.url must begin with redis://, rediss://, sentinel:// or cluster://" -}}
{{- end -}}
{{- if regexMatch "[\\s\"'\\\\]" .Values.redis.bundled.password -}}
{{- $wrong = append $wrong "redis.bundled.password must have no spaces, quotes and backslashes in it" -}}
{{- end -}}
{{- range $name, $begins := dict "botToken" "xoxb-" "appToken" "xapp-" -}}
{{- if not (hasPrefix $begins (get $.Values.slack $name | default $begins)) -}}
{{- $wrong = append $wrong (printf "slack.%s does not begin with %s, so it is another token" $name $begins) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.cronJobs (eq .Values.redis.mode "embedded") -}}
{{- $wrong = append $wrong "cronJobs have nothing to work on: with redis.mode embedded the store is inside the bot's pod" -}}
{{- end -}}
{{- if and .Values.settle.enabled (hasKey (.Values.cronJobs | default dict) "settle") -}}
{{- $wrong = append $wrong "cronJobs.settle has the name of what the value settle makes: take it away, or set settle.enabled: false" -}}
{{- end -}}
{{- range include "chatops-bot.wantedSecrets" . | fromYamlArray -}}
{{- $section := index (splitList "." .setting) 0 -}}
{{- if ne $section "store" -}}
{{- $name := index (splitList "-" .file) 1 -}}
{{- if has $section (list "slack" "feishu" "wecom") -}}{{- $name = index (splitList "." .setting) 1 | trimSuffix "_file" | camelcase | untitle -}}{{- end -}}
{{- if not (or .value .existing) -}}
{{- $wrong = append $wrong (printf "config.%s is enabled, but nothing gives its %s: set %s.existingSecret (recommended) or %s.%s" $section $name $section $section $name) -}}
{{- end -}}
{{- if and .value .existing -}}
{{- $wrong = append $wrong (printf "%s.existingSecret and %s.%s are both set; keep one" $section $section $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $console.enabled (gt (int .Values.replicaCount) 1) -}}
{{- $wrong = append $wrong "the console lives in one process: set replicaCount to 1 while config.console.enabled" -}}
{{- end -}}
{{- if and $wecom.enabled (eq ($wecom.bot_mode | default "off") "socket") (gt (int .Values.replicaCount) 1) -}}
{{- $wrong = append $wrong "WeCom keeps one connection a robot: set replicaCount to 1 while config.wecom.bot_mode is socket, or use http" -}}
{{- end -}}
{{- if and $feishu.enabled (not $feishu.app_id) -}}
{{- $wrong = append $wrong "config.feishu is enabled, but its app is not named: set config.feishu.app_id" -}}
{{- end -}}
{{- if and $wecom.enabled (not (or (gt (int $wecom.agent_id) 0) (ne ($wecom.bot_mode | default "off") "off"))) -}}
{{- $wrong = append $wrong "config.wecom is enabled, but there is nobody to talk to: set config.wecom.agent_id for the application, or config.wecom.bot_mode for the robot" -}}
{{- end -}}
{{- if .Values.ingress.enabled -}}
{{- if not (include "chatops-bot.ingressPaths" . | fromYamlArray) -}}
{{- $wrong = append $wrong "ingress.enabled, but nothing is called from outside: set config.slack.mode: http, config.feishu.mode: webhook, config.wecom.agent_id or config.wecom.bot_mode: http, or ingress.alerts: true with config.alerts.enabled" -}}
{{- end -}}
{{- end -}}
{{- if $wrong -}}
{{- printf "\n\nThe values of chatops-bot do not go together:\n- %s\n" (join "\n- " $wrong) | fail -}}
{{- end -}}
{{- end -}}

{{/* The paths that an Ingress may open; never those of probes and metrics. */}}
{{- define "chatops-bot.ingressPaths" -}}
{{- $slack := .Values.config.slack | default dict -}}
{{- $feishu := .Values.config.feishu | default dict -}}
{{- $wecom := .Values.config.wecom | default dict -}}
{{- $alerts := .Values.config.alerts | default dict -}}
{{- $paths := list -}}
{{- if and $slack.enabled (eq ($slack.mode | default "socket") "http") -}}{{- $paths = append $paths "/slack/events" -}}{{- end -}}
{{- $modes := list ($feishu.mode | default "connection") -}}
{{- range $feishu.further_apps -}}{{- $modes = append $modes (.mode | default "connection") -}}{{- end -}}
{{- if and $feishu.enabled (has "webhook" $modes) -}}{{- $paths = append $paths "/feishu/events" -}}{{- end -}}
{{- if and $wecom.enabled (gt (int $wecom.agent_id) 0) -}}{{- $paths = append $paths "/wecom/app" -}}{{- end -}}
{{- if and $wecom.enabled (eq ($wecom.bot_mode | default "off") "http") -}}{{- $paths = append $paths "/wecom/robot" -}}{{- end -}}
{{- if and $alerts.enabled .Values.ingress.alerts -}}{{- $paths = append $paths "/alerts" -}}{{- end -}}
{{- toYaml $paths -}}
{{- end -}}

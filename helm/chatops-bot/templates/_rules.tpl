{{/* Whether anybody may change anything: without a policy, and with read_only, the bot refuses every change, so that it
gets no leave to write either. "true" or "". */}}
{{- define "chatops-bot.writing" -}}
{{- if and .Values.policy (not .Values.config.read_only) -}}true{{- end -}}
{{- end -}}

{{/* The policy, without the actions that are switched off: leave to patch a workload is the same for several of them, so
that the API server alone could not refuse one. A rule that is left without any goes. */}}
{{- define "chatops-bot.policy" -}}
{{- $on := .Values.actions -}}
{{- $known := keys (.Files.Get "files/permissions.yaml" | fromYaml).actions -}}
{{- $policy := deepCopy .Values.policy -}}
{{- if ne (len (uniq $on)) (len $known) -}}
{{- $rules := list -}}
{{- range $rule := $policy.rules -}}
{{- $named := ternary $rule.actions (list "*") (kindIs "slice" $rule.actions) -}}
{{- $kept := list -}}
{{- range $named -}}
{{- if eq . "*" -}}
{{- $kept = concat $kept $on -}}
{{- else if or (has . $on) (not (has . $known)) -}}
{{- $kept = append $kept . -}}
{{- end -}}
{{- end -}}
{{- if $kept -}}
{{- $rules = append $rules (set $rule "actions" (uniq $kept)) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $policy "rules" $rules -}}
{{- end -}}
{{- toYaml $policy -}}
{{- end -}}

{{/* The rules of everything that is switched on, as YAML. Called with (list $ "namespaced" "cluster" …), the places. */}}
{{- define "chatops-bot.rules" -}}
{{- $root := index . 0 -}}
{{- $permissions := $root.Files.Get "files/permissions.yaml" | fromYaml -}}
{{- $parts := list $permissions.reading $permissions.watching -}}
{{- if $root.Values.nodes.read -}}
{{- $parts = append $parts $permissions.nodes -}}
{{- end -}}
{{- if $root.Values.configMaps.read -}}
{{- $parts = append $parts $permissions.configMaps -}}
{{- end -}}
{{- if $root.Values.rollouts.enabled -}}
{{- $parts = append $parts $permissions.rollouts -}}
{{- end -}}
{{- if include "chatops-bot.writing" $root -}}
{{- if and $root.Values.cluster.events $root.Values.actions -}}
{{- $parts = append $parts $permissions.events -}}
{{- end -}}
{{- range $root.Values.actions -}}
{{- $parts = append $parts (get $permissions.actions .) -}}
{{- end -}}
{{- end -}}
{{- $rules := list -}}
{{- range $place := rest . -}}
{{- range $part := $parts -}}
{{- $rules = concat $rules (get $part $place | default list) -}}
{{- if and $root.Values.rollouts.enabled (eq $place "namespaced") -}}
{{- $rules = concat $rules (get $part "rollouts" | default list) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- include "chatops-bot.merged" $rules -}}
{{- end -}}

{{/* Users or groups (the second of the list) that the bot may impersonate, as a JSON list: exact names, never all. */}}
{{- define "chatops-bot.impersonated" -}}
{{- $root := index . 0 -}}
{{- $people := ($root.Values.cluster.impersonate | default dict).people | default dict -}}
{{- $names := get $root.Values.rbac.impersonate (index . 1) -}}
{{- if include "chatops-bot.writing" $root -}}
{{- range $person, $actor := $people -}}
{{- if eq (index $ 1) "users" -}}
{{- $names = append $names $actor.user -}}
{{- else -}}
{{- $names = concat $names ($actor.groups | default list) -}}
{{- end -}}
{{- end -}}
{{- $names | uniq | sortAlpha | toJson -}}
{{- else -}}
[]
{{- end -}}
{{- end -}}

{{/* One rule for the resources of a group that have the same verbs. */}}
{{- define "chatops-bot.merged" -}}
{{- $verbs := dict -}}
{{- range $rule := . -}}
{{- range $group := $rule.apiGroups -}}
{{- range $resource := $rule.resources -}}
{{- $key := printf "%s|%s" $group $resource -}}
{{- $_ := set $verbs $key (concat (get $verbs $key | default list) $rule.verbs | uniq | sortAlpha) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $resources := dict -}}
{{- range $key := keys $verbs | sortAlpha -}}
{{- $group := index (splitList "|" $key) 0 -}}
{{- $same := printf "%s|%s" $group (get $verbs $key | join ",") -}}
{{- $_ := set $resources $same (append (get $resources $same | default list) (index (splitList "|" $key) 1)) -}}
{{- end -}}
{{- range $same := keys $resources | sortAlpha }}
- apiGroups: [{{ index (splitList "|" $same) 0 | quote }}]
  resources: [{{ get $resources $same | join ", " }}]
  verbs: [{{ index (splitList "|" $same) 1 | replace "," ", " }}]
{{- end -}}
{{- end -}}

{{- define "chatops-bot.subjects" -}}
- kind: ServiceAccount
  name: {{ include "chatops-bot.serviceAccountName" . | quote }}
  namespace: {{ .Release.Namespace | quote }}
{{- end -}}

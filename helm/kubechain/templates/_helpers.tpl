{{- define "kubechain.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "kubechain.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "kubechain.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "kubechain.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "kubechain.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "kubechain.selector" . }}
{{- end -}}

{{- define "kubechain.selector" -}}
app.kubernetes.io/name: {{ include "kubechain.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* All topologies that run, as JSON list: two while one is changed for the other. */}}
{{- define "kubechain.topologies" -}}
{{- list .Values.topology .Values.formerTopology | compact | uniq | toJson -}}
{{- end -}}

{{/* What pods have in common that serve the chain's port, in either topology. */}}
{{- define "kubechain.front" -}}
kubechain/front: "true"
{{- end -}}

{{- define "kubechain.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* Name of a Secret: (list $ "kubeApiserver"). */}}
{{- define "kubechain.secret" -}}
{{- $root := index . 0 -}}
{{- $key := index . 1 -}}
{{- $suffix := index (dict "ca" "ca" "frontProxyCA" "front-proxy-ca" "etcdCA" "etcd-ca" "aggregator" "aggregator-tls" "kubeApiserver" "kube-apiserver-tls" "apiextensions" "apiextensions-tls" "aggregatorClient" "aggregator-client" "kubeApiserverClient" "kube-apiserver-client" "etcd" "etcd-tls" "etcdClient" "etcd-client" "controllersClient" "controllers-client" "serviceAccount" "service-account" "admin" "admin") $key -}}
{{- index $root.Values.certificates.secretNames $key | default (printf "%s-%s" (include "kubechain.fullname" $root) $suffix) -}}
{{- end -}}

{{/* Name of a Service inside of the cluster: (list $ "kube-apiserver"); "" is the chain's own. */}}
{{- define "kubechain.host" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $full := include "kubechain.fullname" $root -}}
{{- printf "%s.%s.svc" (ternary $full (printf "%s-%s" $full $component) (eq $component "")) $root.Release.Namespace -}}
{{- end -}}

{{- define "kubechain.adminServer" -}}
{{- .Values.admin.server | default (printf "https://%s:%v" (include "kubechain.host" (list . "")) .Values.service.port) -}}
{{- end -}}

{{/* Flags as JSON list: (list (dict "a" "b") (dict "a" "c")): later ones win, null takes one away. */}}
{{- define "kubechain.flags" -}}
{{- $flags := dict -}}
{{- range . -}}{{- range $name, $value := . -}}{{- $_ := set $flags $name $value -}}{{- end -}}{{- end -}}
{{- $args := list -}}
{{- range $name, $value := $flags -}}
{{- if kindIs "slice" $value -}}
{{- range $value -}}{{- $args = append $args (printf "--%s=%v" $name .) -}}{{- end -}}
{{- else if not (kindIs "invalid" $value) -}}
{{- $whole := and (kindIs "float64" $value) (eq (floor $value) $value) -}}
{{- $args = append $args (printf "--%s=%v" $name (ternary (int64 $value) $value $whole)) -}}
{{- end -}}
{{- end -}}
{{- toJson $args -}}
{{- end -}}

{{/* First address of the first range, which Service `kubernetes` of the chain has; Kubernetes' own rule. */}}
{{- define "kubechain.firstAddress" -}}
{{- $network := . | splitList "," | first | splitList "/" | first -}}
{{- if contains ":" $network -}}
{{- printf "%s1" $network -}}
{{- else -}}
{{- $parts := splitList "." $network -}}
{{- printf "%s.%d" (join "." (initial $parts)) (add1 (last $parts | int)) -}}
{{- end -}}
{{- end -}}

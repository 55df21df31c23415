{{/* What differs between the servers. Keys are those of the values. */}}
{{- define "kubechain.servers" -}}
aggregator: {name: aggregator, place: 1, next: kubeApiserver, client: aggregatorClient, previousName: front-proxy-client}
kubeApiserver: {name: kube-apiserver, place: 2, next: apiextensions, client: kubeApiserverClient, previousName: front-proxy-client}
apiextensions: {name: apiextensions, place: 3, previousName: front-proxy-kube-apiserver}
{{- end -}}

{{/*
How long a server goes on serving when it is told to stop: (list "5s" place). All are told at about the same time, and
those in front need the ones behind them until they have ended. Durations can only be added to dates.
*/}}
{{- define "kubechain.shutdownDelay" -}}
{{- $duration := index . 0 -}}
{{- $began := toDate "2006-01-02" "2000-01-01" -}}
{{- $ended := $began -}}
{{- range until (index . 1 | int) }}{{ $ended = dateModify $duration $ended }}{{ end -}}
{{- if eq (index . 1 | int) 1 }}{{ $duration }}{{ else }}{{ printf "%ds" (sub (unixEpoch $ended) (unixEpoch $began)) }}{{ end -}}
{{- end -}}

{{/* Flags of one server as JSON list: (list $ "kubeApiserver" "pods"). */}}
{{- define "kubechain.serverArgs" -}}
{{- $root := index . 0 -}}
{{- $key := index . 1 -}}
{{- $pods := eq (index . 2) "pods" -}}
{{- $v := $root.Values -}}
{{- $servers := include "kubechain.servers" $root | fromYaml -}}
{{- $server := index $servers $key -}}
{{- $values := index $v $key -}}
{{- $pki := "/etc/kubechain/pki" -}}
{{- $host := $v.bindAddress -}}
{{- if contains ":" $host }}{{ $host = printf "[%s]" $host }}{{ end -}}
{{- $flags := dict
  "bind-address" $v.bindAddress
  "secure-port" $values.port
  "tls-cert-file" (printf "%s/tls.crt" $pki)
  "tls-private-key-file" (printf "%s/tls.key" $pki)
  "client-ca-file" (printf "%s/ca.crt" $pki)
  "requestheader-client-ca-file" (printf "%s/front-proxy-ca.crt" $pki)
  "requestheader-allowed-names" $server.previousName
  "requestheader-username-headers" "X-Remote-User"
  "requestheader-uid-headers" "X-Remote-Uid"
  "requestheader-group-headers" "X-Remote-Group"
  "requestheader-extra-headers-prefix" "X-Remote-Extra-"
  "token-auth-file" (printf "%s/tokens.csv" $pki)
  "service-account-issuer" $v.serviceAccountIssuer
  "service-account-key-file" (printf "%s/sa.pub" $pki)
  "authorization-mode" $v.authorizationMode
  "shutdown-delay-duration" (include "kubechain.shutdownDelay" (list $v.shutdownDelay $server.place))
  "etcd-prefix" $v.store.prefix
  "v" $v.verbosity
  "logging-format" $v.loggingFormat
-}}
{{- if eq $v.store.kind "embedded" -}}
{{- $_ := set $flags "etcd-servers" (printf "https://%s:%v" (include "kubechain.host" (list $root "etcd")) $v.store.embedded.port) -}}
{{- else -}}
{{- $_ := set $flags "etcd-servers" (required "store.external.endpoints: where is etcd?" (join "," $v.store.external.endpoints)) -}}
{{- end -}}
{{- if or (eq $v.store.kind "embedded") $v.store.external.secretName -}}
{{- $_ := set $flags "etcd-cafile" (printf "%s/etcd-ca.crt" $pki) -}}
{{- $_ := set $flags "etcd-certfile" (printf "%s/etcd-client.crt" $pki) -}}
{{- $_ := set $flags "etcd-keyfile" (printf "%s/etcd-client.key" $pki) -}}
{{- end -}}
{{- if eq $key "kubeApiserver" -}}
{{- $service := printf "$(%s_SERVICE_HOST)" (include "kubechain.fullname" $root | replace "-" "_" | upper) -}}
{{- $_ := set $flags "advertise-address" ($v.advertiseAddress | default $service) -}}
{{- $_ := set $flags "external-hostname" (include "kubechain.host" (list $root "")) -}}
{{- $_ := set $flags "kubernetes-service-port" $v.service.port -}}
{{- $_ := set $flags "service-cluster-ip-range" $v.serviceClusterIPRange -}}
{{- $_ := set $flags "service-node-port-range" $v.serviceNodePortRange -}}
{{- $_ := set $flags "service-account-signing-key-file" (printf "%s/sa.key" $pki) -}}
{{- $_ := set $flags "allow-privileged" true -}}
{{- end -}}
{{- if or (eq $key "aggregator") (and $pods $server.next) -}}
{{- $_ := set $flags "proxy-client-cert-file" (printf "%s/front-proxy-client.crt" $pki) -}}
{{- $_ := set $flags "proxy-client-key-file" (printf "%s/front-proxy-client.key" $pki) -}}
{{- end -}}
{{- if $server.next -}}
{{- $next := index $servers $server.next -}}
{{- if $pods -}}
{{- $_ := set $flags "delegate" (printf "https://%s:%v" (include "kubechain.host" (list $root $next.name)) (index $v $server.next).delegatePort) -}}
{{- $_ := set $flags "delegate-ca-file" (printf "%s/ca.crt" $pki) -}}
{{- else -}}
{{- $_ := set $flags "delegate" (printf "unix:/run/kubechain/%s.sock" $next.name) -}}
{{- end -}}
{{- end -}}
{{- if ne $key "aggregator" -}}
{{- $_ := set $flags "delegate-listen" (ternary (printf "https://%s:%v" $host $values.delegatePort) (printf "unix:/run/kubechain/%s.sock" $server.name) $pods) -}}
{{- end -}}
{{- include "kubechain.flags" (list $flags $v.extraArgs $values.extraArgs) -}}
{{- end -}}

{{/* What Node is started with, as JSON list: (list values name sourcePackage args). */}}
{{- define "kubechain.nodeArgs" -}}
{{- $values := index . 0 -}}
{{- $args := $values.nodeArgs -}}
{{- if $values.inspect.enabled }}{{ $args = append $args (printf "--inspect=127.0.0.1:%v" $values.inspect.port) }}{{ end -}}
{{- $args = append $args (ternary (printf "/kubechain/packages/%s/src/main.ts" (index . 2)) (printf "/kubechain/dist/%s.mjs" (index . 1)) $values.sources) -}}
{{- toJson (concat $args (index . 3)) -}}
{{- end -}}

{{/* One server as container: (list $ "aggregator" "pods"). */}}
{{- define "kubechain.serverContainer" -}}
{{- $root := index . 0 -}}
{{- $key := index . 1 -}}
{{- $pods := eq (index . 2) "pods" -}}
{{- $v := $root.Values -}}
{{- $server := index (include "kubechain.servers" $root | fromYaml) $key -}}
{{- $values := index $v $key -}}
{{- $args := include "kubechain.serverArgs" . | fromJsonArray -}}
- name: {{ $server.name }}
  image: {{ include "kubechain.image" $root }}
  imagePullPolicy: {{ $v.image.pullPolicy }}
  command: [node]
  args:
    {{- toYaml (include "kubechain.nodeArgs" (list $values $server.name $server.name $args) | fromJsonArray) | nindent 4 }}
  {{- with $values.extraEnv }}
  env:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    - {name: {{ eq $key "aggregator" | ternary "https" (eq $key "kubeApiserver" | ternary "https-kas" "https-ext") }}, containerPort: {{ $values.port }}}
    {{- if and $pods (ne $key "aggregator") }}
    - {name: delegate, containerPort: {{ $values.delegatePort }}}
    {{- end }}
  {{- $probe := dict "periodSeconds" $v.probes.periodSeconds "timeoutSeconds" $v.probes.timeoutSeconds "failureThreshold" $v.probes.failureThreshold }}
  startupProbe:
    httpGet: {path: /livez, port: {{ $values.port }}, scheme: HTTPS}
    periodSeconds: 2
    timeoutSeconds: {{ $v.probes.timeoutSeconds }}
    failureThreshold: {{ $v.probes.startupFailureThreshold }}
  {{- if not $values.inspect.enabled }}
  # Not with a debugger: who stands at a breakpoint would be killed for it.
  livenessProbe:
    httpGet: {path: /livez, port: {{ $values.port }}, scheme: HTTPS}
    {{- toYaml $probe | nindent 4 }}
  {{- end }}
  readinessProbe:
    httpGet: {path: /readyz, port: {{ $values.port }}, scheme: HTTPS}
    {{- toYaml (omit $probe "failureThreshold") | nindent 4 }}
    failureThreshold: 2
  resources:
    {{- toYaml $values.resources | nindent 4 }}
  securityContext:
    {{- toYaml $v.securityContext | nindent 4 }}
  volumeMounts:
    - {name: pki-{{ $server.name }}, mountPath: /etc/kubechain/pki, readOnly: true}
    - {name: tmp, mountPath: /tmp}
    {{- if not $pods }}
    - {name: run, mountPath: /run/kubechain}
    {{- end }}
    {{- with $values.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{/* The volumes that one server alone needs: (list $ "aggregator" "pods"). */}}
{{- define "kubechain.serverVolumes" -}}
{{- $root := index . 0 -}}
{{- $key := index . 1 -}}
{{- $pods := eq (index . 2) "pods" -}}
{{- $v := $root.Values -}}
{{- $server := index (include "kubechain.servers" $root | fromYaml) $key -}}
- name: pki-{{ $server.name }}
  projected:
    defaultMode: 0440
    sources:
      - secret: {name: {{ include "kubechain.secret" (list $root $key) }}, items: [{key: tls.crt, path: tls.crt}, {key: tls.key, path: tls.key}]}
      - secret: {name: {{ include "kubechain.secret" (list $root "ca") }}, items: [{key: tls.crt, path: ca.crt}]}
      - secret: {name: {{ include "kubechain.secret" (list $root "frontProxyCA") }}, items: [{key: tls.crt, path: front-proxy-ca.crt}]}
      {{- if or (eq $key "aggregator") (and $server.client $pods) }}
      - secret: {name: {{ include "kubechain.secret" (list $root $server.client) }}, items: [{key: tls.crt, path: front-proxy-client.crt}, {key: tls.key, path: front-proxy-client.key}]}
      {{- end }}
      - secret: {name: {{ include "kubechain.secret" (list $root "serviceAccount") }}, items: [{key: sa.pub, path: sa.pub}{{ if eq $key "kubeApiserver" }}, {key: sa.key, path: sa.key}{{ end }}]}
      - secret: {name: {{ include "kubechain.secret" (list $root "admin") }}, items: [{key: tokens.csv, path: tokens.csv}]}
      {{- if eq $v.store.kind "embedded" }}
      - secret: {name: {{ include "kubechain.secret" (list $root "etcdCA") }}, items: [{key: tls.crt, path: etcd-ca.crt}]}
      - secret: {name: {{ include "kubechain.secret" (list $root "etcdClient") }}, items: [{key: tls.crt, path: etcd-client.crt}, {key: tls.key, path: etcd-client.key}]}
      {{- else if $v.store.external.secretName }}
      - secret: {name: {{ $v.store.external.secretName }}, items: [{key: ca.crt, path: etcd-ca.crt}, {key: tls.crt, path: etcd-client.crt}, {key: tls.key, path: etcd-client.key}]}
      {{- end }}
{{- with (index $v $key).extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* What all pods have in common, besides containers and volumes: (list $ selectorLabels). */}}
{{- define "kubechain.podSettings" -}}
{{- $v := (index . 0).Values -}}
{{- $labels := index . 1 -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: {{ $v.terminationGracePeriodSeconds }}
securityContext:
  {{- toYaml $v.podSecurityContext | nindent 2 }}
{{- with $v.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $v.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $v.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $v.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $v.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- range . }}
  - {{ toYaml (merge (dict) . (dict "labelSelector" (dict "matchLabels" $labels))) | nindent 4 | trim }}
  {{- end }}
{{- end }}
{{- with $v.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

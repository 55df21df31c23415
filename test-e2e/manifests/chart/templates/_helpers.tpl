{{- define "stall.labels" -}}
app.kubernetes.io/name: stall
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "kvant.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else -}}
{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{- define "kvant.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "kvant.labels" -}}
{{ include "kvant.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "kvant.isCluster" -}}
{{- if not (has .Values.engine (list "lsm" "rocksdb" "cassandra")) -}}
{{ fail (printf "engine is '%s': it may be lsm, rocksdb or cassandra" .Values.engine) }}
{{- end -}}
{{- if eq .Values.engine "cassandra" }}true{{ end -}}
{{- end -}}

{{- define "kvant.probe" -}}
httpGet:
  path: {{ .path }}
  port: http
  scheme: {{ if .root.Values.tls.secret }}HTTPS{{ else }}HTTP{{ end }}
timeoutSeconds: 5
{{- end -}}

{{/* A node that asks clients for certificates asks those who probe it too, and they have none. */}}
{{- define "kvant.probes" -}}
{{- if .Values.tls.clientAuthority }}
startupProbe:
  tcpSocket: {port: http}
  periodSeconds: 10
  failureThreshold: {{ .Values.startupFailures }}
livenessProbe:
  tcpSocket: {port: http}
  periodSeconds: 10
readinessProbe:
  tcpSocket: {port: http}
  periodSeconds: 5
{{- else }}
startupProbe:
  {{- include "kvant.probe" (dict "root" . "path" "/livez") | nindent 2 }}
  periodSeconds: 10
  failureThreshold: {{ .Values.startupFailures }}
livenessProbe:
  {{- include "kvant.probe" (dict "root" . "path" "/livez") | nindent 2 }}
  periodSeconds: 10
readinessProbe:
  {{- include "kvant.probe" (dict "root" . "path" "/readyz") | nindent 2 }}
  periodSeconds: 5
{{- end }}
{{- end -}}

{{- define "kvant.pod" -}}
metadata:
  labels:
    {{- include "kvant.labels" . | nindent 4 }}
  annotations:
    checksum/settings: {{ include (print $.Template.BasePath "/configmap.yaml") . | sha256sum }}
spec:
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  automountServiceAccountToken: false
  # Variables named after services would be taken for settings.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: kvant
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      {{- if .Values.javaOptions }}
      # The entry point of the image, with options that win over its own.
      command:
        - /opt/kvant/lib/runtime/bin/java
        - "@/opt/kvant/lib/jvm.options"
        {{- range splitList " " .Values.javaOptions }}
        - {{ . | quote }}
        {{- end }}
        - -cp
        - /opt/kvant/lib/app/*
        - kvant.cli.Main
      {{- end }}
      args: [serve, --config, /etc/kvant/kvant.yaml]
      ports:
        - name: http
          containerPort: 8080
        - name: admin
          containerPort: {{ .Values.adminPort }}
      {{- include "kvant.probes" . | nindent 6 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: settings
          mountPath: /etc/kvant
        - name: tmp
          mountPath: /tmp
        {{- if not (include "kvant.isCluster" .) }}
        - name: data
          mountPath: /var/lib/kvant
        {{- end }}
        {{- if .Values.tokens.secret }}
        - name: tokens
          mountPath: /run/secrets/tokens
        {{- end }}
        {{- if .Values.tls.secret }}
        - name: tls
          mountPath: /run/secrets/tls
        {{- end }}
        {{- if .Values.cassandra.passwordSecret }}
        - name: cassandra
          mountPath: /run/secrets/cassandra
        {{- end }}
  volumes:
    - name: settings
      configMap:
        name: {{ include "kvant.name" . }}
    - name: tmp
      emptyDir: {}
    {{- if .Values.tokens.secret }}
    - name: tokens
      secret:
        secretName: {{ .Values.tokens.secret }}
        defaultMode: 0440
    {{- end }}
    {{- if .Values.tls.secret }}
    - name: tls
      secret:
        secretName: {{ .Values.tls.secret }}
        defaultMode: 0440
    {{- end }}
    {{- if .Values.cassandra.passwordSecret }}
    - name: cassandra
      secret:
        secretName: {{ .Values.cassandra.passwordSecret }}
        defaultMode: 0440
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

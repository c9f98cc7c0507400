{{/* Names and parts that the templates share. */}}

{{- define "orrery.name" -}}
{{- default .Release.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "orrery.serviceAccount" -}}
{{- default (include "orrery.name" .) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "orrery.selector" -}}
app.kubernetes.io/name: orrery
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "orrery.labels" -}}
{{ include "orrery.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "orrery.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}

{{/* A change of the configuration restarts the pods. */}}
{{- define "orrery.annotations" -}}
checksum/config: {{ printf "%s%s" (toYaml .Values.config) (toYaml .Values.catalogs) | sha256sum }}
{{- end -}}

{{- define "orrery.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "orrery.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end -}}

{{- define "orrery.environment" -}}
- name: ORRERY_NODE_ID
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: ORRERY_HTTP_SERVER_EXTERNAL_HOST
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: ORRERY_INTERNAL_COMMUNICATION_SHARED_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ .Values.sharedSecret.name }}
      key: {{ .Values.sharedSecret.key }}
- name: ORRERY_PORT
  value: "8080"
- name: ORRERY_NODE_SPILL_DIR
  value: /var/lib/orrery
- name: ORRERY_SHUTDOWN_GRACE_PERIOD
  value: {{ printf "%ds" (int .Values.gracePeriodSeconds) }}
{{- end -}}

{{/* The node is alive as long as it answers, and ready when a query would be answered. */}}
{{- define "orrery.probes" -}}
startupProbe:
  httpGet:
    path: /livez
    port: http
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet:
    path: /livez
    port: http
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /readyz
    port: http
  periodSeconds: 2
  timeoutSeconds: 2
{{- end -}}

{{- define "orrery.mounts" -}}
- name: config
  mountPath: /etc/orrery
  readOnly: true
- name: spill
  mountPath: /var/lib/orrery
- name: tmp
  mountPath: /tmp
{{- end -}}

{{- define "orrery.configVolume" -}}
name: config
configMap:
  name: {{ include "orrery.name" . }}
  items:
    - key: config.properties
      path: config.properties
    {{- range $name, $text := .Values.catalogs }}
    - key: catalog.{{ $name }}.properties
      path: catalog/{{ $name }}.properties
    {{- end }}
{{- end -}}

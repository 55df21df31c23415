import type { CustomResourceDefinition } from '@kubechain/apiextensions';
import type { KubeObject } from '@kubechain/apimachinery';
import { pod } from '@kubechain/apimachinery/testing';

/** Objects of about 3 KiB, as the tools that make them send them. */

export function deployment(): KubeObject {
  const template = pod() as KubeObject;
  const labels = { app: 'web', tier: 'frontend', 'app.kubernetes.io/managed-by': 'Helm' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'shop',
      labels,
      annotations: { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'shop' },
    },
    spec: {
      replicas: 3,
      revisionHistoryLimit: 5,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels, annotations: { 'prometheus.io/scrape': 'true' } },
        spec: template['spec'] as Record<string, never>,
      },
    },
  };
}

export function configMap(): KubeObject {
  const data: Record<string, string> = { level: 'info' };
  for (let i = 0; i < 12; i++)
    data[`section-${i}.properties`] = Array.from(
      { length: 4 },
      (_, j) => `server.pool-${i}.option-${j}=value of option ${j} in section ${i}`,
    ).join('\n');
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web-config', namespace: 'shop', labels: { app: 'web', 'app.kubernetes.io/managed-by': 'Helm' } },
    data,
  };
}

const texts = { type: 'object', additionalProperties: { type: 'string' } };
const target = {
  type: 'object',
  required: ['name', 'kind'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' },
    kind: { type: 'string', enum: ['Volume', 'Database', 'Bucket'] },
    labels: texts,
    options: {
      type: 'object',
      properties: {
        compress: { type: 'boolean', default: true },
        level: { type: 'integer', minimum: 0, maximum: 9 },
        exclude: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      },
    },
    credentials: {
      type: 'object',
      required: ['secret'],
      properties: { secret: { type: 'string' }, key: { type: 'string', default: 'token' } },
    },
  },
};

/** A structural schema with defaults, list maps, sets, patterns and a rule. */
export const backupDefinition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'backups.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'backups', singular: 'backup', kind: 'Backup', listKind: 'BackupList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['schedule', 'targets'],
                'x-kubernetes-validations': [
                  { rule: 'self.retention.keepDaily <= self.retention.keepTotal', message: 'keeps more than it keeps' },
                ],
                properties: {
                  schedule: { type: 'string', minLength: 9 },
                  suspend: { type: 'boolean', default: false },
                  retention: {
                    type: 'object',
                    required: ['keepDaily', 'keepTotal'],
                    properties: {
                      keepDaily: { type: 'integer', minimum: 1 },
                      keepTotal: { type: 'integer', maximum: 100 },
                    },
                  },
                  targets: {
                    type: 'array',
                    maxItems: 50,
                    items: target,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                  },
                  labels: texts,
                },
              },
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
} as unknown as CustomResourceDefinition;

export function backup(): KubeObject {
  const kinds = ['Volume', 'Database', 'Bucket'];
  return {
    apiVersion: 'bench.example.com/v1',
    kind: 'Backup',
    metadata: {
      name: 'nightly',
      namespace: 'shop',
      labels: { app: 'backup', 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'example.com/owner': 'storage-team' },
    },
    spec: {
      schedule: '30 3 * * *',
      suspend: false,
      retention: { keepDaily: 7, keepTotal: 30 },
      labels: { tier: 'backend', region: 'eu-central' },
      targets: Array.from({ length: 12 }, (_, i) => ({
        name: `target-${i}`,
        kind: kinds[i % 3] as string,
        labels: { app: `app-${i}`, tier: 'backend' },
        options: { compress: true, level: i % 9, exclude: ['*.tmp', '*.log', `cache-${i}`] },
        credentials: { secret: `credentials-of-target-${i}`, key: 'token' },
      })),
    },
  };
}

import type { Step } from '../wire-details/step.ts';
import { podCertificates } from './pod-certificates.ts';

const anchor = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBeDCCAR+gAwIBAgIUVC5emlghqFo6eSRz4xy9bFK16vswCgYIKoZIzj0EAwIw',
  'ETEPMA0GA1UEAwwGYW5jaG9yMCAXDTI2MTEyNzAwMzIyMFoYDzIxMjYxMTAzMDAz',
  'MjIwWjARMQ8wDQYDVQQDDAZhbmNob3IwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC',
  'AARSdJG87P8f+Hx7yRVQrWBwo1bY2yPS1AthUBRmv7x49tUKTlbK37BFt5T1Fj1V',
  'O+YdpTM+XxtcsaU1NdjPko4Ro1MwUTAdBgNVHQ4EFgQUd6j//kiY32z325awSUGu',
  'tsrzTP0wHwYDVR0jBBgwFoAUd6j//kiY32z325awSUGutsrzTP0wDwYDVR0TAQH/',
  'BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiB7XWzyrbqj+RyEQvi8HSBy85gM9d4z',
  'HzT/Cpz66rWsZAIgZ1YgSqJqZrN164oCLEi0Hm/5jfo+XB5GcnS+VGXIG+0=',
  '-----END CERTIFICATE-----',
  '',
].join('\n');
/** Of nobody who may sign. */
const leaf = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBczCCARigAwIBAgIUcbTpmBZDvbkC98auXXuS1SbR7TYwCgYIKoZIzj0EAwIw',
  'DzENMAsGA1UEAwwEbGVhZjAgFw0yNjExMjcwMDMyMjFaGA8yMTI2MTEwMzAwMzIy',
  'MVowDzENMAsGA1UEAwwEbGVhZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABA4C',
  'pLZk1tWrSVkB+Y/oyQj3fYi14ZdsPNzXmZNYcRjQ/6SeN706RL+V0vkKCCPc++Az',
  '15+lprQSftmz6hcO8xKjUDBOMB0GA1UdDgQWBBS/RIc2vlL4dk1l/UX3Ht5lv9tg',
  'WDAfBgNVHSMEGDAWgBS/RIc2vlL4dk1l/UX3Ht5lv9tgWDAMBgNVHRMBAf8EAjAA',
  'MAoGCCqGSM49BAMCA0kAMEYCIQCRwY7kRinpGMvq3UUpPLqvPdU11k3VAv+h3Dan',
  'VtlcGQIhAMy/+Q9B+tAr1CQUCL2hhGJ/vTe17bRHM1WG1w3GtkQ3',
  '-----END CERTIFICATE-----',
  '',
].join('\n');

const bundles = '/apis/certificates.k8s.io/v1/clustertrustbundles';
const migrations = '/apis/storagemigration.k8s.io/v1/storageversionmigrations';
const nodes = '/apis/storage.k8s.io/v1/csinodes';
const rules = '/apis/resource.k8s.io/v1/devicetaintrules';
const pods = '/api/v1/namespaces/default/pods';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const bundle = (name: string, spec: object): object => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'ClusterTrustBundle',
  metadata: { name },
  spec,
});
const migration = (name: string, resource: object): object => ({
  apiVersion: 'storagemigration.k8s.io/v1',
  kind: 'StorageVersionMigration',
  metadata: { name },
  spec: { resource },
});
const condition = (type: string, status = 'True'): object => ({
  type,
  status,
  reason: 'Because',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});
const patch = (path: string, body: object): Step => ({ method: 'PATCH', path, body });

/** Roots of trust, of signers and of nobody in particular. */
const trust: readonly Step[] = [
  { method: 'POST', path: bundles, body: bundle('one', { trustBundle: anchor }) },
  { method: 'POST', path: bundles, body: bundle('empty', { trustBundle: '' }) },
  { method: 'POST', path: bundles, body: bundle('twice', { trustBundle: anchor + anchor }) },
  { method: 'POST', path: bundles, body: bundle('leaf', { trustBundle: leaf }) },
  { method: 'POST', path: bundles, body: bundle('a:b', { trustBundle: anchor }) },
  { method: 'POST', path: bundles, body: bundle('one', { signerName: 'example.com/signer', trustBundle: anchor }) },
  { method: 'POST', path: bundles, body: bundle('x', { signerName: 'signer', trustBundle: anchor }) },
  {
    method: 'POST',
    path: bundles,
    body: bundle('example.com:signer:one', { signerName: 'example.com/signer', trustBundle: anchor }),
  },
  { method: 'GET', path: `${bundles}?fieldSelector=spec.signerName%3Dexample.com/signer` },
  { method: 'GET', path: bundles, accept: table },
  patch(`${bundles}/one`, { metadata: { labels: { changed: 'yes' } } }),
  patch(`${bundles}/one`, { spec: { signerName: 'example.com/other' } }),
  patch(`${bundles}/one`, { spec: { trustBundle: 'nothing' } }),
  { method: 'DELETE', path: `${bundles}/one` },
];

/** Migrations of stored objects. */
const migrated: readonly Step[] = [
  { method: 'POST', path: migrations, body: migration('none', {}) },
  { method: 'POST', path: migrations, body: migration('bad', { group: 'A', resource: 'B' }) },
  { method: 'POST', path: migrations, body: migration('one', { group: 'apps', resource: 'deployments' }) },
  { method: 'POST', path: migrations, body: migration('core', { resource: 'pods' }) },
  { method: 'GET', path: `${migrations}/one` },
  patch(`${migrations}/one`, { spec: { resource: { resource: 'others' } } }),
  patch(`${migrations}/one`, { metadata: { labels: { changed: 'yes' } }, status: { resourceVersion: '7' } }),
  patch(`${migrations}/one/status`, { status: { resourceVersion: '07' } }),
  patch(`${migrations}/one/status`, { status: { resourceVersion: '7', conditions: [condition('Running')] } }),
  patch(`${migrations}/one/status`, { status: { resourceVersion: '8' } }),
  patch(`${migrations}/one/status`, { status: { conditions: [condition('Succeeded'), condition('Failed')] } }),
  patch(`${migrations}/one/status`, { status: { conditions: [condition('Succeeded')] } }),
  patch(`${migrations}/one/status`, { status: { conditions: [condition('Succeeded', 'False')] } }),
  { method: 'GET', path: migrations, accept: table },
  { method: 'DELETE', path: `${migrations}/one` },
];

/** What was served before, in a form that 1.37 has added. */
const grown: readonly Step[] = [
  {
    method: 'POST',
    path: nodes,
    body: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'one' },
      spec: { drivers: [] },
      status: { storageHealth: [] },
    },
  },
  { method: 'GET', path: `${nodes}/one/status` },
  patch(`${nodes}/one/status`, { metadata: { labels: { changed: 'yes' } }, spec: { drivers: [] } }),
  {
    method: 'POST',
    path: rules,
    body: {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceTaintRule',
      metadata: { name: 'one' },
      spec: { taint: { key: 'example.com/x', effect: 'NoSchedule', timeAdded: '2026-01-01T00:00:00Z' } },
    },
  },
  { method: 'GET', path: `${rules}/one` },
  { method: 'GET', path: `${rules}/one`, accept: table },
  patch(`${rules}/one/status`, { status: { conditions: [condition('Seen')] } }),
  { method: 'DELETE', path: `${rules}/one` },
  { method: 'GET', path: '/apis/networking.k8s.io/v1beta1' },
  { method: 'GET', path: '/apis/storagemigration.k8s.io/v1' },
  { method: 'GET', path: '/apis/resource.k8s.io/v1' },
  { method: 'GET', path: '/apis/storage.k8s.io/v1' },
];

/** What is behind gates that are off goes without a word. */
const gated: readonly Step[] = [
  {
    method: 'POST',
    path: '/api/v1/namespaces/default/serviceaccounts',
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  },
  {
    method: 'POST',
    path: `${pods}?dryRun=All`,
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'gated' },
      spec: {
        automountServiceAccountToken: false,
        evictionResponders: [{ name: 'example.com/responder', priority: 1 }],
        containers: [
          {
            name: 'c',
            image: 'i',
            volumeMounts: [{ name: 'e', mountPath: '/e', bindMountOptions: ['noexec'] }],
            livenessProbe: { httpGet: { port: 80, protocol: 'HTTP2' } },
            readinessProbe: { grpc: { port: 81, mode: 'TLS' } },
          },
        ],
        volumes: [
          { name: 'e', emptyDir: { mode: 511 } },
          { name: 's', secret: { secretName: 's', defaultUser: 7, items: [{ key: 'k', path: 'p', user: 8 }] } },
          { name: 'm', configMap: { name: 'm', defaultUser: 7 } },
          {
            name: 'd',
            downwardAPI: { defaultUser: 7, items: [{ path: 'p', user: 8, fieldRef: { fieldPath: 'metadata.name' } }] },
          },
          {
            name: 'p',
            projected: { defaultUser: 7, sources: [{ serviceAccountToken: { path: 't', user: 8 } }] },
          },
        ],
      },
    },
  },
  {
    method: 'POST',
    path: '/apis/batch/v1/namespaces/default/jobs?dryRun=All',
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'gated' },
      spec: {
        scheduling: {},
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  },
  {
    method: 'POST',
    path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    body: {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
    },
  },
  patch('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/h', { spec: { maxReplicas: 4 } }),
  patch('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/h', { metadata: { labels: { a: 'b' } } }),
  patch('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/h/status', {
    status: { conditions: [{ type: 'AbleToScale', status: 'True', observedGeneration: 2 }] },
  }),
  {
    method: 'GET',
    path: '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/h',
  },
];

/** Requests about what Kubernetes 1.37 has and 1.36 had not. */
export const steps: readonly Step[] = [...trust, ...migrated, ...grown, ...gated, ...podCertificates];

import type { KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@kubechain/apiserver';
import { Reinvocation, plainObjects } from '@kubechain/apiserver';
import { expect } from 'chai';
import { DefaultIngressClass } from './default-ingress-class.ts';
import { DefaultStorageClass } from './default-storage-class.ts';
import { DefaultTolerationSeconds } from './default-toleration-seconds.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { Priority } from './priority.ts';
import { ServiceAccount } from './service-account/service-account.ts';
import { StorageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { TaintNodesByCondition } from './taint-nodes-by-condition.ts';

const lookup = (...objects: KubeObject[]): ObjectLookup => ({
  get: (name, namespace) => Promise.resolve(objects.find(({ metadata }) => metadata?.name === name && (namespace === undefined || metadata.namespace === namespace))),
  list: () => Promise.resolve(objects),
});

const resources: Readonly<Record<string, readonly [group: string, resource: string]>> = {
  Pod: ['', 'pods'], Node: ['', 'nodes'], PersistentVolumeClaim: ['', 'persistentvolumeclaims'], PriorityClass: ['scheduling.k8s.io', 'priorityclasses'], Ingress: ['networking.k8s.io', 'ingresses'],
};

function attributesOf(object: KubeObject, more: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  const [group = '', resource = ''] = resources[object.kind ?? ''] ?? [];
  return {
    operation: 'CREATE', kind: { group, version: 'v1', kind: object.kind ?? '' }, resource: { group, version: 'v1', resource }, subresource: '', namespace: 'ns', name: 'x', object,
    oldObject: undefined, options: undefined, dryRun: false, user: { name: 'u', groups: [] }, objects: plainObjects, reinvocation: new Reinvocation(), addWarning: () => undefined, addAuditAnnotation: () => undefined,
    signal: new AbortController().signal, ...more,
  };
}

const tolerations = new DefaultTolerationSeconds({ notReadySeconds: 300, unreachableSeconds: 7 });
const notReady = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 };
const unreachable = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 7 };
const priority = new Priority(lookup(
  { metadata: { name: 'high' }, value: 100, preemptionPolicy: 'Never' }, { metadata: { name: 'usual' }, value: 5, globalDefault: true }, { metadata: { name: 'low' }, value: 3, globalDefault: true },
));
const accounts = new ServiceAccount({
  accounts: lookup(
    { metadata: { name: 'default', namespace: 'ns' }, imagePullSecrets: [{ name: 'pull' }] },
    { metadata: { name: 'strict', namespace: 'ns', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } }, automountServiceAccountToken: false },
  ),
  random: () => 0, sleep: () => Promise.resolve(),
});
const storage = new DefaultStorageClass(lookup(
  { metadata: { name: 'old', creationTimestamp: '2020-01-01T00:00:00Z', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } },
  { metadata: { name: 'new', creationTimestamp: '2021-01-01T00:00:00Z', annotations: { 'storageclass.beta.kubernetes.io/is-default-class': 'true' } } },
));
const token = {
  name: 'kube-api-access-bbbbb',
  projected: {
    defaultMode: 420,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } }, { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
    ],
  },
};

interface Row { readonly name: string; readonly plugin: AdmissionPlugin; readonly kind: string; readonly given: Record<string, unknown>; readonly expected: Record<string, unknown> }

const rows: readonly Row[] = [
  { name: 'a pod without tolerations', plugin: tolerations, kind: 'Pod', given: { spec: {} }, expected: { spec: { tolerations: [notReady, unreachable] } } },
  { name: 'a pod that tolerates one taint', plugin: tolerations, kind: 'Pod', given: { spec: { tolerations: [{ key: notReady.key }] } }, expected: { spec: { tolerations: [{ key: notReady.key }, unreachable] } } },
  { name: 'a pod that tolerates everything', plugin: tolerations, kind: 'Pod', given: { spec: { tolerations: [{ operator: 'Exists' }] } }, expected: { spec: { tolerations: [{ operator: 'Exists' }] } } },
  { name: 'a priority class', plugin: priority, kind: 'Pod', given: { spec: { priorityClassName: 'high' } }, expected: { spec: { priorityClassName: 'high', priority: 100, preemptionPolicy: 'Never' } } },
  { name: 'the lowest default class', plugin: priority, kind: 'Pod', given: { spec: {} }, expected: { spec: { priorityClassName: 'low', priority: 3 } } },
  { name: 'no classes', plugin: new Priority(lookup()), kind: 'Pod', given: { spec: {} }, expected: { spec: { priority: 0, preemptionPolicy: 'PreemptLowerPriority' } } },
  {
    name: 'the default account, with its token and pull secrets', plugin: accounts, kind: 'Pod', given: { spec: { containers: [{ name: 'c' }] } },
    expected: {
      spec: {
        serviceAccountName: 'default', serviceAccount: 'default', imagePullSecrets: [{ name: 'pull' }], volumes: [token],
        containers: [{ name: 'c', volumeMounts: [{ name: token.name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }] }],
      },
    },
  },
  { name: 'an account that mounts nothing', plugin: accounts, kind: 'Pod', given: { spec: { serviceAccountName: 'strict' } }, expected: { spec: { serviceAccountName: 'strict', serviceAccount: 'strict' } } },
  { name: 'a claim', plugin: new StorageObjectInUseProtection(), kind: 'PersistentVolumeClaim', given: { metadata: { finalizers: ['a/b'] } }, expected: { metadata: { finalizers: ['a/b', 'kubernetes.io/pvc-protection'] } } },
  { name: 'a node', plugin: new TaintNodesByCondition(), kind: 'Node', given: {}, expected: { spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] } } },
  { name: 'the newest default storage class', plugin: storage, kind: 'PersistentVolumeClaim', given: { spec: {} }, expected: { spec: { storageClassName: 'new' } } },
  { name: 'a claim for no class', plugin: storage, kind: 'PersistentVolumeClaim', given: { spec: { storageClassName: '' } }, expected: { spec: { storageClassName: '' } } },
  { name: 'no default ingress class', plugin: new DefaultIngressClass(lookup({ metadata: { name: 'x' } })), kind: 'Ingress', given: { spec: {} }, expected: { spec: {} } },
];

interface Refusal { readonly name: string; readonly plugin: AdmissionPlugin; readonly object: KubeObject; readonly message: string }

const refusals: readonly Refusal[] = [
  { name: 'an unknown priority class', plugin: priority, object: { kind: 'Pod', spec: { priorityClassName: 'no' } }, message: 'pods "x" is forbidden: no PriorityClass with name no was found' },
  { name: 'another priority than the class has', plugin: priority, object: { kind: 'Pod', spec: { priorityClassName: 'high', priority: 1 } }, message: 'pods "x" is forbidden: the integer value of priority (1) must not be provided in pod spec; priority admission controller computed 100 from the given PriorityClass name' },
  { name: 'a second default class', plugin: priority, object: { kind: 'PriorityClass', globalDefault: true }, message: 'priorityclasses.scheduling.k8s.io "x" is forbidden: PriorityClass low is already marked as default. Only one default can exist' },
  { name: 'an unknown account', plugin: accounts, object: { kind: 'Pod', spec: { serviceAccountName: 'no' } }, message: 'pods "x" is forbidden: error looking up service account ns/no: serviceaccount "no" not found' },
  { name: 'a secret that the account does not list', plugin: accounts, object: { kind: 'Pod', spec: { serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName: 's' } }] } }, message: 'pods "x" is forbidden: volume with secret.secretName="s" is not allowed because service account strict does not reference that secret' },
  { name: 'a mirror pod with an account', plugin: accounts, object: { kind: 'Pod', metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } }, spec: { serviceAccountName: 'default' } }, message: 'pods "x" is forbidden: a mirror pod may not reference service accounts' },
];

describe('admission plugins of built-in resources', () => {
  for (const { expected, given, kind, name, plugin } of rows) {
    it(`${plugin.name}: ${name}`, async () => {
      const object = { kind, ...structuredClone(given) };
      await plugin.admit?.(attributesOf(object));
      expect(object).to.deep.equal({ kind, ...('metadata' in given ? { metadata: given['metadata'] } : {}), ...expected });
    });
  }

  for (const { message, name, object, plugin } of refusals) {
    it(`${plugin.name} refuses ${name}`, async () => {
      const attributes = attributesOf(structuredClone(object));
      let refused: unknown;
      try {
        await plugin.admit?.(attributes);
        await plugin.validate?.(attributes);
      } catch (error) {
        refused = error;
      }
      expect((refused as Error | undefined)?.message).to.equal(message);
    });
  }

  it('Priority keeps what an update leaves out', async () => {
    const pod: KubeObject = { kind: 'Pod', spec: {} };
    await priority.admit?.(attributesOf(pod, { operation: 'UPDATE', oldObject: { kind: 'Pod', spec: { priority: 4 } } }));
    expect(pod['spec']).to.deep.equal({ priority: 4 });
  });
});

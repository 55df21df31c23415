import type { FieldRequirement, KubeObject } from '@kubechain/apimachinery';
import { createResourceCodec } from '@kubechain/shared-storage';
import type { SelectionPredicate, StorageResourceConfig } from '@kubechain/shared-storage';

/** Nodes that the objects are spread over. */
export const NODES = 100;

export const KEY_ROOT = '/registry/pods';
export const PREFIX = `${KEY_ROOT}/`;

/** Stored JSON is served as it is, as for every built-in kind whose storage version is its memory version. */
const codec = createResourceCodec({
  decodeObject: (stored) => JSON.parse(Buffer.from(stored).toString()) as KubeObject,
  encodeObject: (object) => Buffer.from(JSON.stringify(object)),
  attributes: (object) => {
    const { name = '', namespace = '', labels } = object.metadata ?? {};
    const nodeName = (object['spec'] as { readonly nodeName?: string } | undefined)?.nodeName ?? '';
    return {
      name,
      namespace,
      labels,
      fields: { 'metadata.name': name, 'metadata.namespace': namespace, 'spec.nodeName': nodeName },
    };
  },
  memory: { kind: 'Pod', apiVersion: 'v1' },
});

export const config: StorageResourceConfig = {
  groupResource: { group: '', resource: 'pods' },
  resourcePrefix: '/pods',
  codec,
  namespaced: true,
  indexers: { 'spec.nodeName': ({ fields }) => fields['spec.nodeName'] },
};

/** Ten namespaces, so that no prefix has everything. */
export function podKey(index: number): string {
  return `${PREFIX}ns-${index % 10}/pod-${String(index).padStart(6, '0')}`;
}

/** An object of about `bytes` bytes of JSON, shaped like a small pod. */
export function pod(index: number, bytes: number, version = 0): KubeObject {
  const name = `pod-${String(index).padStart(6, '0')}`;
  const object: KubeObject = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      namespace: `ns-${index % 10}`,
      uid: `5a1e1d7e-0000-4000-8000-${String(index).padStart(12, '0')}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: `app-${index % 50}`, 'pod-template-hash': '7d4b9c8f6d' },
    },
    spec: {
      nodeName: `node-${index % NODES}`,
      containers: [{ name: 'main', image: 'registry.example/app:1.0', env: [{ name: 'PADDING', value: '' }] }],
    },
    status: { phase: 'Running', observedGeneration: version },
  };
  const missing = Math.max(0, bytes - JSON.stringify(object).length);
  (object['spec'] as { containers: { env: { value: string }[] }[] }).containers[0]!.env[0]!.value = 'x'.repeat(missing);
  return object;
}

/** Pods of one node: what a kubelet lists and watches. */
export function onNode(node: string): SelectionPredicate {
  const requirements: readonly FieldRequirement[] = [{ field: 'spec.nodeName', operator: '=', value: node }];
  return {
    label: { empty: true, matches: () => true, toString: () => '' },
    field: {
      empty: false,
      requirements,
      matches: (fields) => fields?.['spec.nodeName'] === node,
      toString: () => `spec.nodeName=${node}`,
    },
    empty: false,
    matches: ({ fields }) => fields['spec.nodeName'] === node,
  };
}

import type { KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes } from '../admission.ts';
import type { NamespaceLister } from '../namespace-lister.ts';
import { plainObjects } from '../plain-objects.ts';
import { Reinvocation } from '../reinvocation.ts';

const namespace: KubeObject = {
  metadata: { name: 'ns', labels: { team: 'a' } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
};

/** One namespace, `ns`, with the label team=a. */
export const oneNamespace: NamespaceLister = {
  get: (name) => (name === 'ns' ? namespace : undefined),
  getLive: () => Promise.resolve(undefined),
};

/** The creation of ConfigMap `x` in namespace `ns`, or what `more` makes of it. */
export function creationOf(more: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  return {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    subresource: '',
    namespace: 'ns',
    name: 'x',
    object: { metadata: { name: 'x' }, data: {} },
    oldObject: undefined,
    options: undefined,
    dryRun: false,
    user: { name: 'u', groups: [] },
    auditID: 'audit-1',
    objects: plainObjects,
    reinvocation: new Reinvocation(),
    addWarning: () => undefined,
    addAuditAnnotation: () => undefined,
    signal: new AbortController().signal,
    ...more,
  };
}

import { systemClock } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { refusal } from '../testing/refusal.ts';
import type { AdmissionAttributes } from './admission.ts';
import { NamespaceLifecycle } from './namespace-lifecycle.ts';
import { plainObjects } from './plain-objects.ts';
import { Reinvocation } from './reinvocation.ts';

const namespaceIn = (name: string, phase: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
  status: { phase },
});

function attributes(overrides: Partial<AdmissionAttributes>): AdmissionAttributes {
  return {
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    subresource: '',
    namespace: 'a',
    name: 'x',
    object: undefined,
    oldObject: undefined,
    options: undefined,
    dryRun: false,
    auditID: '',
    user: { name: 'u', groups: [] },
    objects: plainObjects,
    reinvocation: new Reinvocation(),
    addWarning: () => undefined,
    addAuditAnnotation: () => undefined,
    signal: new AbortController().signal,
    ...overrides,
  };
}

describe('NamespaceLifecycle', () => {
  let cached: Map<string, KubeObject>;
  let live: Map<string, KubeObject>;
  let nowMs: number;
  let slept: number;
  let plugin: NamespaceLifecycle;

  beforeEach(() => {
    cached = new Map();
    live = new Map();
    nowMs = 0;
    slept = 0;
    plugin = new NamespaceLifecycle({
      namespaces: { get: (name) => cached.get(name), getLive: (name) => Promise.resolve(live.get(name)) },
      clock: { ...systemClock, now: () => nowMs },
      sleep: (milliseconds) => {
        slept += milliseconds;
        return Promise.resolve();
      },
    });
  });

  it('lets objects into namespaces that the cache knows, without waiting', () => {
    cached.set('a', namespaceIn('a', 'Active'));
    expect(plugin.admit(attributes({}))).to.equal(undefined);
  });

  it('asks the store about namespaces that the cache does not know yet', async () => {
    live.set('a', namespaceIn('a', 'Active'));
    await plugin.admit(attributes({}));
    expect(slept).to.equal(50);
  });

  it('answers 404 for namespaces that do not exist', async () => {
    const error = await refusal(() => plugin.admit(attributes({})));
    expect(error.status).to.deep.include({ code: 404, message: 'namespaces "a" not found' });
  });

  it('refuses new objects, and only those, in a namespace that is being deleted', async () => {
    cached.set('a', namespaceIn('a', 'Terminating'));
    const error = await refusal(() => plugin.admit(attributes({})));
    expect(error.status).to.deep.include({
      code: 403,
      message:
        'configmaps "x" is forbidden: unable to create new content in namespace a because it is being terminated',
    });
    expect(error.status.details?.causes).to.deep.equal([
      { reason: 'NamespaceTerminating', message: 'namespace a is being terminated', field: 'metadata.namespace' },
    ]);
    await plugin.admit(attributes({ operation: 'UPDATE' }));
    await plugin.admit(attributes({ operation: 'DELETE' }));
  });

  it('does not believe the cache for a while after a deletion', async () => {
    const deletion = attributes({
      operation: 'DELETE',
      kind: { group: '', version: 'v1', kind: 'Namespace' },
      resource: { group: '', version: 'v1', resource: 'namespaces' },
      name: 'a',
    });
    cached.set('a', namespaceIn('a', 'Active'));
    live.set('a', namespaceIn('a', 'Terminating'));
    await plugin.admit(deletion);
    expect((await refusal(() => plugin.admit(attributes({})))).code).to.equal(403);
    nowMs = 31_000;
    await plugin.admit(attributes({}));
  });

  it('keeps the system namespaces', async () => {
    const error = await refusal(() =>
      plugin.admit(
        attributes({
          operation: 'DELETE',
          kind: { group: '', version: 'v1', kind: 'Namespace' },
          resource: { group: '', version: 'v1', resource: 'namespaces' },
          name: 'kube-system',
          namespace: 'kube-system',
        }),
      ),
    );
    expect(error.status.message).to.equal('namespaces "kube-system" is forbidden: this namespace may not be deleted');
  });
});

import type { KubeObject } from '@kubechain/apimachinery';
import type { CreateOptions, RESTContext, Store } from '@kubechain/apiserver/resources';
import { refusal } from '@kubechain/apiserver/testing';
import { expect } from 'chai';
import { bindingError, podBinding, validateBinding } from './binding.ts';
import { podEviction } from './eviction.ts';

const clock = { now: () => 0 };
const context = {
  request: { requestInfo: {} },
  namespace: 'ns',
  signal: new AbortController().signal,
} as unknown as RESTContext;
const accept = (): void => undefined;
const write: CreateOptions = { dryRun: false, fieldManager: '', fieldValidation: 'Strict' };

describe('subresources of pods', () => {
  it('binding answers with the bare text of what is wrong', async () => {
    const error = await refusal(() =>
      podBinding({} as Store, clock).create?.(
        context,
        'p',
        { metadata: { name: 'p' }, target: { kind: 'Pod' } } as KubeObject,
        { ...write, validate: accept },
      ),
    );
    expect(error.status).to.include({
      code: 500,
      message:
        '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
    });
    expect(bindingError(validateBinding({ target: {} })).message).to.equal('target.name: Required value');
  });

  it('eviction checks the options of the deletion when the pod goes', async () => {
    const pod: KubeObject = { metadata: { name: 'p', uid: 'u' } };
    let deleted = 0;
    const pods = {
      get: () => Promise.resolve({ object: () => pod }),
      delete: () => {
        deleted++;
        return Promise.resolve({});
      },
    } as unknown as Store;
    const status = { update: () => Promise.resolve({ result: pod, created: false }) } as never;
    const budgets = { list: () => Promise.resolve({ items: [] }) } as unknown as Store;
    const evict = (deleteOptions: object): unknown =>
      podEviction({ clock, pods, status, disruptionBudgets: () => budgets }).create?.(
        context,
        'p',
        { metadata: { name: 'p' }, deleteOptions } as KubeObject,
        { ...write, dryRun: true, validate: accept },
      );
    expect((await refusal(() => evict({ propagationPolicy: 'x' }))).message).to.equal(
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "x": supported values: ' +
        '"Foreground", "Background", "Orphan", "nil"',
    );
    expect((await refusal(() => evict({ dryRun: ['x'] }))).message).to.equal(
      'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
    );
    expect(deleted).to.equal(0);
    await evict({ propagationPolicy: 'Background' });
    expect(deleted).to.equal(1);
  });
});

import type { KubeObject } from '@kubechain/apimachinery';
import { Store, builtinResourceSpec, internalContext, resourceCodec } from '@kubechain/apiserver/resources';
import type { CreateOptions, RESTContext } from '@kubechain/apiserver/resources';
import { refusal } from '@kubechain/apiserver/testing';
import { MemoryEtcd, MemoryStorage } from '@kubechain/shared-storage/testing';
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

  it('binding as a dry run asks for the pod that is meant, too', async () => {
    const pods = builtinResourceSpec({ group: '', plural: 'pods' });
    const store = new Store({
      spec: pods,
      storage: new MemoryStorage(resourceCodec(pods), { etcd: new MemoryEtcd() }),
      keyRoot: '/registry/pods',
      resourcePrefix: '/pods',
      enableGarbageCollection: true,
      deleteCollectionWorkers: 1,
      environment: { clock, newUID: () => 'u', random: () => 0.5 },
    });
    const inNamespace = internalContext({ groupResource: { group: '', resource: 'pods' }, namespace: 'ns' });
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [] } };
    await store.create(inNamespace, 'p', pod, { ...write, validate: accept });
    const bind = (metadata: object): unknown =>
      podBinding(store, clock).create?.(
        inNamespace,
        'p',
        { metadata: { name: 'p', ...metadata }, target: { name: 'n' } } as KubeObject,
        { ...write, dryRun: true, validate: accept },
      );
    expect((await refusal(() => bind({ uid: 'x' }))).status).to.deep.include({
      code: 409,
      message:
        'Operation cannot be fulfilled on pods "p": StorageError: invalid object, Code: 4, Key: /pods/ns/p, ' +
        'ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: u',
    });
    expect((await refusal(() => bind({ resourceVersion: '1000' }))).status.code).to.equal(409);
    expect(await bind({ uid: 'u' })).to.include({ status: 'Success' });
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
    const evict = (deleteOptions: object, dryRun = true): unknown =>
      podEviction({ clock, pods, status, disruptionBudgets: () => budgets }).create?.(
        context,
        'p',
        { metadata: { name: 'p' }, deleteOptions } as KubeObject,
        { ...write, dryRun, validate: accept },
      );
    expect((await refusal(() => evict({ propagationPolicy: 'x' }))).message).to.equal(
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "x": supported values: ' +
        '"Foreground", "Background", "Orphan", "nil"',
    );
    expect((await refusal(() => evict({ dryRun: ['x'] }, false))).message).to.equal(
      'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
    );
    expect(deleted).to.equal(0);
    expect((await refusal(() => evict({ dryRun: ['x', 'y'] }))).status).to.deep.include({
      code: 500,
      message: 'Non-matching dry-run options in request and content: [All] and [x y]',
    });
    await evict({ dryRun: ['All'] });
    expect(deleted).to.equal(1);
    deleted = 0;
    await evict({ propagationPolicy: 'Background' });
    expect(deleted).to.equal(1);
  });
});

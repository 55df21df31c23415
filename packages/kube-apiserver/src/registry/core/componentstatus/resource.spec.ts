import { StatusError, parseFieldSelector, parseLabelSelector } from '@kubechain/apimachinery';
import { selectionPredicate } from '@kubechain/apiserver/resources';
import type { RESTContext, RESTStorage } from '@kubechain/apiserver/resources';
import type { ShardSelector } from '@kubechain/shared-storage';
import { expect } from 'chai';
import type { RegistryContext } from '../../storage-provider.ts';
import type { ComponentCheck } from '../../component-check.ts';
import { componentStatusResource } from './resource.ts';

describe('componentstatuses', () => {
  const components = new Map<string, ComponentCheck>([
    ['scheduler', () => Promise.resolve({ status: 'False', message: 'dial tcp', error: '' })],
    ['etcd-0', () => Promise.resolve({ status: 'True', message: 'ok', error: '' })],
  ]);
  const [entry] = componentStatusResource.provide({ components: () => components } as unknown as RegistryContext);
  const storage = entry?.[1] as RESTStorage;
  const context = {} as RESTContext;
  const list = async (labels: string, fields: string, shard?: ShardSelector): Promise<readonly unknown[]> => {
    const predicate = selectionPredicate(parseLabelSelector(labels), parseFieldSelector(fields), shard);
    const result = await storage.list?.(context, {
      predicate,
      resourceVersion: '',
      resourceVersionMatch: '',
      limit: 0,
      continue: '',
    });
    return (result?.items ?? []).map((record) => JSON.parse(Buffer.from(record.json).toString()));
  };

  it('asks each part when it is listed', async () => {
    expect(await list('', '')).to.deep.equal([
      { metadata: { name: 'scheduler' }, conditions: [{ type: 'Healthy', status: 'False', message: 'dial tcp' }] },
      { metadata: { name: 'etcd-0' }, conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }] },
    ]);
  });

  it('may be selected by name; labels they have none', async () => {
    expect(await list('', 'metadata.name=etcd-0')).to.have.length(1);
    expect(await list('a=b', '')).to.deep.equal([]);
    expect(await list('', '', { text: 'none', matches: () => false })).to.deep.equal([]);
  });

  it('gives one, and says which it does not know', async () => {
    expect(await storage.get?.(context, 'etcd-0', {})).to.deep.include({
      kind: 'ComponentStatus',
      metadata: { name: 'etcd-0' },
    });
    const failure: unknown = await Promise.resolve(storage.get?.(context, 'x', {})).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(StatusError).with.property('message', 'componentstatus "x" not found');
  });
});

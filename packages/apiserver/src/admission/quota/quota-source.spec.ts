import { builtinScheme } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { MemoryStorage } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { resourceCodec } from '../../registry/generic/resource-codec.ts';
import { QuotaSource } from './quota-source.ts';

const keyRoot = '/registry/resourcequotas';
const spec = {
  scheme: builtinScheme(),
  group: '',
  plural: 'resourcequotas',
  singular: 'resourcequota',
  kind: 'ResourceQuota',
  namespaced: true,
  memoryVersion: { group: '', version: 'v1' },
};

describe('QuotaSource', () => {
  it('charges as the manager kube-apiserver of what is used', async () => {
    const storage = new MemoryStorage(resourceCodec(spec));
    const time = '2026-01-01T00:00:00Z';
    const used = { 'f:status': { 'f:hard': { '.': {}, 'f:pods': {} }, 'f:used': { '.': {}, 'f:pods': {} } } };
    const entry = { operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', subresource: 'status' } as const;
    await storage.create(`${keyRoot}/ns/q`, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: {
        name: 'q',
        namespace: 'ns',
        uid: 'u',
        managedFields: [{ manager: 'controller', time, ...entry, fieldsV1: used }],
      },
      spec: { hard: { pods: '3' } },
      status: { hard: { pods: '3' }, used: { pods: '0' } },
    });
    const clock = new FakeClock();
    const quotas = new QuotaSource({ storage, keyRoot }, { clock, onError: () => undefined });
    await quotas.charge('ns', 'q', () => ({ pods: '1' }));
    quotas.stop();
    const { metadata, status } = (await storage.get(`${keyRoot}/ns/q`))?.object() ?? {};
    expect(status).to.deep.equal({ hard: { pods: '3' }, used: { pods: '1' } });
    const owned = metadata?.managedFields?.map(({ fieldsV1, manager, subresource }) => [
      manager,
      subresource,
      fieldsV1,
    ]);
    expect(owned).to.have.deep.members([
      ['controller', 'status', { 'f:status': { 'f:hard': { '.': {}, 'f:pods': {} }, 'f:used': {} } }],
      ['kube-apiserver', 'status', { 'f:status': { 'f:used': { 'f:pods': {} } } }],
    ]);
  });
});

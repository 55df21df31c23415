import { builtinScheme, noteEmptied, wasEmptied } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { RESTStorage } from '../rest/storage.ts';
import { managerOrUserAgent } from './field-manager.ts';
import { createFieldManager } from './managed-fields.ts';

describe('createFieldManager', () => {
  const managers = async (
    group: string,
    version: string,
    live: KubeObject,
    updated: KubeObject,
  ): Promise<readonly (string | undefined)[]> => {
    const fields = createFieldManager({
      scheme: builtinScheme(),
      storage: {} as RESTStorage,
      kind: { group, version, kind: live.kind ?? '' },
      subresource: '',
      clock: { now: () => 0 },
      custom: false,
    });
    const { metadata } = await fields.update(live, updated, 'new');
    return (metadata?.managedFields ?? []).map(({ apiVersion, manager }) => `${manager} ${apiVersion}`);
  };
  const owned = (kind: string, apiVersion: string, entryVersion: string, field: string): KubeObject => ({
    kind,
    apiVersion,
    metadata: {
      name: 'x',
      uid: 'u',
      managedFields: [
        {
          manager: 'old',
          operation: 'Update',
          apiVersion: entryVersion,
          fieldsType: 'FieldsV1',
          fieldsV1: { [`f:${field}`]: {} },
        },
      ],
    },
  });

  it('forgets everybody where a body gives an empty list', async () => {
    const live = owned('ConfigMap', 'v1', 'v1', 'data');
    const updated = { ...live, metadata: { name: 'x', uid: 'u' } };
    noteEmptied(updated.metadata, 'managedFields', 'list');
    expect(await managers('', 'v1', live, updated)).to.deep.equal([]);
  });

  it('keeps what is applied without entries, until it is written', async () => {
    const kind = { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'ValidatingWebhookConfiguration' };
    const fields = createFieldManager({
      scheme: builtinScheme(),
      storage: {} as RESTStorage,
      kind,
      subresource: '',
      clock: { now: () => 0 },
      custom: false,
    });
    const typeMeta = { apiVersion: 'admissionregistration.k8s.io/v1', kind: kind.kind };
    const live = { ...typeMeta, metadata: { name: 'x', uid: 'u' } };
    const applied = { ...typeMeta, metadata: { name: 'x', labels: { a: 'b' } }, webhooks: [] };
    const object = await fields.apply(live, applied, { manager: 'm', force: false });
    expect(wasEmptied(object, 'webhooks')).to.equal(true);
  });

  it('forgets managers of another group when one of the two is the core group', async () => {
    const live = { ...owned('Event', 'v1', 'events.k8s.io/v1', 'reason'), reason: 'a' };
    expect(await managers('', 'v1', live, { ...live, count: 2 })).to.deep.equal(['new v1']);
  });

  it('keeps managers of other versions of the group', async () => {
    const live = {
      ...owned('HorizontalPodAutoscaler', 'autoscaling/v2', 'autoscaling/v1', 'spec'),
      spec: { maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
    };
    expect(
      await managers('autoscaling', 'v2', live, { ...live, spec: { ...live.spec, minReplicas: 1 } }),
    ).to.have.members(['new autoscaling/v2', 'old autoscaling/v1']);
  });
});

describe('managerOrUserAgent', () => {
  it('takes the parameter, or the User-Agent up to its first slash', () => {
    expect(managerOrUserAgent('given', 'agent/1.0')).to.equal('given');
    expect(managerOrUserAgent('', 'agent/1.0 (x) y/2')).to.equal('agent');
    expect(managerOrUserAgent('', undefined)).to.equal('');
  });

  it('reads the header as UTF-8', () => {
    expect(managerOrUserAgent('', Buffer.from('ünïcode/1').toString('latin1'))).to.equal('ünïcode');
  });

  it('drops what cannot be printed and cuts at 128 bytes', () => {
    expect(managerOrUserAgent('', 'a\tb/1')).to.equal('ab');
    expect(managerOrUserAgent('', Buffer.from(`${'é'.repeat(100)}/1`).toString('latin1'))).to.have.length(64);
  });
});

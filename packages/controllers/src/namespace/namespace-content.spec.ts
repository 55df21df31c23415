import { formatTime } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import type { Client } from '../client/client.ts';
import type { DiscoveredResource } from '../discovery/discovery.ts';
import { deleteContent } from './namespace-content.ts';

const pods = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  verbs: ['list', 'delete', 'deletecollection'],
} as unknown as DiscoveredResource;

describe('content of a namespace', () => {
  it('may be two hundred thousand pods, the longest grace of which is waited for', async () => {
    const items = Array.from({ length: 200_000 }, (_, i) => ({ spec: { terminationGracePeriodSeconds: i % 50 } }));
    const client = {
      resource: () => ({ listAll: () => Promise.resolve({ items }), deleteCollection: () => Promise.resolve() }),
    } as unknown as Client;
    const clock = new FakeClock();
    const left = await deleteContent(pods, { client, clock, namespace: 'a', deletedAt: formatTime(clock.now()) });
    expect(left.error).to.equal(undefined);
    expect(left.estimateSeconds).to.equal(49);
    expect(left.remaining?.count).to.equal(200_000);
  });
});

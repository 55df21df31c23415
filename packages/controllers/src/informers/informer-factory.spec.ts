import { expect } from 'chai';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { Client } from '../client/client.ts';
import { resources } from '../client/resources.ts';
import type { Transport, TransportRequest, TransportResponse } from '../client/transport.ts';
import { InformerFactory } from './informer-factory.ts';

const metadata = {
  name: 'a',
  namespace: 'default',
  uid: 'u',
  resourceVersion: '3',
  finalizers: ['example.com/f'],
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' }],
  labels: { a: 'b' },
  annotations: { a: 'x'.repeat(1_000) },
  creationTimestamp: '2026-01-01T00:00:00Z',
};

/** Answers each list with one object, and watches with nothing. */
class OneObject implements Transport {
  readonly listed: string[] = [];

  send({ path, signal }: TransportRequest): Promise<TransportResponse> {
    const url = new URL(path, 'https://localhost');
    const watched = url.searchParams.has('watch');
    if (!watched) this.listed.push(`${url.pathname} ${url.searchParams.get('fieldSelector')}`);
    const body = JSON.stringify({ metadata: { resourceVersion: '5' }, items: [{ metadata, data: { a: 'b' } }] });
    return Promise.resolve({
      status: 200,
      headers: {},
      body: (async function* () {
        if (!watched) yield Buffer.from(body);
        else await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
      })(),
    });
  }

  close(): void {
    /* nothing is open */
  }
}

describe('InformerFactory', () => {
  it('follows what a field selector finds by itself, and of the others who owns them', async () => {
    const transport = new OneObject();
    const clock = new FakeClock();
    const client = new Client({ transport, userAgent: 'spec', clock });
    const informers = new InformerFactory({ client, clock, random: () => 0 });
    const fieldSelector = 'metadata.name=a';
    const selected = informers.informer(resources.configmaps, { fieldSelector });
    expect(informers.informer(resources.configmaps, { fieldSelector })).to.equal(selected);
    const any = informers.anyInformer(resources.configmaps);
    const stop = new AbortController();
    informers.start(stop.signal);
    await settle();
    expect(transport.listed).to.deep.equal(['/api/v1/configmaps metadata.name=a', '/api/v1/configmaps null']);
    expect(selected.get('default/a')?.data).to.deep.equal({ a: 'b' });
    const { annotations: _a, creationTimestamp: _c, labels: _l, ...held } = metadata;
    expect(any.get('default/a')).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMap', metadata: held });
    stop.abort();
    await settle();
  });
});

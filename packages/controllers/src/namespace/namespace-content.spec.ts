import { formatTime } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { Client } from '../client/client.ts';
import type { TransportRequest } from '../client/transport.ts';
import type { DiscoveredResource } from '../discovery/discovery.ts';
import { NamespaceConditions } from './namespace-conditions.ts';
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
  let asked: string[];
  beforeEach(() => (asked = []));
  /** Of a namespace whose pods are these, so many times. */
  const left = async (times: number, items: readonly object[]) => {
    const part = Buffer.from(items.map((item) => JSON.stringify(item)).join());
    async function* body({ method, path }: TransportRequest): AsyncGenerator<Uint8Array> {
      asked.push(`${method} ${path}`);
      if (method === 'DELETE') return yield Buffer.from('{}');
      yield Buffer.from('{"kind":"PodList","items":[');
      for (let i = 0; i < (path.endsWith('limit=1') ? Math.min(1, times) : times); i++) {
        if (i > 0) yield Buffer.from(',');
        yield part;
      }
      yield Buffer.from(']}');
    }
    const send = (request: TransportRequest) => Promise.resolve({ status: 200, headers: {}, body: body(request) });
    const clock = new FakeClock();
    const client = new Client({ transport: { send, close: () => undefined }, userAgent: 'spec', clock });
    return deleteContent(pods, { client, clock, namespace: 'a', deletedAt: formatTime(clock.now()) });
  };

  // Each resource was deleted and listed, whether there was something of it or not.
  it('is nothing after one request where there is none', async () => {
    expect(await left(0, [])).to.deep.equal({ estimateSeconds: 0, remaining: undefined, error: undefined });
    expect(asked).to.deep.equal(['GET /api/v1/namespaces/a/pods?limit=1']);
  });

  it('may be two hundred thousand pods, the longest grace of which is waited for', async function () {
    this.timeout(20_000);
    const pods = Array.from({ length: 1_000 }, (_, i) => ({ spec: { terminationGracePeriodSeconds: i % 50 } }));
    const { error, estimateSeconds, remaining } = await left(200, pods);
    expect(error).to.equal(undefined);
    expect(estimateSeconds).to.equal(49);
    expect(remaining?.count).to.equal(200_000);
  });

  it('may be held by millions of finalizers, of which the first are told', async function () {
    this.timeout(60_000);
    const finalizers = (i: number) => Array.from({ length: 5_000 }, (_, j) => `example.com/${i}-${j}`);
    const items = Array.from({ length: 300 }, (_, i) => ({ metadata: { finalizers: finalizers(i) } }));
    const { estimateSeconds, remaining } = await left(1, items);
    expect([remaining?.count, estimateSeconds]).to.deep.equal([300, 15]);
    expect(remaining?.finalizers.size).to.equal(1_000);
    expect(remaining?.finalizers.get('example.com/0-0')).to.equal(1);
    const conditions = new NamespaceConditions(new FakeClock());
    conditions.remaining(Array.from({ length: 100 }, (_, i) => ({ ...remaining!, resource: `r${i}.` })));
    const { conditions: told = [] } = conditions.applyTo(undefined) ?? {};
    const { message = '' } = told.find(({ type }) => type === 'NamespaceFinalizersRemaining') ?? {};
    expect(message).to.contain('example.com/0-0 in 100 resource instances');
    expect(message.length).to.be.lessThan(100_000);
  });

  it('may be pods of more bytes than a string can have', async function () {
    this.timeout(60_000);
    const env = [{ name: 'a', value: 'x'.repeat(1_400_000) }];
    const { error, remaining } = await left(400, [
      { spec: { terminationGracePeriodSeconds: 5, containers: [{ env }] } },
    ]);
    expect(error).to.equal(undefined);
    expect(remaining?.count).to.equal(400);
  });
});

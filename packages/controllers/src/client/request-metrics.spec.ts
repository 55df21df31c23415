import { TokenBucket } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { Client } from './client.ts';
import { RequestMetrics } from './request-metrics.ts';
import { TransportError, type Transport, type TransportResponse } from './transport.ts';

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

describe('RequestMetrics', () => {
  /** Every sample that is not a bucket, as `name{label values} value`. */
  const told = (metrics: RequestMetrics, name: string): string[] =>
    metrics.registry
      .samples(`rest_client_${name}`)
      .filter(({ labels }) => labels['le'] === undefined)
      .map(
        ({ labels, name: full = name, value }) =>
          `${full.replace('rest_client_', '')}{${Object.values(labels).join()}} ${value}`,
      );

  const clientOf = (
    answers: readonly (TransportResponse | Error)[],
  ): { readonly client: Client; readonly metrics: RequestMetrics; readonly clock: FakeClock } => {
    const clock = new FakeClock();
    const left = [...answers];
    const transport: Transport = {
      send: async () => {
        await clock.advance(500);
        const answer = left.shift();
        if (answer === undefined || answer instanceof Error) throw answer ?? new TypeError('nothing is left');
        return answer;
      },
      close: () => undefined,
    };
    const metrics = new RequestMetrics('host:6443');
    const limiter = new TokenBucket(1, 10, clock);
    return { client: new Client({ transport, userAgent: 'spec', clock, limiter, metrics }), metrics, clock };
  };
  const ok = (): TransportResponse => ({ status: 201, headers: {}, body: bodyOf('{"a":1}') });

  it('counts requests with their durations and sizes', async () => {
    const { client, metrics } = clientOf([ok()]);
    await client.json({ method: 'POST', path: '/x', body: { b: 2 } });
    expect(told(metrics, 'requests_total')).to.deep.equal(['requests_total{201,POST,host:6443} 1']);
    expect(told(metrics, 'request_retries_total')).to.deep.equal([]);
    for (const [name, sum] of [
      ['request_duration_seconds', 0.5],
      ['request_size_bytes', 7],
      ['response_size_bytes', 7],
      ['rate_limiter_duration_seconds', 0],
    ] as const)
      expect(told(metrics, name)).to.have.members([
        `${name}_sum{POST,host:6443} ${sum}`,
        `${name}_count{POST,host:6443} 1`,
      ]);
  });

  it('counts attempts after the first as retries, too', async () => {
    const busy = { status: 429, headers: { 'retry-after': '0' }, body: bodyOf('') };
    const { client, clock, metrics } = clientOf([busy, ok()]);
    const asked = client.json({ method: 'GET', path: '/x' });
    for (let i = 0; i < 20; i++) {
      await new Promise(setImmediate);
      await clock.advance(100);
    }
    await asked;
    expect(told(metrics, 'requests_total')).to.have.members([
      'requests_total{429,GET,host:6443} 1',
      'requests_total{201,GET,host:6443} 1',
    ]);
    expect(told(metrics, 'request_retries_total')).to.deep.equal(['request_retries_total{201,GET,host:6443} 1']);
  });

  it('counts requests without an answer', async () => {
    const { client, metrics } = clientOf([new TransportError('gone')]);
    await client.text({ method: 'GET', path: '/x' }).catch(() => undefined);
    expect(told(metrics, 'requests_total')).to.deep.equal(['requests_total{<error>,GET,host:6443} 1']);
    expect(told(metrics, 'request_duration_seconds')).to.include('request_duration_seconds_count{GET,host:6443} 1');
    expect(told(metrics, 'response_size_bytes')).to.deep.equal([]);
  });

  it('has no durations of watches, which last', async () => {
    const { client, metrics } = clientOf([{ ...ok(), status: 200 }]);
    await client.stream({ method: 'GET', path: '/x?watch=true' });
    expect(told(metrics, 'requests_total')).to.deep.equal(['requests_total{200,GET,host:6443} 1']);
    expect(told(metrics, 'request_duration_seconds')).to.deep.equal([]);
  });
});

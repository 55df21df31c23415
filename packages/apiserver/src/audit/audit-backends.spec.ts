import { FakeClock } from '@kubechain/apimachinery/testing';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { allBackends } from './all-backends.ts';
import type { AuditBackend, AuditEvent } from './audit-event.ts';
import { AuditMetrics } from './audit-metrics.ts';
import { AuditWebhook } from './audit-webhook.ts';
import { BufferingBackend } from './buffering-backend.ts';
import { TruncatingBackend } from './truncating-backend.ts';

function event(auditID: string, more: Partial<AuditEvent> = {}): AuditEvent {
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID,
    stage: 'ResponseComplete',
    requestURI: '/',
    verb: 'get',
    user: { username: 'alice' },
    requestReceivedTimestamp: '',
    stageTimestamp: '',
    ...more,
  };
}

/** Keeps the ids of each batch. */
class Recorder implements AuditBackend {
  readonly batches: string[][] = [];
  readonly events: AuditEvent[] = [];
  closed = false;

  process(events: readonly AuditEvent[]): boolean {
    this.batches.push(events.map(({ auditID }) => auditID));
    this.events.push(...events);
    return true;
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}

const lost = (registry: MetricRegistry): number =>
  registry.samples('apiserver_audit_error_total').reduce((sum, { value }) => sum + value, 0);

/** Lets promises that wait for nothing else go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('audit backends', () => {
  let clock: FakeClock;
  let registry: MetricRegistry;
  let metrics: AuditMetrics;
  let next: Recorder;
  beforeEach(() => {
    clock = new FakeClock();
    registry = new MetricRegistry();
    metrics = new AuditMetrics(registry);
    next = new Recorder();
  });

  const buffering = (more: Partial<ConstructorParameters<typeof BufferingBackend>[1]> = {}): BufferingBackend =>
    new BufferingBackend(next, {
      bufferSize: 5,
      maxBatchSize: 2,
      maxBatchWaitMs: 1_000,
      throttle: undefined,
      sideBySide: true,
      clock,
      metrics,
      ...more,
    });

  it('send a batch when it is full, and what is left after a while', async () => {
    const backend = buffering();
    backend.process([event('a')]);
    expect(next.batches).to.deep.equal([]);
    backend.process([event('b')]);
    backend.process([event('c')]);
    await settle();
    expect(next.batches).to.deep.equal([['a', 'b']]);
    await clock.advance(1_000);
    await settle();
    expect(next.batches).to.deep.equal([['a', 'b'], ['c']]);
  });

  it('drop what does not fit into the buffer, and count it', () => {
    const backend = buffering({ maxBatchSize: 10 });
    backend.process(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => event(id)));
    expect(lost(registry)).to.equal(2);
  });

  it('send batches no faster than the throttle lets them', async () => {
    const backend = buffering({ maxBatchSize: 1, throttle: { perSecond: 1, burst: 1 } });
    backend.process([event('a'), event('b')]);
    await settle();
    expect(next.batches).to.deep.equal([['a']]);
    await clock.advance(1_000);
    await settle();
    expect(next.batches).to.deep.equal([['a'], ['b']]);
  });

  it('send what is left before they close', async () => {
    const backend = buffering();
    void backend.process([event('a')]);
    await backend.close();
    expect([next.batches, next.closed]).to.deep.equal([[['a']], true]);
  });

  it('take the objects out of events that are too large, and drop them if that does not help', () => {
    const backend = new TruncatingBackend(next, { maxEventBytes: 1_000, maxBatchBytes: 10_000, metrics });
    const big = 'x'.repeat(2_000);
    void backend.process([
      event('fits', { requestObject: {} }),
      event('cut', { requestObject: big, annotations: { a: 'b' } }),
    ]);
    void backend.process([event('dropped', { requestURI: big })]);
    expect(next.batches).to.deep.equal([['fits', 'cut']]);
    expect(next.events[0]).to.have.property('requestObject');
    expect(next.events[1]).not.to.have.property('requestObject');
    expect(next.events[1]?.annotations).to.deep.equal({ a: 'b', 'audit.k8s.io/truncated': 'true' });
    expect(lost(registry)).to.equal(1);
  });

  it('split batches that are too large', () => {
    const backend = new TruncatingBackend(next, { maxEventBytes: 500, maxBatchBytes: 500, metrics });
    void backend.process(['a', 'b', 'c'].map((id) => event(id)));
    expect(next.batches.flat()).to.deep.equal(['a', 'b', 'c']);
    expect(next.batches.length).to.equal(2);
  });

  it('call a webhook five times before they give up', async () => {
    let calls = 0;
    const webhook = new AuditWebhook({
      client: {
        post: () => Promise.reject(new TypeError(`no ${++calls}`)),
        close() {
          /* nothing is open */
        },
      },
      holds: 'answers',
      initialBackoffMs: 10,
      clock,
      random: () => 0,
      metrics,
    });
    const taken = webhook.process([event('a')]);
    for (let i = 0; i < 6; i++) {
      await settle();
      await clock.advance(100);
    }
    expect([await taken, calls, lost(registry)]).to.deep.equal([false, 5, 1]);
  });

  it('are as strict together as the strictest', async () => {
    const strict: AuditBackend = { holds: 'requests', process: () => false, close: () => Promise.resolve() };
    const both = allBackends([next, strict]);
    expect([both.holds, await both.process([event('a')])]).to.deep.equal(['requests', false]);
  });
});

import { limits } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { JSONText } from '../request/json-text.ts';
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

  it('end a batch before it is too large, but send one event of any size (auditBatch)', async () => {
    const backend = buffering({ maxBatchSize: 10, bufferSize: 10 });
    const third = 'x'.repeat(limits.auditBatch.value / 3);
    backend.process(['a', 'b'].map((id) => event(id, { requestObject: third })));
    await settle();
    expect(next.batches).to.deep.equal([]);
    backend.process([event('c', { requestObject: third }), event('d', { requestObject: third.repeat(4) }), event('e')]);
    await settle();
    expect(next.batches).to.deep.equal([['a', 'b'], ['c'], ['d']]);
    await clock.advance(1_000);
    await settle();
    expect(next.batches.at(-1)).to.deep.equal(['e']);
  });

  it('drop what is too large for the buffer with what is on its way, and count it (auditBuffer)', async () => {
    let take: (() => void) | undefined;
    const slow: AuditBackend = {
      process: () => new Promise((resolve) => (take = () => resolve(true))),
      close: () => Promise.resolve(),
    };
    const backend = new BufferingBackend(slow, {
      bufferSize: 100,
      maxBatchSize: 1,
      maxBatchWaitMs: 1_000,
      throttle: undefined,
      sideBySide: true,
      clock,
      metrics,
    });
    const large = new JSONText(limits.auditBuffer.value, () => []);
    backend.process([event('alone', { responseObject: large })]);
    expect(lost(registry)).to.equal(0);
    await settle();
    backend.process([event('more')]);
    expect(lost(registry)).to.equal(1);
    take?.();
    await settle();
    backend.process([event('again')]);
    expect(lost(registry)).to.equal(1);
    await settle();
    take?.();
  });

  it('keep lists of what is stored, however large they are', () => {
    const backend = buffering();
    const list = new JSONText(limits.auditBuffer.value, () => [], 0);
    backend.process(['a', 'b', 'c'].map((id) => event(id, { responseObject: list })));
    expect(lost(registry)).to.equal(0);
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
    expect(next.events.map(({ text = [] }) => text.join('').includes('"requestObject"'))).to.deep.equal([true, false]);
    expect(next.events[1]?.annotations).to.deep.equal({ a: 'b', 'audit.k8s.io/truncated': 'true' });
    expect(lost(registry)).to.equal(1);
  });

  it('take JSON that is too large out of events without writing it', () => {
    const backend = new TruncatingBackend(next, { maxEventBytes: 1_000, maxBatchBytes: 10_000, metrics });
    const of = (size: number): JSONText =>
      new JSONText(size, () => {
        throw new TypeError('is written');
      });
    void backend.process([event('fits', { responseObject: of(100) }), event('cut', { responseObject: of(2_000) })]);
    expect(next.events.map(({ text = [] }) => text.some((part) => part instanceof JSONText))).to.deep.equal([
      true,
      false,
    ]);
    expect(next.events[1]?.annotations).to.deep.equal({ 'audit.k8s.io/truncated': 'true' });
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

  it('send a webhook JSON as it is, in its place', async () => {
    let sent = '';
    let size = 0;
    const webhook = new AuditWebhook({
      client: {
        post(_path, body) {
          size = body.size;
          sent = Buffer.concat([...body.pieces()].map((piece) => Buffer.from(piece))).toString();
          return Promise.resolve();
        },
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
    const events = [
      event('a', { responseObject: JSONText.of([Buffer.from('{"b": 1,'), Buffer.from('"ä":2}')]) }),
      event('b'),
    ];
    expect(await webhook.process(events)).to.equal(true);
    expect(sent).to.contain('"user":{"username":"alice"}').and.contain('"responseObject":{"b": 1,"ä":2}');
    expect(JSON.parse(sent)).to.deep.equal({
      kind: 'EventList',
      apiVersion: 'audit.k8s.io/v1',
      metadata: {},
      items: JSON.parse(JSON.stringify(events)) as unknown,
    });
    expect(size).to.equal(Buffer.byteLength(sent));
  });

  it('are as strict together as the strictest', async () => {
    const strict: AuditBackend = { holds: 'requests', process: () => false, close: () => Promise.resolve() };
    const both = allBackends([next, strict]);
    expect([both.holds, await both.process([event('a')])]).to.deep.equal(['requests', false]);
  });
});

import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import type { Event } from '@kubechain/apimachinery/types/core/v1';
import { EventCorrelator } from './event-correlator.ts';

const event = (message: string, reason = 'Failed'): Event => ({
  metadata: { name: `pod.${message}`, namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'pod', uid: '1', apiVersion: 'v1' },
  source: { component: 'c' },
  reportingComponent: 'c',
  reportingInstance: '',
  reason,
  message,
  type: 'Warning',
  count: 1,
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:00:00Z',
});

describe('EventCorrelator', () => {
  it('counts up what happens again', () => {
    const correlator = new EventCorrelator(new FakeClock());
    expect(correlator.correlate(event('a')).kind).to.equal('create');
    const again = correlator.correlate({ ...event('a'), lastTimestamp: '2026-01-01T00:01:00Z' });
    expect(again).to.deep.include({
      kind: 'patch',
      patch: { count: 2, lastTimestamp: '2026-01-01T00:01:00Z', message: 'a' },
    });
  });

  it('combines events that differ by message only, from the tenth within ten minutes', async () => {
    const clock = new FakeClock();
    const correlator = new EventCorrelator(clock);
    const kinds = Array.from({ length: 9 }, (_, index) => correlator.correlate(event(`m${index}`)).kind);
    expect(new Set(kinds)).to.deep.equal(new Set(['create']));
    const tenth = correlator.correlate(event('m9'));
    expect(tenth.kind === 'create' && tenth.event.message).to.equal('(combined from similar events): m9');
    const next = correlator.correlate(event('m10'));
    expect(next.kind === 'patch' && next.event.count).to.equal(2);
    expect(correlator.correlate(event('m10', 'Other')).kind).to.equal('create');
    await clock.advance(601_000);
    const fresh = correlator.correlate(event('m11'));
    expect(fresh.kind === 'create' && fresh.event.message).to.equal('m11');
  });

  it('lets a burst of 25 about an object pass, then one in five minutes', async () => {
    const clock = new FakeClock();
    const correlator = new EventCorrelator(clock);
    const kinds = Array.from({ length: 27 }, () => correlator.correlate(event('same')).kind);
    expect(kinds.slice(23)).to.deep.equal(['patch', 'patch', 'skip', 'skip']);
    await clock.advance(301_000);
    expect(correlator.correlate(event('same')).kind).to.equal('patch');
    expect(correlator.correlate(event('same')).kind).to.equal('skip');
  });
});

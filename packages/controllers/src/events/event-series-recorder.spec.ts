import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import type { Client } from '../client/client.ts';
import { resources } from '../client/resources.ts';
import { EventSeriesRecorder, type Occurrence } from './event-series-recorder.ts';

const failed: Occurrence = { type: 'Warning', reason: 'Failed', action: 'Trying', message: 'no' };
const pod = (resourceVersion: string) => ({ metadata: { name: 'p', namespace: 'n', uid: 'u', resourceVersion } });

describe('EventSeriesRecorder', () => {
  let clock: FakeClock;
  let written: (readonly [verb: string, body: object])[];
  let recorder: EventSeriesRecorder;
  beforeEach(() => {
    clock = new FakeClock();
    written = [];
    const resource = {
      create: async (event: object) => void written.push(['create', event]),
      patch: async (_: object, patch: object) => void written.push(['patch', patch]),
    };
    recorder = new EventSeriesRecorder({
      client: { resource: () => resource } as unknown as Client,
      clock,
      random: () => 0,
      component: 'somebody',
      host: 'here',
      signal: new AbortController().signal,
    });
  });
  const tell = async (version: string): Promise<void> => {
    recorder.event(pod(version), resources.pods, failed);
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('writes who did what, about which state of an object', async () => {
    await tell('1');
    expect(written).to.have.length(1);
    expect(written[0]![1]).to.deep.include({
      reportingController: 'somebody',
      reportingInstance: 'somebody-here',
      action: 'Trying',
      reason: 'Failed',
      note: 'no',
      type: 'Warning',
    });
    expect(written[0]![1]).to.have.nested.property('regarding.resourceVersion', '1');
  });
  it('makes a series of what is told of the same state again, and tells further ones with its end', async () => {
    await tell('1');
    await tell('1');
    await tell('1');
    expect(written.map(([verb]) => verb)).to.deep.equal(['create', 'patch']);
    expect(written[1]![1]).to.have.nested.property('series.count', 2);
    await clock.advance(360_001);
    await tell('2');
    expect(written.map(([verb]) => verb)).to.deep.equal(['create', 'patch', 'patch', 'create']);
    expect(written[2]![1]).to.have.nested.property('series.count', 3);
  });
  it('begins anew for another state', async () => {
    await tell('1');
    await tell('2');
    expect(written.map(([verb]) => verb)).to.deep.equal(['create', 'create']);
  });
  it('remembers thousands without going through all of them for each', () => {
    const startedAt = process.threadCpuUsage().user;
    for (let i = 0; i < 30_000; i++) recorder.event(pod(String(i % 10_000)), resources.pods, failed);
    expect((process.threadCpuUsage().user - startedAt) / 1_000).to.be.below(1_500);
  });
});

import { expect } from 'chai';
import { RequestObservation } from './request-observation.ts';

describe('what an observed request is doing', () => {
  let observation: RequestObservation;
  beforeEach(() => {
    observation = new RequestObservation(performance.now(), false);
  });

  it('is nothing at first', () => {
    expect(observation.doing).to.equal('');
  });

  it('is the filter that has begun last', () => {
    observation.enterFilter('authentication');
    observation.enterFilter('authorization');
    expect(observation.doing).to.equal('filter authorization');
  });

  it('is the innermost step', () => {
    observation.begin('phase', 'admission');
    observation.begin('plugin', 'MutatingAdmissionWebhook');
    observation.begin('webhook', 'a.example.com');
    expect(observation.doing).to.equal('webhook a.example.com');
  });

  it('is what was around a step when that has ended', () => {
    const phase = observation.begin('phase', 'storage');
    observation.add('plugin', 'ResourceQuota', observation.begin('plugin', 'ResourceQuota'));
    expect(observation.doing).to.equal('storage');
    observation.add('phase', 'storage', phase);
    expect(observation.doing).to.equal('');
  });

  it('is three of the steps that go on side by side at most', () => {
    observation.begin('plugin', 'ValidatingAdmissionWebhook');
    for (const name of ['a', 'b', 'c', 'd']) observation.begin('webhook', name);
    expect(observation.doing).to.equal('webhook b, webhook c, webhook d');
  });
});

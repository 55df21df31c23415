import { expect } from 'chai';
import type { Relay } from './relay.ts';
import { TargetLiveness } from './target-liveness.ts';

/** A relay that has waited for headers for an hour. */
function waitingRelay(failed: () => void): Relay {
  const relay: Pick<Relay, 'fail' | 'startedAt' | 'waitingForHeaders'> = {
    startedAt: performance.now() - 3_600_000,
    waitingForHeaders: true,
    fail: failed,
  };
  return relay as Relay;
}

describe('liveness of the next process', () => {
  let target: TargetLiveness;
  afterEach(() => {
    target.close();
  });

  /** Whose probes end as `answers` says, one after another; the last one for good. */
  function targetThat(...answers: readonly ('answers' | 'is silent')[]): { readonly probes: () => number } {
    let probes = 0;
    target = new TargetLiveness({
      name: 'next',
      suspectAfterMs: 1,
      probeTimeoutMs: 60_000,
      debugged: () => false,
      signs: () => 0,
      probe: () => {
        const answer = answers[Math.min(probes++, answers.length - 1)];
        return answer === 'answers' ? Promise.resolve() : Promise.reject(new Error('no answer in time'));
      },
    });
    return { probes: () => probes };
  }
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('is doubted when a request waits, and lost when a probe is not answered: what waits has failed then', async () => {
    targetThat('is silent');
    const failed = new Promise<void>((resolve) => {
      target.started(waitingRelay(resolve));
    });
    expect(target.unresponsive).to.equal(false);
    await failed;
    expect(target.unresponsive).to.equal(true);
  });

  it('comes back with an answered probe, without another request', async () => {
    targetThat('is silent', 'is silent', 'answers');
    const relay = waitingRelay(() => {
      target.ended(relay, { answered: false });
    });
    target.started(relay);
    await until(() => target.unresponsive);
    expect(target.underWay).to.equal(0);
    await until(() => !target.unresponsive);
  });

  it('is not doubted while it answers probes, however long a request takes', async () => {
    const { probes } = targetThat('answers');
    target.started(waitingRelay(() => expect.fail('the request was given up')));
    await until(() => probes() === 3);
    expect(target.unresponsive).to.equal(false);
  });
});

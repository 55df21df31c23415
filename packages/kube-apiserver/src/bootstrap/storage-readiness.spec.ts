import { FakeClock } from '@kubechain/apimachinery/testing';
import { configureLogging } from '@kubechain/apiserver/logging';
import { expect } from 'chai';
import { waitForStorage } from './storage-readiness.ts';

describe('waiting for storage', () => {
  let clock: FakeClock;
  let asked: number;
  let failures: number;
  let lines: string[];
  let stop: AbortController;
  let isOver: boolean;
  const check = {
    name: 'etcd',
    check: (): Promise<void> => {
      asked++;
      return asked > failures ? Promise.resolve() : Promise.reject(new Error('no leader'));
    },
  };
  const wait = async (timeoutMs: number): Promise<void> => {
    await waitForStorage([check], { clock, timeoutMs, signal: stop.signal });
    isOver = true;
  };
  beforeEach(() => {
    clock = new FakeClock();
    asked = 0;
    failures = 0;
    lines = [];
    stop = new AbortController();
    isOver = false;
    configureLogging({ verbosity: 0, write: (line) => lines.push(line) });
  });
  after(() => {
    configureLogging({ verbosity: 0 });
  });

  it('is over at once when it is there', async () => {
    await wait(0);
    expect(asked).to.equal(1);
  });

  it('asks until it is there', async () => {
    failures = 3;
    const waiting = wait(60_000);
    await clock.advance(299);
    expect(isOver).to.equal(false);
    await clock.advance(1);
    await waiting;
    expect([asked, lines]).to.deep.equal([4, []]);
  });

  it('is given up after --storage-initialization-timeout, with a warning', async () => {
    failures = Infinity;
    const waiting = wait(1_000);
    await clock.advance(1_000);
    await waiting;
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/^W.*storage is not ready in time.*err="no leader"/);
  });

  it('ends with the server', async () => {
    failures = Infinity;
    const waiting = wait(60_000);
    stop.abort();
    await waiting;
    expect(lines).to.deep.equal([]);
  });
});

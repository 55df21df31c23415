import { expect } from 'chai';
import { waitUntilReady, type ReadyWaitOptions, type Unready } from './wait-until-ready.ts';

describe('waiting until a chain is ready', () => {
  const waiting = (changes: Partial<ReadyWaitOptions>): Promise<unknown> =>
    waitUntilReady({
      ready: new Promise(() => undefined),
      timeoutMs: 10,
      signal: undefined,
      unready: () =>
        Promise.resolve([
          { name: 'etcd', reason: '' },
          { name: 'controllers', reason: 'no lease' },
        ]),
      onUnready: () => undefined,
      logs: '/data/logs',
      ...changes,
    }).catch((error: unknown) => error);

  it('ends with who is missing, why, and what to do', async () => {
    expect(await waiting({}))
      .to.have.property('message')
      .that.equals(
        'etcd, controllers not ready after 0.01 s (--ready-timeout, 0 to wait as long as it takes); ' +
          'controllers: no lease; see /data/logs',
      );
  });
  it('tells from time to time who is missing, as long as it takes', async () => {
    const told: Unready[] = [];
    const ready = Promise.withResolvers<void>();
    const outcome = await waiting({
      ready: ready.promise,
      timeoutMs: 0,
      noticeMs: 5,
      onUnready: (unready) => {
        told.push(unready);
        if (told.length === 4) ready.resolve();
      },
    });
    expect(outcome).to.equal(undefined);
    expect(told.map(({ name }) => name)).to.deep.equal(['etcd', 'controllers', 'etcd', 'controllers']);
  });
  it('ends when it is told to', async () => {
    expect(await waiting({ timeoutMs: 0, signal: AbortSignal.timeout(5) }))
      .to.have.property('message')
      .that.equals('stopped before it was ready');
    expect(await waiting({ timeoutMs: 0, signal: AbortSignal.abort() }))
      .to.have.property('message')
      .that.equals('stopped before it was ready');
  });
});

import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { systemRandomness, tooManyRequestsError } from '@kubechain/apimachinery';
import type { Store } from '@kubechain/apiserver/resources';
import { ensureObjects } from './ensure-objects.ts';

describe('ensureObjects', () => {
  const clock = new FakeClock();
  /** Refuses to list so many times, as a cache that is being filled does. */
  const storeThatRefuses = (
    refusals: number,
    error: Error,
  ): { readonly store: Store; readonly lists: () => number } => {
    let lists = 0;
    const store = {
      spec: { group: '', plural: 'configmaps', scheme: {} },
      environment: { clock, ...systemRandomness },
      list: () => (lists++ < refusals ? Promise.reject(error) : Promise.resolve({ items: [] })),
    } as unknown as Store;
    return { store, lists: () => lists };
  };
  const untilListed = async (lists: () => number, times: number): Promise<void> => {
    while (lists() < times) await clock.advance(250);
  };

  it('waits for a cache that is being filled', async () => {
    const { lists, store } = storeThatRefuses(3, tooManyRequestsError('storage is (re)initializing'));
    const ensured = ensureObjects({ store, objects: [] }, { clock, signal: new AbortController().signal });
    await untilListed(lists, 4);
    await ensured;
    expect(lists()).to.equal(4);
  });

  it('gives up when the server stops', async () => {
    const stopped = new AbortController();
    const { lists, store } = storeThatRefuses(Infinity, tooManyRequestsError('storage is (re)initializing'));
    const ensured = ensureObjects({ store, objects: [] }, { clock, signal: stopped.signal }).catch(
      (error: unknown) => error,
    );
    await untilListed(lists, 2);
    stopped.abort(new Error('stopping'));
    expect(await ensured).to.equal(stopped.signal.reason);
  });

  it('fails for any other reason at once', async () => {
    const { lists, store } = storeThatRefuses(1, new Error('no'));
    const ensured = ensureObjects({ store, objects: [] }, { clock, signal: new AbortController().signal });
    expect(await ensured.catch(String)).to.equal('Error: no');
    expect(lists()).to.equal(1);
  });
});

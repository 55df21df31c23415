import { messageOf, limits } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { StorageError } from '../storage/errors.ts';
import type { StorageInterface } from '../storage/interfaces.ts';
import { Reflector } from './reflector.ts';

describe('Reflector', () => {
  it('holds no more than defaultedBytes in all pages of a list, and forgets what earlier lists had', async () => {
    /** Pages that each have so many bytes that reading has added. */
    let pages = 0;
    const storage: Partial<StorageInterface> = {
      getList: (_prefix, { continue: token = '' } = {}) => {
        const page = token === '' ? 1 : Number(token);
        return Promise.resolve({
          items: [],
          resourceVersion: '1',
          continue: page < pages ? String(page + 1) : '',
          addedBytes: 0.4 * limits.defaultedBytes.value,
        });
      },
      watch: () => Promise.resolve({ stop: () => undefined, drained: () => undefined }),
    };
    const told: string[] = [];
    const clock = new FakeClock();
    const reflectorOf = (count: number): Reflector => {
      pages = count;
      told.length = 0;
      const reflector = new Reflector({
        storage: storage as StorageInterface,
        prefix: '/registry/things/',
        clock,
        random: () => 0,
        target: {
          replace: (_records, revision) => told.push(`filled at ${revision}`),
          apply: () => true,
          progress: () => undefined,
          lost: () => told.push('lost'),
          failed: (error, what) => told.push(`${what}: ${messageOf(error)}`),
          ended: () => undefined,
        },
      });
      reflector.start();
      return reflector;
    };
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(10_000);
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    const large = reflectorOf(3);
    await settled();
    await large.stop();
    expect(new Set(told)).to.deep.equal(new Set(['list: the defaults of the definition add too much to its objects']));
    const fits = reflectorOf(2);
    for (let again = 0; again < 2; again++) {
      await settled();
      fits.reinitialize(new Error('not to be trusted'));
    }
    await settled();
    await fits.stop();
    expect(told.filter((what) => what.startsWith('list'))).to.deep.equal([]);
    expect(told.slice(0, 3)).to.deep.equal(['filled at 1', 'lost', 'filled at 1']);
  });

  it('tries a watch that tells something unreadable again for a while, before it reads everything again', async () => {
    let lists = 0;
    let watches = 0;
    const told: string[] = [];
    const clock = new FakeClock();
    const storage: Partial<StorageInterface> = {
      getList: () => Promise.resolve({ items: [], resourceVersion: String(++lists), continue: '' }),
      watch: (_prefix, _options, sink) => {
        watches++;
        const error = new StorageError('CorruptObject', 'not an object');
        setImmediate(() => {
          sink.event({ type: 'ERROR', error });
          sink.end({ kind: 'failed', error });
        });
        return Promise.resolve({ stop: () => undefined, drained: () => undefined });
      },
    };
    const reflector = new Reflector({
      storage: storage as StorageInterface,
      prefix: '/registry/things/',
      clock,
      random: () => 0,
      unreadableForMs: 30_000,
      target: {
        replace: (_records, revision) => told.push(`filled at ${revision}`),
        apply: () => true,
        progress: () => undefined,
        lost: (error) => told.push(`lost: ${messageOf(error)}`),
        failed: () => undefined,
        ended: () => undefined,
      },
    });
    reflector.start();
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 100) {
        for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve));
        await clock.advance(100);
      }
    };
    await pass(29_000);
    expect(told).to.deep.equal(['filled at 1']);
    expect(watches).to.be.above(5);
    await pass(12_000);
    expect(told.slice(0, 3)).to.deep.equal(['filled at 1', 'lost: not an object', 'filled at 2']);
    // Each list has a time of its own.
    await pass(20_000);
    expect(lists).to.equal(2);
    await reflector.stop();
  });
});

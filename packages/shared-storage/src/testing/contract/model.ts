import { expect } from 'chai';
import { isStorageError } from '../../storage/errors.ts';
import type { ObjectRecord, WatchEvent } from '../../storage/interfaces.ts';
import { Contract } from './contract-storage.ts';
import type { ContractTraits, NewStorage } from './contract-storage.ts';
import { labelIs } from './predicates.ts';
import { seededRandom } from '../seeded-random.ts';
import type { WatchRecorder } from './watch-recorder.ts';

/** State of a client that applied watch events: key → resourceVersion. Fails on an event that does not fit. */
function apply(state: Map<string, number>, event: WatchEvent): void {
  if (event.type === 'BOOKMARK' || event.type === 'ERROR') return;
  const { key, revision } = event.record;
  switch (event.type) {
    case 'ADDED':
      expect(state.has(key), `ADDED ${key}, which is there already`).to.equal(false);
      state.set(key, revision);
      break;
    case 'MODIFIED':
      expect(state.has(key), `MODIFIED ${key}, which is not there`).to.equal(true);
      state.set(key, revision);
      break;
    case 'DELETED':
      expect(state.delete(key), `DELETED ${key}, which is not there`).to.equal(true);
      break;
    default:
      event satisfies never;
  }
}

function stateOf(items: readonly ObjectRecord[]): Map<string, number> {
  return new Map(items.map((item) => [item.key, item.revision]));
}

/**
 * Many random writes by several writers: what watchers have seen equals what is stored, at every revision that can be
 * listed.
 */
export function modelContract(newStorage: NewStorage, traits: ContractTraits): void {
  describe('random writes', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
    });
    afterEach(() => c.close());

    it('are seen by watchers completely, once and in order', async function () {
      this.timeout(60_000);
      const random = seededRandom(20);
      const selection = labelIs('parity', 'even');
      const watches = [];
      for (let i = 0; i < 3; i++)
        watches.push(
          await c.watch({ resourceVersion: '' }),
          await c.watch({ resourceVersion: '', predicate: selection }),
        );
      const writer = async (): Promise<void> => {
        for (let i = 0; i < 120; i++) await write(c, random);
      };
      await Promise.all(Array.from({ length: 4 }, writer));
      const end = await c.create('end', { labels: { parity: 'even' } });

      const all = await c.storage.getList(c.prefix());
      const selected = await c.storage.getList(c.prefix(), { predicate: selection });
      for (const [i, { events }] of watches.entries()) {
        await events.find((event) => 'record' in event && event.record.revision === end.revision);
        expect(sorted(replay(events))).to.deep.equal(sorted(stateOf((i % 2 === 0 ? all : selected).items)));
      }
      await checkPast(c, watches[0]?.events ?? expect.fail(), traits);
      for (const { watch } of watches) watch.stop();
    });
  });
}

/** One write that may fail because somebody else was faster. */
async function write(c: Contract, random: (below: number) => number): Promise<void> {
  const name = `pod-${random(12)}`;
  const labels = { parity: random(2) === 0 ? 'even' : 'odd', value: String(random(1000)) };
  try {
    switch (random(4)) {
      case 0:
        await c.create(name, { labels });
        break;
      case 1:
      case 2:
        await c.update(name, { labels });
        break;
      default:
        await c.storage.delete(c.key(name));
        break;
    }
  } catch (error) {
    if (!isStorageError(error, 'KeyExists') && !isStorageError(error, 'KeyNotFound')) throw error;
  }
}

function replay(events: WatchRecorder): Map<string, number> {
  const state = new Map<string, number>();
  let last = 0;
  for (const event of events.events) {
    if (!('record' in event)) continue;
    expect(event.record.revision, 'revisions never go back').to.be.at.least(last);
    last = event.record.revision;
    apply(state, event);
  }
  return state;
}

/** Lists at the revisions of some events equal the replay up to them. */
async function checkPast(c: Contract, events: WatchRecorder, traits: ContractTraits): Promise<void> {
  const state = new Map<string, number>();
  let checked = 0;
  for (const [i, event] of events.events.entries()) {
    apply(state, event);
    if (!('record' in event) || i % 25 !== 0) continue;
    const list = await c.storage.getList(c.prefix(), {
      resourceVersion: String(event.record.revision),
      resourceVersionMatch: 'Exact',
    });
    expect(
      sorted(stateOf(list.items)),
      `at revision ${event.record.revision}${traits.cached === true ? ' through the cache' : ''}`,
    ).to.deep.equal(sorted(state));
    checked++;
  }
  expect(checked).to.be.above(3);
}

function sorted(state: Map<string, number>): (readonly [string, number])[] {
  return [...state].sort(([a], [b]) => (a < b ? -1 : 1));
}

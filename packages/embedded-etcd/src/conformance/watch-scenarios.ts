import type { Message } from '../testing/raw-client.ts';
import type { Scenario } from './recorder.ts';
import { bytes } from './recorder.ts';

const create = (key: string, more: Message = {}): Message => ({ create_request: { key: bytes(key), ...more } });
const ALL = { range_end: bytes('\0') };

/** Watches. */
export const watchScenarios: readonly Scenario[] = [
  {
    name: 'a watch of one key and of a prefix',
    async run(r) {
      const watch = r.stream('Watch.Watch');
      watch.send(create('a'));
      await watch.take(1);
      watch.send(create('p/', { range_end: bytes('p0'), prev_kv: true }));
      await watch.take(1);
      await r.put('a', '1');
      await watch.take(1);
      await r.put('p/1', '1');
      await watch.take(1);
      await r.put('p/1', '2');
      await watch.take(1);
      await r.delete('p/1');
      await watch.take(1);
      await r.put('q', '1');
      await watch.silence();
      await r.call('KV.Txn', {
        success: [
          { request_put: { key: bytes('p/1'), value: bytes('a') } },
          { request_put: { key: bytes('p/2'), value: bytes('b') } },
          { request_delete_range: { key: bytes('a') } },
        ],
      });
      await watch.takeEvents(3);
      watch.send({ cancel_request: { watch_id: 1 } });
      await watch.take(1);
      watch.send({ cancel_request: { watch_id: 9 } });
      await r.put('p/1', 'unseen');
      await watch.silence();
    },
  },
  {
    name: 'a watch from the past',
    async run(r) {
      await r.put('a', '1');
      await r.put('a', '2');
      await r.put('b', '1');
      await r.delete('a');
      await r.put('a', '3');
      const watch = r.stream('Watch.Watch');
      watch.send(create('a', { start_revision: 2, prev_kv: true }));
      await watch.take(1);
      await watch.takeEvents(4);
      watch.send(create('\0', { ...ALL, start_revision: 4 }));
      await watch.take(1);
      await watch.takeEvents(3);
      watch.send(create('', { ...ALL, start_revision: 6 }));
      await watch.take(1);
      await watch.takeEvents(1);
      watch.send(create('f', { start_revision: 9 }));
      await watch.take(1);
      await r.put('f', 'too early');
      await r.put('f', 'too early');
    },
  },
  {
    name: 'a watch that begins in the future',
    async run(r) {
      const watch = r.stream('Watch.Watch');
      watch.send(create('f', { start_revision: 4 }));
      await watch.take(1);
      await r.put('f', '2');
      await r.put('f', '3');
      await watch.silence();
      await r.put('f', '4');
      await watch.take(1);
    },
  },
  {
    name: 'filters',
    async run(r) {
      const watch = r.stream('Watch.Watch');
      watch.send(create('a', { filters: ['Noput'] }));
      await watch.take(1);
      watch.send(create('b', { filters: ['Nodelete'] }));
      await watch.take(1);
      await r.put('a', '1');
      await r.put('b', '1');
      await r.delete('a');
      await r.delete('b');
      await watch.takeEvents(2);
      watch.send(create('a', { filters: ['Noput', 'Nodelete'], start_revision: 1 }));
      await watch.take(1);
      await watch.silence();
    },
  },
  {
    name: 'watch ids and refusals',
    async run(r) {
      const watch = r.stream('Watch.Watch');
      watch.send(create('a', { watch_id: 7 }));
      await watch.take(1);
      watch.send(create('a', { watch_id: 7 }));
      await watch.take(1);
      watch.send(create('a'));
      await watch.take(1);
      watch.send(create('a', { watch_id: 1 }));
      await watch.take(1);
      watch.send(create('a'));
      await watch.take(1);
      watch.send(create('b', { range_end: bytes('a') }));
      await watch.take(1);
      watch.send(create('b', { range_end: bytes('b') }));
      await watch.take(1);
    },
  },
  {
    name: 'watches and compaction',
    async run(r) {
      for (const value of ['1', '2', '3', '4']) await r.put('a', value);
      await r.call('KV.Compact', { revision: 4, physical: true });
      const watch = r.stream('Watch.Watch');
      watch.send(create('a', { start_revision: 3 }));
      await watch.take(2);
      watch.send(create('a', { start_revision: 4, prev_kv: true }));
      await watch.take(1);
      await watch.takeEvents(2);
      watch.send({ cancel_request: { watch_id: 0 } });
      await watch.silence();
    },
  },
  {
    name: 'progress requests',
    async run(r) {
      const watch = r.stream('Watch.Watch');
      watch.send(create('a'));
      await watch.take(1);
      await r.put('b', '1');
      watch.send({ progress_request: {} });
      await watch.take(1);
    },
  },
];

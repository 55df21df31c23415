import type { Scenario } from './recorder.ts';
import { bytes } from './recorder.ts';

const ALL = { range_end: bytes('\0') };

/** Range, Put, DeleteRange and Compact. */
export const kvScenarios: readonly Scenario[] = [
  {
    name: 'versions and revisions of a key',
    async run(r) {
      await r.range('a');
      await r.put('a', '1');
      await r.put('a', '2', { prev_kv: true });
      await r.range('a');
      await r.delete('a', { prev_kv: true });
      await r.delete('a', { prev_kv: true });
      await r.range('a');
      await r.put('a', '3', { prev_kv: true });
      await r.range('a');
      await r.range('a', { revision: 3 });
      await r.range('a', { revision: 2 });
      await r.range('a', { revision: 4 });
      await r.range('a', { revision: 1 });
      await r.range('a', { revision: -5 });
      await r.range('a', { revision: 6 });
    },
  },
  {
    name: 'ranges and their options',
    async run(r) {
      for (const key of ['b', 'a', 'c/1', 'c/2', 'c/3', 'd', 'é', 'z\xff']) await r.put(key, `v${key}`);
      await r.put('b', 'longer value');
      await r.range('c/', { range_end: bytes('c0') });
      await r.range('c/', { range_end: bytes('c0'), limit: 2 });
      await r.range('c/', { range_end: bytes('c0'), limit: 3 });
      await r.range('c/', { range_end: bytes('c0'), keys_only: true });
      await r.range('c/', { range_end: bytes('c0'), count_only: true });
      await r.range('c/', { range_end: bytes('c0'), count_only: true, limit: 1 });
      await r.range('\0', { ...ALL, keys_only: true });
      await r.range('c/2', { ...ALL, keys_only: true });
      await r.range('d', { range_end: bytes('a') });
      await r.range('d', { range_end: bytes('d') });
      await r.range('a', { ...ALL, revision: 4, keys_only: true });
      await r.range('a', { ...ALL, revision: 4, limit: 1 });
      await r.range('a', { ...ALL, revision: 4, count_only: true });
      for (const target of ['Key', 'Version', 'Create', 'Mod', 'Value']) {
        await r.range('a', { ...ALL, keys_only: true, sort_target: target, sort_order: 'Descend' });
        await r.range('a', { ...ALL, keys_only: true, sort_target: target, sort_order: 'Ascend', limit: 2 });
      }
      await r.range('a', { ...ALL, keys_only: true, sort_target: 'Mod' });
      await r.range('a', { ...ALL, keys_only: true, sort_target: 'Mod', limit: 2 });
      await r.range('a', { ...ALL, keys_only: true, min_mod_revision: 4, max_mod_revision: 7 });
      await r.range('a', { ...ALL, keys_only: true, min_create_revision: 3, max_create_revision: 4, limit: 1 });
      await r.range('a', { serializable: true });
      await r.range('');
    },
  },
  {
    name: 'put options and refusals',
    async run(r) {
      await r.put('', 'x');
      await r.put('a', 'x', { ignore_value: true });
      await r.put('a', '', { ignore_value: true });
      await r.put('a', 'x', { ignore_lease: true });
      await r.put('a', 'x', { lease: 77 });
      await r.call('Lease.LeaseGrant', { ID: 77, TTL: 1000 });
      await r.put('a', 'x', { lease: 77 });
      await r.put('a', 'x', { lease: 77, ignore_lease: true });
      await r.put('a', '', { ignore_value: true, prev_kv: true });
      await r.range('a');
      await r.put('a', 'y', { lease: 77 });
      await r.put('a', 'z', { ignore_lease: true });
      await r.range('a');
      await r.put('empty', '');
      await r.range('empty');
      await r.call('KV.Put', { key: bytes('big'), value: Buffer.alloc(1024 * 1024) });
      await r.call('KV.Put', { key: bytes('big'), value: Buffer.alloc(1.5 * 1024 * 1024) });
      await r.call('KV.Put', { key: bytes('big'), value: Buffer.alloc(1.5 * 1024 * 1024 - 512) });
    },
  },
  {
    name: 'delete ranges',
    async run(r) {
      for (const key of ['a', 'b', 'c', 'd']) await r.put(key, key);
      await r.delete('');
      await r.delete('b', { range_end: bytes('d') });
      await r.delete('b', { range_end: bytes('a') });
      await r.delete('a', { ...ALL, prev_kv: true });
      await r.range('a', ALL);
      await r.range('a', { ...ALL, revision: 5 });
    },
  },
  {
    name: 'compaction',
    async run(r) {
      for (const value of ['1', '2', '3']) await r.put('a', value);
      await r.put('b', '1');
      await r.delete('b');
      await r.call('KV.Compact', { revision: 7 });
      await r.call('KV.Compact', { revision: 4, physical: true });
      await r.range('a', { revision: 3 });
      await r.range('a', { revision: 4 });
      await r.range('a', { revision: 1 });
      await r.call('KV.Compact', { revision: 4 });
      await r.call('KV.Compact', { revision: 2 });
      await r.call('KV.Compact', { revision: 6, physical: true });
      await r.range('a', { ...ALL, revision: 6 });
      await r.range('a', ALL);
    },
  },
];

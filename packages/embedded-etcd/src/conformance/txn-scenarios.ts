import type { Message } from '../testing/raw-client.ts';
import type { Scenario } from './recorder.ts';
import { bytes } from './recorder.ts';

const put = (key: string, value: string, more: Message = {}): Message => ({
  request_put: { key: bytes(key), value: bytes(value), ...more },
});
const get = (key: string, more: Message = {}): Message => ({ request_range: { key: bytes(key), ...more } });
const del = (key: string, more: Message = {}): Message => ({ request_delete_range: { key: bytes(key), ...more } });
const txn = (compare: Message[], success: Message[], failure: Message[] = []): Message => ({
  compare,
  success,
  failure,
});
const nested = (compare: Message[], success: Message[], failure: Message[] = []): Message => ({
  request_txn: txn(compare, success, failure),
});
const compare = (key: string, target: string, result: string, operand: Message): Message => ({
  key: bytes(key),
  target,
  result,
  ...operand,
});

/** Transactions. */
export const txnScenarios: readonly Scenario[] = [
  {
    name: 'comparisons',
    async run(r) {
      await r.call('Lease.LeaseGrant', { ID: 5, TTL: 1000 });
      await r.put('a', 'x', { lease: 5 });
      await r.put('a', 'y', { lease: 5 });
      await r.put('ab', 'z');
      const operands: [string, Message][] = [
        ['Version', { version: 2 }],
        ['Create', { create_revision: 2 }],
        ['Mod', { mod_revision: 3 }],
        ['Value', { value: bytes('y') }],
        ['Lease', { lease: 5 }],
      ];
      for (const [target, operand] of operands) {
        for (const result of ['Equal', 'NotEqual', 'Greater', 'Less']) {
          await r.call('KV.Txn', txn([compare('a', target, result, operand)], [], []));
          await r.call('KV.Txn', txn([compare('none', target, result, operand)], [], []));
        }
      }
      await r.call('KV.Txn', txn([compare('none', 'Version', 'Equal', {})], []));
      await r.call('KV.Txn', txn([compare('none', 'Value', 'Equal', {})], []));
      await r.call('KV.Txn', txn([compare('none', 'Value', 'NotEqual', {})], []));
      await r.call('KV.Txn', txn([compare('a', 'Create', 'Less', { create_revision: 4, range_end: bytes('b') })], []));
      await r.call('KV.Txn', txn([compare('a', 'Create', 'Less', { create_revision: 5, range_end: bytes('b') })], []));
      await r.call(
        'KV.Txn',
        txn([compare('x', 'Create', 'Equal', { create_revision: 0, range_end: bytes('\0') })], []),
      );
      await r.call('KV.Txn', txn([compare('', 'Create', 'Equal', {})], []));
    },
  },
  {
    name: 'operations of one revision',
    async run(r) {
      await r.call('KV.Txn', txn([], [get('a')]));
      await r.call('KV.Txn', txn([], [put('a', '1'), get('a'), put('b', '2'), get('a', { range_end: bytes('\0') })]));
      await r.call(
        'KV.Txn',
        txn([compare('a', 'Mod', 'Equal', { mod_revision: 2 })], [put('a', '3', { prev_kv: true })], [get('a')]),
      );
      await r.call(
        'KV.Txn',
        txn(
          [compare('a', 'Mod', 'Equal', { mod_revision: 2 })],
          [put('a', '4')],
          [get('a'), del('b', { prev_kv: true }), get('b')],
        ),
      );
      await r.call('KV.Txn', txn([], [del('a', { range_end: bytes('\0') }), del('a'), get('a')]));
      await r.call('KV.Txn', txn([], [del('nothing')]));
      await r.call('KV.Txn', txn([], [get('a', { revision: 2 }), put('c', '1'), get('a', { revision: 3 })]));
      await r.call('KV.Txn', txn([], []));
    },
  },
  {
    name: 'nested transactions',
    async run(r) {
      const isNew = compare('a', 'Create', 'Equal', { create_revision: 0 });
      await r.call('KV.Txn', txn([isNew], [put('b', '1'), nested([isNew], [put('a', '1'), get('b')], [get('b')])]));
      await r.call(
        'KV.Txn',
        txn([isNew], [put('b', '2')], [put('c', '1'), nested([isNew], [put('d', '1')], [nested([], [put('d', '2')])])]),
      );
      await r.call(
        'KV.Txn',
        txn(
          [],
          [
            put('n', '1'),
            nested([compare('n', 'Version', 'Equal', { version: 0 })], [put('saw', 'before')], [put('saw', 'after')]),
          ],
        ),
      );
      await r.call('KV.Txn', txn([], [nested([], [put('p', '1')]), nested([], [del('p')]), get('p')]));
      await r.range('a', { range_end: bytes('\0') });
    },
  },
  {
    name: 'refused transactions',
    async run(r) {
      await r.call('KV.Txn', txn([], [put('a', '1'), put('a', '2')]));
      await r.call('KV.Txn', txn([], [put('a', '1'), del('a')]));
      await r.call('KV.Txn', txn([], [del('a', { range_end: bytes('c') }), put('b', '1')]));
      await r.call('KV.Txn', txn([], [del('a', { range_end: bytes('\0') }), put('b', '1')]));
      await r.call('KV.Txn', txn([], [del('a'), del('a')]));
      await r.call('KV.Txn', txn([], [put('a', '1'), nested([], [put('a', '2')])]));
      await r.call('KV.Txn', txn([], [nested([], [put('a', '1')], [put('a', '2')])]));
      await r.call('KV.Txn', txn([], [nested([], [put('a', '1')]), nested([], [put('a', '2')])]));
      await r.call('KV.Txn', txn([], [nested([], [del('a')]), put('a', '2')]));
      await r.call('KV.Txn', txn([], [put('', '1')]));
      await r.call('KV.Txn', txn([], [get('')]));
      await r.call('KV.Txn', txn([], [del('')]));
      await r.call('KV.Txn', txn([], [{}]));
      await r.call('KV.Txn', txn([], [put('z', '1'), get('z', { revision: 100 })]));
      await r.call('KV.Txn', txn([], [put('z', '1'), put('y', '1', { lease: 99 })]));
      await r.call('KV.Txn', txn([], [put('z', '1'), put('y', '', { ignore_value: true })]));
      await r.call(
        'KV.Txn',
        txn(
          [],
          Array.from({ length: 129 }, (_, index) => put(`k${index}`, '1')),
        ),
      );
      await r.call(
        'KV.Txn',
        txn(
          [],
          [
            ...Array.from({ length: 100 }, () => get('k')),
            nested(
              [],
              Array.from({ length: 29 }, () => get('k')),
            ),
          ],
        ),
      );
      await r.range('z', { range_end: bytes('\0') });
    },
  },
];

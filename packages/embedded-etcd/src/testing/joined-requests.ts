import { encode } from '../proto/message.ts';
import { PutRequest, RangeRequest } from '../proto/rpc-kv.ts';

/** What a RangeRequest says where a test says nothing. */
export const emptyRange = {
  rangeEnd: '',
  limit: 0,
  revision: 0,
  sortOrder: 0,
  sortTarget: 0,
  serializable: false,
  keysOnly: false,
  countOnly: false,
  minModRevision: 0,
  maxModRevision: 0,
  minCreateRevision: 0,
  maxCreateRevision: 0,
};

/** A PutRequest. */
export const putOf = (key: string, value: Buffer): Buffer =>
  encode(PutRequest, { key, value, lease: 0, prevKv: false, ignoreValue: false, ignoreLease: false });

/** A RangeRequest for one key. */
export const rangeOf = (key: string): Buffer => encode(RangeRequest, { ...emptyRange, key });

/** A request of a stream that many calls share (joined-calls.ts); `method` such as `KV/Range`. */
export function joinedRequest(number: number, method: string, message: Buffer): Buffer {
  const path = Buffer.from(`/etcdserverpb.${method}`);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(number, 0);
  head.writeUInt8(path.length, 4);
  return Buffer.concat([head, path, message]);
}

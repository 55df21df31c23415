import type { WireReader } from '@kubechain/apimachinery/wire';
import { EtcdEvent, KeyValue } from './etcd-client.ts';
import type { EtcdStatus, RangeResponse, TxnResponse } from './etcd-client.ts';
import { decoder } from './message-decoder.ts';

/** ResponseHeader.revision; the rest of the header is not needed. */
function readHeaderRevision(reader: WireReader): number {
  const outer = reader.enter();
  let revision = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 24) revision = reader.integer();
    else reader.skip(tag);
  }
  reader.leave(outer);
  return revision;
}

function readKeyValue(reader: WireReader): KeyValue {
  const outer = reader.enter();
  const kv = new KeyValue();
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case 10:
        kv.key = reader.text();
        break;
      case 16:
        kv.createRevision = reader.integer();
        break;
      case 24:
        kv.modRevision = reader.integer();
        break;
      case 32:
        kv.version = reader.integer();
        break;
      case 42:
        kv.value = reader.bytes();
        break;
      case 48:
        kv.lease = reader.bigint64();
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.leave(outer);
  return kv;
}

function readRange(reader: WireReader): RangeResponse {
  let revision = 0;
  const kvs: KeyValue[] = [];
  let more = false;
  let count = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case 10:
        revision = readHeaderRevision(reader);
        break;
      case 18:
        kvs.push(readKeyValue(reader));
        break;
      case 24:
        more = reader.bool();
        break;
      case 32:
        count = reader.integer();
        break;
      default:
        reader.skip(tag);
    }
  }
  return { revision, kvs, more, count };
}

function readWrite(reader: WireReader): { readonly revision: number; readonly deleted: number } {
  let revision = 0;
  let deleted = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) revision = readHeaderRevision(reader);
    else if (tag === 16) deleted = reader.integer();
    else reader.skip(tag);
  }
  return { revision, deleted };
}

/** The key-values of one ResponseOp: found, or previous ones of a deletion. */
function readResponseOp(reader: WireReader): KeyValue[] {
  const outer = reader.enter();
  let kvs: KeyValue[] = [];
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) {
      const range = reader.enter();
      kvs = readRange(reader).kvs;
      reader.leave(range);
    } else if (tag === 26) {
      const deletion = reader.enter();
      for (let inner = reader.tag(); inner !== 0; inner = reader.tag()) {
        if (inner === 26) kvs.push(readKeyValue(reader));
        else reader.skip(inner);
      }
      reader.leave(deletion);
    } else reader.skip(tag);
  }
  reader.leave(outer);
  return kvs;
}

function readTxn(reader: WireReader): TxnResponse {
  let revision = 0;
  let succeeded = false;
  const responses: KeyValue[][] = [];
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case 10:
        revision = readHeaderRevision(reader);
        break;
      case 16:
        succeeded = reader.bool();
        break;
      case 26:
        responses.push(readResponseOp(reader));
        break;
      default:
        reader.skip(tag);
    }
  }
  return { revision, succeeded, responses };
}

function readLease(reader: WireReader): { readonly id: bigint; readonly ttlSeconds: number } {
  let id = 0n;
  let ttlSeconds = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 16) id = reader.bigint64();
    else if (tag === 24) ttlSeconds = reader.integer();
    else reader.skip(tag);
  }
  return { id, ttlSeconds };
}

function readStatus(reader: WireReader): EtcdStatus {
  let revision = 0;
  let version = '';
  let dbSizeBytes = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case 10:
        revision = readHeaderRevision(reader);
        break;
      case 18:
        version = reader.text();
        break;
      case 24:
        dbSizeBytes = reader.integer();
        break;
      default:
        reader.skip(tag);
    }
  }
  return { version, dbSizeBytes, revision };
}

/** One etcdserverpb.WatchResponse. */
export class WatchResponse {
  revision = 0;
  created = false;
  canceled = false;
  compactRevision = 0;
  cancelReason = '';
  /** More responses follow with the rest of these events. */
  fragment = false;
  readonly events: EtcdEvent[] = [];
}

function readEvent(reader: WireReader): EtcdEvent {
  const outer = reader.enter();
  const event = new EtcdEvent();
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case 8:
        event.deleted = reader.integer() === 1;
        break;
      case 18:
        event.kv = readKeyValue(reader);
        break;
      case 26:
        event.previous = readKeyValue(reader);
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.leave(outer);
  return event;
}

function readWatch(reader: WireReader): WatchResponse {
  const response = new WatchResponse();
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case 10:
        response.revision = readHeaderRevision(reader);
        break;
      case 24:
        response.created = reader.bool();
        break;
      case 32:
        response.canceled = reader.bool();
        break;
      case 40:
        response.compactRevision = reader.integer();
        break;
      case 50:
        response.cancelReason = reader.text();
        break;
      case 56:
        response.fragment = reader.bool();
        break;
      case 90:
        response.events.push(readEvent(reader));
        break;
      default:
        reader.skip(tag);
    }
  }
  return response;
}

/** Reads the header's revision of any unary response, and `DeleteRangeResponse.deleted`. */
export const decodeWrite = decoder(readWrite);

/** Reads etcdserverpb.TxnResponse. */
export const decodeTxn = decoder(readTxn);

/** Reads LeaseGrantResponse and LeaseTimeToLiveResponse, which begin alike. */
export const decodeLease = decoder(readLease);

/** Reads etcdserverpb.StatusResponse. */
export const decodeStatus = decoder(readStatus);

/** Reads etcdserverpb.WatchResponse. Values are views into `message`. */
export const decodeWatch = decoder(readWatch);

/** Reads etcdserverpb.RangeResponse. Values are views into `message`. */
export const decodeRange = decoder(readRange);

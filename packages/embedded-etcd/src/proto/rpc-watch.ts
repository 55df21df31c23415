import type { WireReader, WireWriter } from '@kubechain/apimachinery/wire';
import type { MessageType } from './message.ts';
import { bool, integer, integers, key, list, message, nested, text } from './message.ts';
import { ResponseHeader } from './rpc-kv.ts';

/* etcdserverpb of etcd 3.6, api/etcdserverpb/rpc.proto: the Watch service. */

/** `WatchCreateRequest.FilterType`. */
export const WatchFilter = { noPut: 0, noDelete: 1 } as const;

export interface WatchCreateRequest {
  readonly key: string;
  readonly rangeEnd: string;
  readonly startRevision: number;
  readonly progressNotify: boolean;
  readonly filters: readonly number[];
  readonly prevKv: boolean;
  readonly watchId: number;
  readonly fragment: boolean;
}
export const WatchCreateRequest = message<WatchCreateRequest>({
  key: key(1),
  rangeEnd: key(2),
  startRevision: integer(3),
  progressNotify: bool(4),
  filters: integers(5),
  prevKv: bool(6),
  watchId: integer(7),
  fragment: bool(8),
});

/** A oneof: at most one member is set. */
export interface WatchRequest {
  readonly createRequest: WatchCreateRequest | undefined;
  readonly cancelRequest: { readonly watchId: number } | undefined;
  readonly progressRequest: object | undefined;
}
const WatchCancelRequest = message<{ readonly watchId: number }>({ watchId: integer(1) });
const WatchProgressRequest = message<object>({});
export const WatchRequest = message<WatchRequest>({
  createRequest: nested(1, () => WatchCreateRequest),
  cancelRequest: nested(2, () => WatchCancelRequest),
  progressRequest: nested(3, () => WatchProgressRequest),
});

/** An encoded `mvccpb.Event`: encoded once, sent to every watcher that matches. */
const EncodedEvent: MessageType<Uint8Array> = {
  read(reader: WireReader): Uint8Array {
    return reader.rest();
  },
  write(writer: WireWriter, event: Uint8Array): void {
    writer.raw(event);
  },
};

export interface WatchResponse {
  readonly header: ResponseHeader | undefined;
  readonly watchId: number;
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compactRevision: number;
  readonly cancelReason: string;
  readonly fragment: boolean;
  readonly events: readonly Uint8Array[];
}
export const WatchResponse = message<WatchResponse>({
  header: nested(1, () => ResponseHeader),
  watchId: integer(2),
  created: bool(3),
  canceled: bool(4),
  compactRevision: integer(5),
  cancelReason: text(6),
  fragment: bool(7),
  events: list(11, () => EncodedEvent),
});

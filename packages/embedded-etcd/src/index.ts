export { startEmbeddedEtcd } from './server/start.ts';
export type { EmbeddedEtcd } from './server/start.ts';
export type { EmbeddedEtcdOptions } from './server/options.ts';
export type { TlsOptions } from './server/tls-options.ts';
export { DataFileError } from './mvcc/data-file-error.ts';
export type { DataFileErrorReason } from './mvcc/data-file-error.ts';
export type { StoreImage } from './mvcc/store-image.ts';
export { openEmbeddedStore } from './direct/embedded-store.ts';
export type { EmbeddedStore, EmbeddedStoreOptions } from './direct/embedded-store.ts';
export type { DirectWatch, DirectWatchEnd, DirectWatchSink } from './direct/direct-watch.ts';
export type { EventMessage, KeyValue } from './proto/kv.ts';
export type {
  Compare,
  DeleteRangeRequest,
  PutRequest,
  RangeRequest,
  RangeResponse,
  RequestOp,
  ResponseOp,
  TxnRequest,
  TxnResponse,
} from './proto/rpc-kv.ts';
export { isEtcdError } from './errors/etcd-error.ts';

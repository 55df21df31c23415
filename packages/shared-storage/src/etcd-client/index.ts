/** Entry point `@kubechain/shared-storage/etcd`: clients of etcd, and what a client of another kind has to be. */
export { Endpoint } from './endpoint.ts';
export { patientKeepalive } from './endpoint-options.ts';
export type { EtcdTlsSource } from './endpoint-options.ts';
export { EtcdEvent, KeyValue } from './etcd-client.ts';
export type {
  CallOptions,
  Compare,
  DeleteRequest,
  EtcdClient,
  EtcdStatus,
  EtcdWatch,
  EtcdWatchRequest,
  EtcdWatchSink,
  PutRequest,
  RangeRequest,
  RangeResponse,
  TxnOperation,
  TxnRequest,
  TxnResponse,
} from './etcd-client.ts';
export { EtcdError, errorFromGrpcStatus, isEtcdError } from './etcd-error.ts';
export { createEtcdClient } from './etcd3-client.ts';

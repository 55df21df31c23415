/** Etcd operation names of upstream's metrics (etcd3/metrics). */
export type EtcdOperation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'listWithCount' | 'leaseGrant';

/** Where a store reports what it does. Implementations must not throw. */
export interface StoreMetrics {
  /** One etcd call; `startedMs` is performance.now() before it. */
  request(operation: EtcdOperation, startedMs: number, failed: boolean): void;
  /** One list: keys fetched from etcd, objects decoded and tested, objects returned. */
  list(fetched: number, evaluated: number, returned: number): void;
  decodeError(): void;
  events(count: number): void;
  bookmark(): void;
}

/** Reports nothing. */
export const noStoreMetrics: StoreMetrics = {
  request: () => undefined,
  list: () => undefined,
  decodeError: () => undefined,
  events: () => undefined,
  bookmark: () => undefined,
};

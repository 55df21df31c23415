import type { KubeObject } from '@kubechain/apimachinery';
import { StorageError, keyError } from '../storage/errors.ts';
import type { ObjectRecord } from '../storage/interfaces.ts';
import { prepareKey } from '../storage/storage-key.ts';
import type { Span } from '../tracing/span.ts';
import { writeLeased } from './leased-write.ts';
import { measuredTxn, writtenRecord } from './store-context.ts';
import type { StoreContext } from './store-context.ts';
import { noted } from '../tracing/noted.ts';
import { toStorage } from './write-steps.ts';

/** One transaction: put, if the key does not exist. */
export async function create(
  context: StoreContext,
  key: string,
  request: {
    readonly object: KubeObject;
    readonly ttlSeconds?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly span?: Span | undefined;
  },
): Promise<ObjectRecord> {
  const prepared = prepareKey(context.keyRoot, key, false);
  const { object, span, ttlSeconds, signal } = request;
  const version = object.metadata?.resourceVersion;
  if (version !== undefined && version !== '' && version !== '0')
    throw new StorageError('Internal', 'resourceVersion should not be set on objects to be created', { key: prepared });
  span?.event('About to Encode');
  const encoded = context.codec.encode(object);
  span?.event('Encode succeeded', { len: encoded.length });
  const stored = toStorage(context, prepared, { encoded, span });
  const value = stored instanceof Promise ? await stored : stored;
  const write = (lease: bigint): ReturnType<typeof measuredTxn> =>
    measuredTxn(context, 'create', {
      key: prepared,
      txn: {
        compare: [{ key: prepared, modRevision: 0 }],
        success: [{ kind: 'put', request: { key: prepared, value, lease } }],
        failure: [],
      },
      options: { signal },
    });
  const { succeeded, revision } = await noted(span, { name: 'Txn call' }, () =>
    ttlSeconds === undefined || ttlSeconds === 0
      ? write(0n)
      : writeLeased(context, prepared, { ttlSeconds, signal, write }),
  );
  if (!succeeded) throw keyError('KeyExists', prepared);
  return writtenRecord(context, prepared, { object, value: encoded, revision });
}

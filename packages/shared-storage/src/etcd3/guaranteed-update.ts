import type { KubeObject } from '@kubechain/apimachinery';
import { keyError } from '../storage/errors.ts';
import type { GuaranteedUpdateOptions, ObjectRecord, UpdateFunction } from '../storage/interfaces.ts';
import { checkPreconditions } from '../storage/preconditions.ts';
import { prepareKey } from '../storage/storage-key.ts';
import type { Span } from '../tracing/span.ts';
import { writeLeased } from './leased-write.ts';
import { measuredTxn, readState, stateOf, writtenRecord } from './store-context.ts';
import type { StoreContext, StoredState } from './store-context.ts';
import { noted } from '../tracing/noted.ts';
import { toStorage } from './write-steps.ts';

/**
 * Read, change, compare-and-swap, until it holds (storage.Interface.GuaranteedUpdate).
 *
 * With a cached record the first read is spared. What goes wrong with it (precondition, error of `update`, nothing to
 * change) is believed only after the current state has been read and is the same.
 */
export async function guaranteedUpdate(
  context: StoreContext,
  key: string,
  request: {
    readonly update: UpdateFunction;
    readonly options: GuaranteedUpdateOptions;
    readonly span?: Span | undefined;
  },
): Promise<ObjectRecord> {
  const prepared = prepareKey(context.keyRoot, key, false);
  const { options, span } = request;
  let state: StoredState | undefined;
  let current: boolean;
  const read = async (): Promise<void> => {
    state = await readState(context, prepared, { signal: options.signal });
    current = true;
    if (state === undefined && options.ignoreNotFound !== true) throw keyError('KeyNotFound', prepared);
  };
  current = false;
  if (options.cached === undefined) await read();
  else state = { record: options.cached, encoded: undefined, stale: false, isFirst: false, lease: undefined };
  span?.event('initial value restored');

  for (;;) {
    const failed = checkPreconditions(prepared, state?.record, options.preconditions);
    if (failed !== undefined) {
      if (current) throw failed;
      await read();
      continue;
    }
    const turn = state === undefined ? undefined : options.turn?.(state.record.json);
    if (turn !== undefined) await turn;
    let output;
    try {
      output = await request.update({ object: state?.record.object(), record: state?.record });
    } catch (error) {
      if (current) throw error;
      const cachedRevision = state?.record.revision;
      await read();
      if (state?.record.revision === cachedRevision) throw error;
      continue;
    }
    span?.event('About to Encode');
    const encoded = context.codec.encode(output.object);
    span?.event('Encode succeeded', { len: encoded.length });
    const isChange = output.isChanged === true || options.evenIfUnchanged === true;
    if (!isChange && state !== undefined && !state.stale && unchanged(context, state, encoded)) {
      if (!current) {
        await read();
        // Changed after all, or stored with an old key: try again on what is there.
        if (state.stale || !unchanged(context, state, encoded)) continue;
      }
      if (!state.isFirst || options.writesFirst?.(output.object) !== true) return state.record;
    }
    const written = await swap(context, prepared, { state, encoded, ...output, signal: options.signal, span });
    if (written.kind === 'written') return written.record;
    state = written.state;
    current = true;
    span?.event('Retry value restored');
    if (state === undefined && options.ignoreNotFound !== true) throw keyError('KeyNotFound', prepared);
  }
}

function unchanged(context: StoreContext, state: StoredState, encoded: Uint8Array): boolean {
  if (state.encoded !== undefined) return Buffer.compare(state.encoded, encoded) === 0;
  const { codec } = context;
  return codec.storesAs === undefined
    ? Buffer.compare(codec.encode(state.record.object()), encoded) === 0
    : codec.storesAs(state.record, encoded);
}

interface Swap {
  readonly state: StoredState | undefined;
  readonly encoded: Uint8Array;
  readonly object: KubeObject;
  readonly ttlSeconds?: number;
  readonly signal: AbortSignal | undefined;
  readonly span: Span | undefined;
}

type SwapResult =
  | { readonly kind: 'written'; readonly record: ObjectRecord }
  /** Somebody else was faster; `state` is what there is now. */
  | { readonly kind: 'conflict'; readonly state: StoredState | undefined };

async function swap(context: StoreContext, key: string, change: Swap): Promise<SwapResult> {
  const { state, encoded, object, span, ttlSeconds, signal } = change;
  const stored = toStorage(context, key, { encoded, span });
  const value = stored instanceof Promise ? await stored : stored;
  span?.event('Transaction prepared');
  const write = (lease: bigint | undefined): ReturnType<typeof measuredTxn> =>
    measuredTxn(context, 'update', {
      key,
      txn: {
        compare: [{ key, modRevision: state?.record.revision ?? 0 }],
        success: [
          { kind: 'put', request: lease === undefined ? { key, value, keepLease: true } : { key, value, lease } },
        ],
        failure: [{ kind: 'range', request: { key } }],
      },
      options: { signal },
    });
  const { succeeded, revision, responses } = await noted(span, { name: 'Txn call', success: 'completed' }, () =>
    ttlSeconds === undefined || ttlSeconds === 0
      ? write(keptLease(change))
      : writeLeased(context, key, { ttlSeconds, signal, write }),
  );
  span?.event('Transaction committed');
  if (succeeded) return { kind: 'written', record: writtenRecord(context, key, { object, value: encoded, revision }) };
  const kv = responses[0]?.[0];
  return { kind: 'conflict', state: kv === undefined ? undefined : await stateOf(context, kv) };
}

/**
 * The lease to write with when no new TTL is given: none, or the one that the key has (undefined = let etcd keep it).
 */
function keptLease({ ttlSeconds, state }: Swap): bigint | undefined {
  return ttlSeconds === 0 || state === undefined ? 0n : state.lease;
}

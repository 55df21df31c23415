import { isStatusError, sleep } from '@kubechain/apimachinery';
import type { KubeObject, ObjectMeta, TimerClock } from '@kubechain/apimachinery';
import { OwnWrites, everything, internalContext } from '@kubechain/apiserver/resources';
import type { Store } from '@kubechain/apiserver/resources';

/** Between two looks at a cache that is being filled, milliseconds. */
const refillPauseMs = 250;

/** Objects that must exist: created where they are missing, otherwise left as they are. */
export interface WantedObjects {
  readonly store: Store;
  /** '' for cluster-scoped objects. */
  readonly namespace?: string;
  /** Who owns their fields. Default `kube-apiserver`. */
  readonly manager?: string;
  readonly objects: readonly (KubeObject & { metadata: ObjectMeta })[];
}

/**
 * Creates what is missing, in parallel. One list when all is there: a restart writes nothing. A cache that takes long
 * to fill, as one of many objects does, is waited for until `signal` aborts.
 */
export async function ensureObjects(
  wanted: WantedObjects,
  { clock, signal }: { readonly clock: TimerClock; readonly signal: AbortSignal },
): Promise<void> {
  const { store, manager, namespace = '', objects } = wanted;
  const own = new OwnWrites(store, {
    scheme: store.spec.scheme,
    clock: store.environment.clock,
    ...(manager === undefined ? {} : { manager }),
  });
  const context = internalContext({
    groupResource: { group: store.spec.group, resource: store.spec.plural },
    namespace,
    signal,
  });
  const list = (): ReturnType<Store['list']> =>
    store.list(context, {
      predicate: everything,
      resourceVersion: '',
      resourceVersionMatch: '',
      limit: 0,
      continue: '',
    });
  const { items } = await untilFilled(list, clock, signal);
  const present = new Set(items.map((item) => item.attributes.name));
  await Promise.all(
    objects
      .filter((object) => !present.has(object.metadata.name ?? ''))
      .map(async (object) => {
        try {
          await own.create(context, structuredClone(object));
        } catch (error) {
          // Another process of this kind starts at the same time.
          if (!(isStatusError(error) && error.reason === 'AlreadyExists')) throw error;
        }
      }),
  );
}

async function untilFilled<T>(read: () => Promise<T>, clock: TimerClock, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(isStatusError(error) && error.reason === 'TooManyRequests')) throw error;
      await sleep(clock, refillPauseMs, signal);
      signal.throwIfAborted();
    }
  }
}

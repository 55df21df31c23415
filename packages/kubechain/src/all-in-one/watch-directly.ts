import type { DirectWatchEnd, EmbeddedStore, EventMessage } from '@kubechain/embedded-etcd';
import { EtcdError, EtcdEvent, isEtcdError } from '@kubechain/shared-storage/etcd';
import type { EtcdWatch, EtcdWatchRequest, EtcdWatchSink } from '@kubechain/shared-storage/etcd';
import { storeKey, toKeyValue } from './direct-messages.ts';

/** `Event.EventType.DELETE` of etcd's API. */
const deletion = 1;

/** A watch of the store in the same process, with the manners of one over a connection. */
export function watchDirectly(store: EmbeddedStore, request: EtcdWatchRequest, sink: EtcdWatchSink): EtcdWatch {
  let ended = false;
  const end = (error: EtcdError | undefined): void => {
    if (ended) return;
    ended = true;
    sink.end(error);
  };
  const watch = store.watch(
    {
      key: storeKey(request.key),
      rangeEnd: storeKey(request.rangeEnd ?? ''),
      startRevision: request.startRevision,
      progressNotify: request.progressNotify ?? false,
      filters: [],
      prevKv: request.prevKv ?? false,
      watchId: 0,
      fragment: false,
    },
    {
      created: (revision) => {
        sink.created(revision);
      },
      events: (events, revision) => {
        sink.events(events.map(toEvent), revision);
      },
      progress: (revision) => {
        sink.progress(revision);
      },
      end: (reason) => {
        end(errorOf(reason));
      },
    },
  );
  return {
    cancel: () => {
      watch.cancel();
      end(undefined);
    },
    requestProgress: () => {
      if (!ended) watch.requestProgress();
    },
    pause: () => {
      watch.pause();
    },
    resume: () => {
      watch.resume();
    },
  };
}

function toEvent({ kv, prevKv, type }: EventMessage): EtcdEvent {
  const event = new EtcdEvent();
  event.deleted = type === deletion;
  if (kv !== undefined) event.kv = toKeyValue(kv);
  if (prevKv !== undefined) event.previous = toKeyValue(prevKv);
  return event;
}

function errorOf(reason: DirectWatchEnd): EtcdError {
  switch (reason.kind) {
    case 'compacted':
      return new EtcdError('Compacted', 'etcdserver: mvcc: required revision has been compacted');
    case 'stopped':
      return new EtcdError('Unavailable', 'etcdserver: server stopped');
    case 'failed':
      return isEtcdError(reason.error)
        ? reason.error
        : new EtcdError('Internal', 'a watch response could not be processed', { cause: reason.error });
    default:
      return reason satisfies never;
  }
}

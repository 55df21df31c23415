import { MAX_REQUEST_BYTES } from '../grpc/request-size.ts';

/** A part of a large reply; `more` says that the same revision goes on in the next. */
export interface Fragment {
  readonly events: readonly Uint8Array[];
  readonly more: boolean;
}

/** What header, ids and lengths take at most beside the events. */
const REPLY_OVERHEAD_BYTES = 64;

/** Splits events into replies below 1.5 MiB, one event at least in each (etcd: v3rpc sendFragments). */
export function* fragments(events: readonly Uint8Array[], limitBytes = MAX_REQUEST_BYTES): Generator<Fragment> {
  let start = 0;
  let size = REPLY_OVERHEAD_BYTES;
  for (let index = 0; index < events.length; index++) {
    const length = (events[index] as Uint8Array).length + 5;
    if (index > start && size + length >= limitBytes) {
      yield { events: events.slice(start, index), more: true };
      start = index;
      size = REPLY_OVERHEAD_BYTES;
    }
    size += length;
  }
  yield { events: start === 0 ? events : events.slice(start), more: false };
}

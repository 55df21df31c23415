/**
 * Why a watch of the storage has ended. `stopped` is its reader's own doing; after everything else the reader may begin
 * anew.
 */
export type WatchEnd =
  /** By `stop`, or by the signal of its options, whose reason is told. */
  | { readonly kind: 'stopped'; readonly reason?: unknown }
  /** The sink did not take its events within the time budget of the cache, or let a bounded queue run over. */
  | { readonly kind: 'slow' }
  /** What was still to be sent has left the event window of the cache. */
  | { readonly kind: 'overtaken' }
  /** The cache has lost its state, or reads it again. */
  | { readonly kind: 'reinitialized' }
  /** The storage itself is closed: the server stops, or no longer serves the resource. */
  | { readonly kind: 'closed' }
  /** The last event was an ERROR with this error. */
  | { readonly kind: 'failed'; readonly error: Error };

/** The end of a watch whose signal was aborted, or that its reader stopped. */
export function stoppedBy(signal?: AbortSignal): WatchEnd {
  return signal?.aborted === true ? { kind: 'stopped', reason: signal.reason } : { kind: 'stopped' };
}

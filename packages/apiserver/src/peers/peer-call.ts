/** What a server of the chain calls: its store, webhooks, extension servers, the next server. */
export const peerKinds = ['store', 'webhook', 'apiservice', 'delegate'] as const;
/** One of {@link peerKinds}. */
export type PeerKind = (typeof peerKinds)[number];

/** A call of a server of the chain to something beside it. */
export interface PeerCall {
  readonly peer: PeerKind;
  /**
   * Of a store the key, or '' where there is none; of a webhook its own name, of a conversion webhook its CRD's; of an
   * extension server the APIService's name; of a delegate the server's.
   */
  readonly name: string;
  /** Of a store read, write or watch; of all others call. */
  readonly verb: 'read' | 'write' | 'watch' | 'call';
}

/** What happens to a call. */
export type PeerEffect =
  /** It goes out so much later, ms. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** Nobody listens there. Of a store, watches end. */
  | { readonly kind: 'refuse' }
  /** There is no answer until the caller's own time is over. Of a store, watches tell nothing meanwhile. */
  | { readonly kind: 'silence' }
  /** It is answered with an HTTP status and no sense: all but a store. */
  | { readonly kind: 'status'; readonly code: number }
  /** It is answered with 200 and half a JSON document: all but a store. */
  | { readonly kind: 'garble' }
  /** Writes are refused for want of space: a store. */
  | { readonly kind: 'readOnly' }
  /** Writes take effect, and their answers are lost: a store. */
  | { readonly kind: 'loseAnswer' };

/** Effects that calls of a kind can meet. */
export const peerEffects: Readonly<Record<PeerKind, readonly PeerEffect['kind'][]>> = {
  store: ['delay', 'refuse', 'silence', 'readOnly', 'loseAnswer'],
  webhook: ['delay', 'refuse', 'silence', 'status', 'garble'],
  apiservice: ['delay', 'refuse', 'silence', 'status', 'garble'],
  delegate: ['delay', 'refuse', 'silence', 'status', 'garble'],
};

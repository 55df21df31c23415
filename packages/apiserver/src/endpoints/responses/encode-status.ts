import type { Status } from '@kubechain/apimachinery';

/** A body with the media type that it is in. */
export interface EncodedStatus { readonly contentType: string; readonly body: Buffer }

/** Status for the wire. JSON ends in a newline, as Go's encoder writes it. */
export function encodeStatus(status: Status, _accept: string | undefined): EncodedStatus {
  return { contentType: 'application/json', body: Buffer.from(`${JSON.stringify(status)}\n`) };
}

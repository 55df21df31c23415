import { writeError } from '../../responses/write-status.ts';
import { writePathNotFound } from '../../responses/write-text.ts';
import type { DelegationTarget } from '../delegation-target.ts';
import { refuseUpgrade } from '../director.ts';
import { StatusError } from '@kubechain/apimachinery';

/** How the end of the chain answers. */
export interface EmptyDelegateOptions {
  /**
   * False while servers are still installing what they serve: a 404 now could be a lie (garbage collection and
   * namespace deletion act on it), so the answer is a 503 that asks to come back (upstream's notfoundhandler).
   */
  readonly complete?: () => boolean;
}

const incomplete = new StatusError({
  status: 'Failure',
  message: 'the request has been made before all known HTTP paths have been installed, please retry',
  reason: 'ServiceUnavailable',
  details: { retryAfterSeconds: 5 },
  code: 503,
});

/** The end of the chain: `404 page not found`, in the reference's plain text. */
export function emptyDelegate({ complete }: EmptyDelegateOptions = {}): DelegationTarget {
  return {
    name: 'none',
    handle(request, response) {
      if (complete?.() === false) writeError(request, response, incomplete);
      else writePathNotFound(response);
    },
    handleUpgrade(_request, socket) {
      refuseUpgrade(socket, { code: 404, text: 'Not Found' });
    },
    async healthCheck() {
      /* nothing that could be ill */
    },
    async close() {
      /* nothing is open */
    },
  };
}

import { trustBundle, type TrustOptions } from '../../certificates/trust-bundle.ts';
import type { HopTLS } from './hop-pool.ts';

/** What `tls.connect` takes of the credentials for the next process. */
export function tlsMaterial(tls: HopTLS | undefined): TrustOptions & {
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
} {
  return {
    ...trustBundle(tls?.ca),
    ...(tls?.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls?.key === undefined ? {} : { key: tls.key }),
  };
}

import type { Clock } from '@kubechain/apimachinery';
import { TokenGenerator, loadSigningKey } from '@kubechain/apiserver/tokens';
import { unusableFlag } from '@kubechain/apiserver/options';
import type { FlagValues, authenticationFlags } from '@kubechain/apiserver/options';
import type { ServiceAccountTokenIssuer } from '../registry/storage-provider.ts';

/**
 * What serviceaccounts/token signs with, by --service-account-*; undefined without a signing key. @throws OptionsError
 */
export function tokenIssuerFromFlags(
  flags: FlagValues<typeof authenticationFlags>,
  { clock, newUID }: { readonly clock: Clock; readonly newUID: () => string },
): ServiceAccountTokenIssuer | undefined {
  const file = flags['service-account-signing-key-file'];
  if (file === '') return undefined;
  const issuers = flags['service-account-issuer'];
  const [issuer = ''] = issuers;
  if (issuer === '')
    throw unusableFlag('service-account-signing-key-file', 'must be given with --service-account-issuer');
  return {
    generator: new TokenGenerator({ issuer, key: loadSigningKey(file), clock, newID: newUID }),
    audiences: flags['api-audiences'].length > 0 ? flags['api-audiences'] : issuers,
    maxExpirationSeconds: flags['service-account-max-token-expiration'] / 1000,
    extendExpiration: flags['service-account-extend-token-expiration'],
  };
}

import { messageOf } from '@kubechain/apimachinery';
import type { Clock } from '@kubechain/apimachinery';
import { ExternalTokenGenerator, TokenGenerator, loadSigningKey } from '@kubechain/apiserver/tokens';
import type { ExternalSigner, SigningKey } from '@kubechain/apiserver/tokens';
import { unusableFlag } from '@kubechain/apiserver/options';
import type { FlagValues, authenticationFlags } from '@kubechain/apiserver/options';
import type { ServiceAccountTokenIssuer } from '../registry/storage-provider.ts';

const minExpirationSeconds = 600;
const endpointFlag = 'service-account-signing-endpoint';

interface TokenIssuerOptions {
  readonly clock: Clock;
  readonly newUID: () => string;
  /** By --service-account-signing-endpoint. */
  readonly signer?: ExternalSigner | undefined;
  /** In place of --service-account-signing-key-file. */
  readonly key?: SigningKey | undefined;
}

/**
 * What serviceaccounts/token signs with, by --service-account-*; undefined without a signing key and without a program
 * that signs. @throws OptionsError
 */
export async function tokenIssuerFromFlags(
  flags: FlagValues<typeof authenticationFlags>,
  { clock, key, newUID, signer }: TokenIssuerOptions,
): Promise<ServiceAccountTokenIssuer | undefined> {
  const file = flags['service-account-signing-key-file'];
  if (file === '' && signer === undefined && key === undefined) return undefined;
  const issuers = flags['service-account-issuer'];
  const [issuer = ''] = issuers;
  if (issuer === '')
    throw unusableFlag(
      signer === undefined ? 'service-account-signing-key-file' : endpointFlag,
      'must be given with --service-account-issuer',
    );
  const common = {
    audiences: flags['api-audiences'].length > 0 ? flags['api-audiences'] : issuers,
    extendExpiration: flags['service-account-extend-token-expiration'],
  };
  const maxExpirationSeconds = flags['service-account-max-token-expiration'] / 1000;
  if (signer === undefined)
    return {
      ...common,
      generator: new TokenGenerator({ issuer, key: key ?? loadSigningKey(file), clock, newID: newUID }),
      maxExpirationSeconds,
    };
  const external = await limitOf(signer);
  if (maxExpirationSeconds > external)
    throw unusableFlag(
      'service-account-max-token-expiration',
      `cannot be set longer than the token expiration supported by --${endpointFlag}: ${maxExpirationSeconds}s > ` +
        `${external}s`,
    );
  return {
    ...common,
    generator: new ExternalTokenGenerator({ issuer, signer, clock, newID: newUID }),
    maxExpirationSeconds: maxExpirationSeconds === 0 ? external : maxExpirationSeconds,
    maxExtendedSeconds: external,
  };
}

/** Fetches the keys, without which nothing can be checked, and how long tokens may live. */
async function limitOf(signer: ExternalSigner): Promise<number> {
  let seconds: number;
  try {
    await signer.fetchKeys();
    seconds = await signer.maxExpirationSeconds();
  } catch (error) {
    throw unusableFlag(endpointFlag, `while setting up external-jwt-signer: ${messageOf(error)}`, error);
  }
  if (seconds < minExpirationSeconds)
    throw unusableFlag(
      endpointFlag,
      `max token life supported by external-jwt-signer (${seconds}s) is less than acceptable ` +
        `(min ${minExpirationSeconds}s)`,
    );
  return seconds;
}

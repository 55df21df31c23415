import type { VerificationKey } from '@kubechain/apiserver/tokens';

/** Where OpenID Connect clients find out about the issuer of service account tokens. */
export const openIDConfigurationPath = '/.well-known/openid-configuration';
export const keySetPath = '/openid/v1/jwks';

export interface OpenIDOptions {
  /** The first --service-account-issuer. */
  readonly issuer: string;
  /** --service-account-jwks-uri; empty: this server's own path at `externalAddress`. */
  readonly keySetURI: string;
  /** `host:port` that clients reach this server at. */
  readonly externalAddress: string;
  /** What tokens are verified with, in the order of the key files. */
  readonly keys: readonly VerificationKey[];
}

/** Both documents, as JSON. */
export interface OpenIDDocuments {
  readonly configuration: string;
  readonly keySet: string;
}

/** `issue`: why there can be no documents. The server goes on without them, as the reference does. */
export type OpenIDResult =
  | { readonly kind: 'documents'; readonly documents: OpenIDDocuments }
  | { readonly kind: 'none'; readonly issue: string };

/**
 * The discovery document and the key set (RFC 7517) by which others verify service account tokens, with no more in them
 * than that takes (pkg/serviceaccount/openidmetadata.go, 1.36).
 */
export function openIDDocuments({ issuer, keySetURI, externalAddress, keys }: OpenIDOptions): OpenIDResult {
  const issue =
    issueOf(issuer, keySetURI) ?? (keys.length === 0 ? 'no keys provided for validating keyset' : undefined);
  if (issue !== undefined) return { kind: 'none', issue };
  const webKeys = keys.map(webKey);
  const configuration = {
    issuer,
    jwks_uri: keySetURI === '' ? `https://${externalAddress}${keySetPath}` : keySetURI,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(webKeys.map(({ alg }) => alg))].sort(),
  };
  return {
    kind: 'documents',
    documents: { configuration: JSON.stringify(configuration), keySet: JSON.stringify({ keys: webKeys }) },
  };
}

function issueOf(issuer: string, keySetURI: string): string | undefined {
  if (issuer === '') return 'empty issuer URL';
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url?.protocol !== 'https:') return `issuer URL must use https scheme, got: ${issuer}`;
  if (url.search !== '') return `issuer URL may not include a query, got: ${issuer}`;
  if (url.hash !== '') return `issuer URL may not include a fragment, got: ${issuer}`;
  if (keySetURI !== '' && !(URL.canParse(keySetURI) && keySetURI.startsWith('https:')))
    return `jwksURI requires https scheme, parsed as: ${keySetURI}`;
  return undefined;
}

interface WebKey {
  readonly use: 'sig';
  readonly kty: string;
  readonly kid: string;
  readonly crv?: string;
  readonly alg: string;
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
}

/** The public part, members in the order in which go-jose writes them. */
function webKey({ id, key, algorithms }: VerificationKey): WebKey {
  const { kty = '', crv, x, y, n, e } = key.export({ format: 'jwk' });
  const common = { use: 'sig', kty, kid: id } as const;
  const [alg = ''] = algorithms;
  if (crv !== undefined)
    return { ...common, crv, alg, ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) };
  return { ...common, alg, ...(n === undefined ? {} : { n }), ...(e === undefined ? {} : { e }) };
}

/** PEM. */
type Bundle = string | Buffer | (string | Buffer)[];

/** How TLS is told whom to trust. */
export interface TrustOptions {
  readonly ca?: Bundle;
  readonly allowPartialTrustChain?: boolean;
}

/**
 * Options that trust every certificate of a bundle as it stands, as Go's x509 does with those of its pool: an
 * intermediate authority without its root, or a server's own certificate. OpenSSL by itself asks for a chain that ends
 * in a self-signed one.
 * @param bundle PEM; undefined: TLS trusts what it does without options
 */
export function trustBundle(bundle: Bundle | undefined): TrustOptions {
  return bundle === undefined ? {} : { ca: bundle, allowPartialTrustChain: true };
}

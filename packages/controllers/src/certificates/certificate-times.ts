const minuteMs = 60_000;
/** Clocks of others may be behind. */
const backdateMs = 5 * minuteMs;
const shortestMs = 10 * minuteMs;
/** Those that live shorter do not lose at their end what they began earlier. */
const shortLivedMs = 8 * 60 * minuteMs;

export interface CertificateTimesOptions {
  readonly nowMs: number;
  /** `--cluster-signing-duration`. */
  readonly longestMs: number;
  /** `spec.expirationSeconds`. */
  readonly askedSeconds: number | undefined;
  /** When the authority's certificate ends. */
  readonly issuerEndMs: number;
}

/**
 * When a certificate begins and ends (authority.PermissiveSigningPolicy, 1.36). @throws RangeError: the authority has
 * ended
 */
export function certificateTimes(options: CertificateTimesOptions): {
  readonly notBefore: Date;
  readonly notAfter: Date;
} {
  const { askedSeconds, issuerEndMs, longestMs, nowMs } = options;
  const lifeMs =
    askedSeconds === undefined ? longestMs : Math.min(Math.max(askedSeconds * 1_000, shortestMs), longestMs);
  const endMs = nowMs + (lifeMs < shortLivedMs ? lifeMs : lifeMs - backdateMs);
  if (nowMs >= issuerEndMs)
    throw new RangeError(`the signer has expired: NotAfter=${new Date(issuerEndMs).toISOString()}`);
  return { notBefore: new Date(nowMs - backdateMs), notAfter: new Date(Math.min(endMs, issuerEndMs)) };
}

import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@kubechain/apimachinery';
import { AuthenticationError } from '../authentication-error.ts';
import type { AuthenticatedUser, RequestAuthenticator } from '../authenticator.ts';
import type { CertificatePool } from './certificate-pool.ts';
import { clientCertificateOf } from './client-certificate.ts';
import { commonName, userOfCertificate } from './subject.ts';

/** What verification said about one certificate under one pool; the validity end is looked at again on each request. */
interface Verdict {
  readonly error: Error | undefined;
  readonly known: AuthenticatedUser | undefined;
  readonly validToMs: number;
}

/** Counts for how long certificates of requests are still good. */
export interface CertificateExpirations {
  observe(seconds: number): void;
}

/**
 * Client certificates signed by --client-ca-file. Verified once a connection, and again when `pool` answers another
 * one. `expirations` is told with each request how many seconds its certificate is still good for.
 * Source: authentication/request/x509.
 */
export function x509Authenticator(
  pool: () => CertificatePool,
  clock: Clock,
  expirations?: CertificateExpirations,
): RequestAuthenticator {
  const verify = verifierOf(pool, clock, userOfCertificate);
  return {
    authenticate: (request) => {
      const verdict = verify(request);
      if (verdict === undefined) return undefined;
      expirations?.observe((verdict.validToMs - clock.now()) / 1_000);
      if (verdict.error !== undefined) throw verdict.error;
      return verdict.known;
    },
  };
}

/**
 * Lets only requests through to `delegate` that come with a client certificate of the pool and, where `allowedNames` is
 * not empty, one of these common names: the gate before the request header authenticator.
 * Source: authentication/request/x509 Verifier.
 */
export function clientCertificateGuard(
  options: { readonly pool: () => CertificatePool; readonly allowedNames: readonly string[]; readonly clock: Clock },
  delegate: RequestAuthenticator,
): RequestAuthenticator {
  const verify = verifierOf(options.pool, options.clock, (certificate) => {
    const name = commonName(certificate);
    if (options.allowedNames.length > 0 && !options.allowedNames.includes(name)) {
      throw new AuthenticationError('InvalidCertificate', `x509: subject with cn=${name} is not in the allowed list`);
    }
    return undefined;
  });
  return {
    authenticate: (request) => {
      const verdict = verify(request);
      if (verdict?.error !== undefined) throw verdict.error;
      return verdict === undefined ? undefined : delegate.authenticate(request);
    },
    knownRefusal: (request) => verify(request)?.error,
  };
}

function verifierOf(
  currentPool: () => CertificatePool,
  clock: Clock,
  read: (certificate: X509Certificate) => AuthenticatedUser['user'] | undefined,
): (request: IncomingMessage) => Verdict | undefined {
  let verdicts = new WeakMap<X509Certificate, Verdict>();
  let pool = currentPool();
  return (request) => {
    const certificate = clientCertificateOf(request);
    if (certificate === undefined) return undefined;
    const asked = currentPool();
    if (asked !== pool) {
      pool = asked;
      verdicts = new WeakMap();
    }
    const nowMs = clock.now();
    let verdict = verdicts.get(certificate.leaf);
    if (verdict === undefined || nowMs > verdict.validToMs) {
      verdict = judge(certificate.leaf);
      verdicts.set(certificate.leaf, verdict);
    }
    return verdict;

    function judge(leaf: X509Certificate): Verdict {
      const validToMs = leaf.validToDate.getTime();
      try {
        pool.verifyClient(leaf, certificate!.intermediates, nowMs);
        const user = read(leaf);
        return { error: undefined, known: user === undefined ? undefined : { user }, validToMs };
      } catch (error) {
        return { error: error as Error, known: undefined, validToMs };
      }
    }
  };
}

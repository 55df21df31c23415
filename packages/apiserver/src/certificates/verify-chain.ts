import type { X509Certificate } from 'node:crypto';
import { extensionsOf } from './extensions.ts';
import { constraintProblem } from './name-constraints.ts';

/** Signatures looked at for one leaf, whatever its chain's certificates are called (as Go). */
const maxSignatureChecks = 100;
const anyExtendedKeyUsage = '2.5.29.37.0';

/** What a leaf is held against. */
export interface ChainOptions {
  /** Trusted as they stand, authorities or not. */
  readonly roots: readonly X509Certificate[];
  /** What the peer has shown besides. */
  readonly intermediates: readonly X509Certificate[];
  readonly nowMs: number;
  /** Dotted: every certificate of the chain that names usages must name this one, or any. */
  readonly extendedKeyUsage: string;
}

/**
 * Why no chain leads from a certificate to a root, in the words of Go's crypto/x509; undefined when one does. Looks at
 * signatures, times, basic constraints, path lengths, key usages, extended key usages of the whole chain, name
 * constraints of its authorities, and critical extensions. Revocation is not looked at, nor are policies.
 * Source: crypto/x509 Certificate.Verify (Go 1.26).
 */
export function chainProblem(leaf: X509Certificate, options: ChainOptions): string | undefined {
  const problem = standingProblem(leaf, { as: 'leaf', chain: [], nowMs: options.nowMs });
  if (problem !== undefined) return problem;
  if (options.roots.some((root) => root.raw.equals(leaf.raw))) return wholeChainProblem([leaf], options);
  const search = new ChainSearch(options);
  return search.from([leaf]) ? undefined : (search.hint ?? 'x509: certificate signed by unknown authority');
}

class ChainSearch {
  readonly #options: ChainOptions;
  #checks = 0;
  /** The first thing that stood against a chain. */
  hint: string | undefined = undefined;

  constructor(options: ChainOptions) {
    this.#options = options;
  }

  /** Whether the chain can be led to a root. */
  from(chain: readonly X509Certificate[]): boolean {
    const { intermediates, roots } = this.#options;
    return (
      roots.some((root) => {
        const whole = this.#append(chain, root, 'root');
        if (whole === undefined) return false;
        const problem = wholeChainProblem(whole, this.#options);
        this.hint ??= problem;
        return problem === undefined;
      }) ||
      intermediates.some((candidate) => {
        const longer = this.#append(chain, candidate, 'intermediate');
        return longer !== undefined && this.from(longer);
      })
    );
  }

  #append(
    chain: readonly X509Certificate[],
    candidate: X509Certificate,
    as: 'root' | 'intermediate',
  ): readonly X509Certificate[] | undefined {
    const child = chain.at(-1)!;
    if (!child.checkIssued(candidate) || chain.some((member) => isSame(member, candidate))) return undefined;
    if (++this.#checks > maxSignatureChecks) {
      this.hint ??= 'x509: signature check attempts limit reached while verifying certificate chain';
      return undefined;
    }
    const problem =
      signatureProblem(child, candidate) ?? standingProblem(candidate, { as, chain, nowMs: this.#options.nowMs });
    this.hint ??= problem;
    return problem === undefined ? [...chain, candidate] : undefined;
  }
}

function isSame(a: X509Certificate, b: X509Certificate): boolean {
  return (
    a.subject === b.subject &&
    a.subjectAltName === b.subjectAltName &&
    a.publicKey.export({ type: 'spki', format: 'der' }).equals(b.publicKey.export({ type: 'spki', format: 'der' }))
  );
}

function signatureProblem(child: X509Certificate, parent: X509Certificate): string | undefined {
  const { basicConstraints, mayCertSign, version } = extensionsOf(parent);
  if (basicConstraints === undefined ? version === 3 : !basicConstraints.isCA)
    return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  if (mayCertSign === false) return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  return child.verify(parent.publicKey) ? undefined : 'x509: certificate signed by unknown authority';
}

interface Standing {
  readonly as: 'leaf' | 'intermediate' | 'root';
  /** What it would be appended to. */
  readonly chain: readonly X509Certificate[];
  readonly nowMs: number;
}

function standingProblem(certificate: X509Certificate, { as, chain, nowMs }: Standing): string | undefined {
  const { basicConstraints, hasUnhandledCritical } = extensionsOf(certificate);
  if (hasUnhandledCritical) return 'x509: unhandled critical extension';
  const { validFromDate, validToDate } = certificate;
  const now = `current time ${timeText(nowMs)}`;
  const expired = 'x509: certificate has expired or is not yet valid';
  if (nowMs < validFromDate.getTime()) return `${expired}: ${now} is before ${timeText(validFromDate.getTime())}`;
  if (nowMs > validToDate.getTime()) return `${expired}: ${now} is after ${timeText(validToDate.getTime())}`;
  if (as === 'intermediate' && basicConstraints?.isCA !== true)
    return 'x509: certificate is not authorized to sign other certificates';
  const longest = basicConstraints?.maxPathLength;
  if (longest !== undefined && chain.length - 1 > longest)
    return 'x509: too many intermediates for path length constraint';
  return undefined;
}

function wholeChainProblem(
  chain: readonly X509Certificate[],
  { extendedKeyUsage }: Pick<ChainOptions, 'extendedKeyUsage'>,
): string | undefined {
  for (const certificate of chain) {
    const usages = extensionsOf(certificate).extendedKeyUsages;
    if (
      usages !== undefined &&
      usages.length > 0 &&
      !usages.includes(extendedKeyUsage) &&
      !usages.includes(anyExtendedKeyUsage)
    )
      return 'x509: certificate specifies an incompatible key usage';
  }
  for (const [place, authority] of chain.entries()) {
    const { nameConstraints } = extensionsOf(authority);
    if (nameConstraints === undefined || place === 0) continue;
    for (const below of chain.slice(0, place)) {
      const problem = constraintProblem(nameConstraints, extensionsOf(below).names);
      if (problem !== undefined)
        return `x509: a root or intermediate certificate is not authorized to sign for this name: ${problem}`;
    }
  }
  return undefined;
}

/** As Go prints times: without fractions. */
function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('.000Z', 'Z');
}

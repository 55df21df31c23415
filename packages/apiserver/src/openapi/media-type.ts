import { parseAccept } from '../negotiation/accept.ts';
import type { AcceptClause } from '../negotiation/accept.ts';

/** A representation of a document. */
export interface Representation {
  readonly accepted: string;
  readonly contentType: string;
  readonly format: 'json' | 'protobuf';
}

/** The representations of version `v2` or `v3` documents; the form with `@` is what older clients ask for. */
export function representations(version: 'v2' | 'v3'): readonly Representation[] {
  const protobuf = `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`;
  return [
    { accepted: 'application/json', contentType: 'application/json', format: 'json' },
    {
      accepted: `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`,
      contentType: protobuf,
      format: 'protobuf',
    },
    { accepted: protobuf, contentType: protobuf, format: 'protobuf' },
  ];
}

/**
 * The first representation that the best clause of an Accept header allows; undefined when none does. Without a header:
 * the first.
 */
export function acceptedRepresentation(
  accept: string | undefined,
  offered: readonly Representation[],
): Representation | undefined {
  for (const { subtype, type } of acceptedClauses(accept)) {
    for (const candidate of offered) {
      const [candidateMain, candidateSub] = candidate.accepted.split('/');
      if ((type === '*' || type === candidateMain) && (subtype === '*' || subtype === candidateSub)) return candidate;
    }
  }
  return undefined;
}

/**
 * The clauses of an Accept header, the best first; without a header one for everything. Malformed ones are left out.
 */
export function acceptedClauses(accept: string | undefined): readonly AcceptClause[] {
  return parseAccept(accept === undefined || accept === '' ? '*/*' : accept);
}

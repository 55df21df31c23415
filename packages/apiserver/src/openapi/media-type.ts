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
    { accepted: `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`, contentType: protobuf, format: 'protobuf' },
    { accepted: protobuf, contentType: protobuf, format: 'protobuf' },
  ];
}

/** The first representation that the best clause of an Accept header allows; undefined when none does. Without a header: the first. */
export function acceptedRepresentation(accept: string | undefined, offered: readonly Representation[]): Representation | undefined {
  const clauses = (accept === undefined || accept === '' ? '*/*' : accept).split(',').map((text) => {
    const [type = '', ...parameters] = text.trim().split(';');
    const quality = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find((value) => value !== undefined);
    return { type: type.trim(), quality: quality === undefined ? 1 : Number(quality) };
  });
  clauses.sort((a, b) => b.quality - a.quality);
  for (const { type } of clauses) {
    const [main, sub] = type.split('/');
    for (const candidate of offered) {
      const [candidateMain, candidateSub] = candidate.accepted.split('/');
      if ((main === '*' || main === candidateMain) && (sub === '*' || sub === candidateSub)) return candidate;
    }
  }
  return undefined;
}

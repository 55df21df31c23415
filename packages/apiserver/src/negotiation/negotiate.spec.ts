import { StatusError, limits } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { parseAccept } from './accept.ts';
import { builtInMediaTypes, customResourceMediaTypes } from './media-types.ts';
import { negotiate, negotiateInput, negotiateOutput, plainOffer } from './negotiate.ts';
import type { EndpointOffer } from './negotiate.ts';
import { wantsPretty } from './pretty.ts';
import { checkRouteAccept, checkRouteContentType } from './route-accept.ts';

const resources: EndpointOffer = {
  mediaTypes: builtInMediaTypes,
  allowsServerVersion: (version) => version === 'v1',
  allowsTransform: (type, target) =>
    target === undefined ||
    (target.group === 'meta.k8s.io' &&
      target.version === 'v1' &&
      (target.kind !== 'Table' || type.format !== 'protobuf')),
};

const refusal = (work: () => unknown): StatusError => {
  try {
    work();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new TypeError('was not refused');
};

describe('parseAccept', () => {
  const rows: readonly (readonly [header: string, clauses: string])[] = [
    ['application/json', 'application/json;1'],
    ['text/html, application/json;q=0.5', 'text/html;1 application/json;0.5'],
    ['application/json;q=0.5, text/html', 'text/html;1 application/json;0.5'],
    ['*/*, application/json', 'application/json;1 */*;1'],
    ['*', '*/*;1'],
    ['application', ''],
    ['a/b/c, application/yaml', 'application/yaml;1'],
    ['application/json;q=x', 'application/json;0'],
    [' application/json ; as = Table ; v=v1', 'application/json;1'],
  ];
  for (const [header, clauses] of rows) {
    it(`reads ${JSON.stringify(header)}`, () => {
      expect(
        parseAccept(header)
          .map((clause) => `${clause.type}/${clause.subtype};${clause.quality}`)
          .join(' '),
      ).to.equal(clauses);
    });
  }

  const texts = (header: string): string[] => parseAccept(header).map(({ subtype, type }) => `${type}/${subtype}`);

  it('puts more than a few in order, too', () => {
    const worst = Array.from({ length: 20 }, (_, i) => `a/b${i};q=0.${String(i).padStart(2, '0')}`);
    expect(texts(worst.join(','))).to.deep.equal(worst.map((_, i) => `a/b${19 - i}`));
    expect(texts(`*/*,${'a/*,'.repeat(20)}a/b`).at(0)).to.equal('a/b');
  });

  it('looks at so many clauses and parameters only (acceptClauses)', () => {
    const most = limits.acceptClauses.value;
    expect(texts(`${'a/b,'.repeat(most - 1)}c/d,e/f;q=2`).slice(-2)).to.deep.equal(['a/b', 'c/d']);
    const [clause] = parseAccept(`a/b${Array.from({ length: most }, (_, i) => `;p${i}=1`).join('')}`);
    expect(clause?.parameters.size).to.equal(most - 1);
  });
});

describe('negotiate', () => {
  const rows: readonly (readonly [accept: string | undefined, chosen: string | undefined])[] = [
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json;q=0, application/yaml', 'application/yaml'],
    ['application/vnd.kubernetes.protobuf, application/json', 'application/vnd.kubernetes.protobuf'],
    ['text/html', undefined],
    ['application/json;as=Table;v=v1;g=meta.k8s.io', 'application/json as meta.k8s.io/v1 Table'],
    [
      'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/json as meta.k8s.io/v1 Table',
    ],
    ['application/json;as=Table;v=v9;g=meta.k8s.io, application/json', 'application/json'],
    ['application/json;as=Table;g=meta.k8s.io', undefined],
    ['application/json;stream=watch', 'application/json'],
    ['application/json;stream=other', undefined],
    ['application/yaml;stream=watch', undefined],
    ['application/json;sv=v1', 'application/json'],
    ['application/json;sv=v2', undefined],
    ['application/json;charset=utf-8', 'application/json'],
  ];
  for (const [accept, expected] of rows) {
    it(`answers ${JSON.stringify(accept)} with ${expected ?? '406'}`, () => {
      const chosen = negotiate(accept, resources);
      const convert = chosen?.convert;
      const actual =
        chosen === undefined
          ? undefined
          : chosen.mediaType.name +
            (convert === undefined ? '' : ` as ${convert.group}/${convert.version} ${convert.kind}`);
      expect(actual).to.equal(expected);
    });
  }

  it('names what there is when nothing fits', () => {
    expect(refusal(() => negotiateOutput('text/html', plainOffer(customResourceMediaTypes))).status).to.deep.include({
      code: 406,
      message: 'only the following media types are accepted: application/json, application/yaml',
    });
  });
});

describe('negotiateInput', () => {
  it('ignores parameters and case, and takes JSON for nothing', () => {
    for (const type of [undefined, '', 'application/json; charset=utf-8', 'APPLICATION/JSON'])
      expect(negotiateInput(type, builtInMediaTypes).format).to.equal('json');
  });

  it('reads parameters as Go does', () => {
    for (const type of ['application/json;', 'application/json; a=b; c="d;e" ;', 'application/json;a=b;A="\\b"'])
      expect(negotiateInput(type, builtInMediaTypes).format, type).to.equal('json');
    for (const type of [
      'application/json;;',
      'application/json; a',
      'application/json; a=b; A=c',
      'application/json; a="b',
      'application/json; =b',
    ]) {
      expect(refusal(() => negotiateInput(type, builtInMediaTypes)).status.code, type).to.equal(415);
    }
  });

  it('refuses other types with the names of its own', () => {
    expect(refusal(() => negotiateInput('text/plain', builtInMediaTypes)).status).to.deep.include({
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, ' +
        'application/yaml, application/vnd.kubernetes.protobuf',
    });
  });
});

describe('the checks of the router', () => {
  const produces = builtInMediaTypes.map((type) => type.name);

  it('does not know application/*', () => {
    expect(
      refusal(() => {
        checkRouteAccept('application/*', produces);
      }).message,
    ).to.equal(
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, ' +
        'application/vnd.kubernetes.protobuf',
    );
    checkRouteAccept('application/json;as=Nonsense', produces);
    checkRouteAccept('text/html, */*', produces);
  });

  it('compares content types with their case', () => {
    checkRouteContentType('application/merge-patch+json; charset=utf-8', ['application/merge-patch+json']);
    expect(
      refusal(() => {
        checkRouteContentType('APPLICATION/MERGE-PATCH+JSON', ['application/merge-patch+json']);
      }).message,
    ).to.equal('415: Unsupported Media Type');
    expect(
      refusal(() => {
        checkRouteContentType(undefined, ['application/merge-patch+json']);
      }).code,
    ).to.equal(415);
  });
});

describe('wantsPretty', () => {
  const rows: readonly (readonly [query: string, userAgent: string | undefined, pretty: boolean])[] = [
    ['', undefined, false],
    ['', 'kubectl/v1.36', false],
    ['', 'curl/8.0', true],
    ['', 'Mozilla/5.0 (X11)', true],
    ['', 'Wget/1.2', true],
    ['pretty=1', undefined, true],
    ['pretty=TRUE', undefined, true],
    ['pretty=yes', undefined, false],
    ['pretty=', 'curl/8.0', true],
    ['pretty=0', 'curl/8.0', false],
  ];
  for (const [query, userAgent, pretty] of rows) {
    it(`is ${pretty} for ?${query} from ${userAgent ?? 'nobody'}`, () => {
      expect(wantsPretty(new URLSearchParams(query), userAgent)).to.equal(pretty);
    });
  }
});

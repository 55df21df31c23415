import { StatusError } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { RESTStorage } from '../../../registry/rest/storage.ts';
import { listParameters } from './list-options.ts';

const storage: RESTStorage = { kind: 'ConfigMap', namespaced: true, singularName: 'configmap' };
const parse = (
  query: string,
  options: { forceWatch?: boolean; name?: string } = {},
): ReturnType<typeof listParameters> =>
  listParameters(new URLSearchParams(query), {
    version: 'v1',
    storage,
    forceWatch: options.forceWatch ?? false,
    name: options.name ?? '',
  });

function refusal(query: string, options: { forceWatch?: boolean; name?: string } = {}): string {
  try {
    parse(query, options);
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
  throw new TypeError('was not refused');
}

describe('listParameters', () => {
  it('has defaults', () => {
    expect(parse('')).to.deep.include({
      watch: false,
      limit: 0,
      continue: '',
      resourceVersion: '',
      timeoutSeconds: undefined,
      sendInitialEvents: undefined,
    });
  });

  it('reads booleans as the reference does', () => {
    expect(parse('watch=true&resourceVersion=5').watch).to.equal(true);
    expect(parse('watch&resourceVersion=5').watch).to.equal(true);
    expect(parse('watch=False').watch).to.equal(false);
    expect(parse('watch=0').watch).to.equal(false);
  });

  it('begins watches without a resourceVersion with what is there', () => {
    expect(parse('watch=1').sendInitialEvents).to.equal(true);
    expect(parse('watch=1&resourceVersion=0').sendInitialEvents).to.equal(true);
    expect(parse('watch=1&resourceVersion=5').sendInitialEvents).to.equal(undefined);
    expect(parse('', { forceWatch: true }).sendInitialEvents).to.equal(true);
  });

  it('takes a name in the URL for a field selector', () => {
    expect(parse('', { name: 'a' }).field.toString()).to.equal('metadata.name=a');
    expect(parse('fieldSelector=metadata.name%3Da', { name: 'a' }).field.toString()).to.equal('metadata.name=a');
    expect(refusal('fieldSelector=metadata.name%3Db', { name: 'a' })).to.equal(
      "400 fieldSelector metadata.name doesn't match requested name",
    );
  });

  const invalid = 'ListOptions.meta.k8s.io "" is invalid: ';
  const rows: readonly (readonly [query: string, answer: string])[] = [
    ['limit=abc', '400 strconv.ParseInt: parsing "abc": invalid syntax'],
    ['timeoutSeconds=99999999999999999999', '400 strconv.ParseInt: parsing "99999999999999999999": value out of range'],
    [
      'fieldSelector=spec.x%3D1',
      '400 "spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [
      'resourceVersionMatch=Exact',
      `422 ${invalid}resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless ` +
        'resourceVersion is provided',
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      `422 ${invalid}resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for ` +
        'resourceVersion "0"',
    ],
    [
      'resourceVersionMatch=x&resourceVersion=1',
      `422 ${invalid}resourceVersionMatch: Unsupported value: "x": supported values: "Exact", "NotOlderThan", ""`,
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=1&continue=c',
      `422 ${invalid}resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided`,
    ],
    ['sendInitialEvents=true', `422 ${invalid}sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list`],
    [
      'watch=1&sendInitialEvents=true',
      `422 ${invalid}resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch ` +
        'to NotOlderThan',
    ],
    [
      'watch=1&resourceVersion=1&resourceVersionMatch=NotOlderThan',
      `422 ${invalid}resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless ` +
        'sendInitialEvents is provided',
    ],
  ];
  for (const [query, answer] of rows)
    it(`refuses ?${query}`, () => {
      expect(refusal(query)).to.equal(answer);
    });
});

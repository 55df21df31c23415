import { expect } from 'chai';
import fc from 'fast-check';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import { isStorageError } from './errors.ts';

const token = (fields: unknown): string => Buffer.from(JSON.stringify(fields)).toString('base64url');

describe('continue token', () => {
  it('has the form of upstream', () => {
    const text = Buffer.from(encodeContinue('/registry/pods/a/x', '/registry/pods/', 7), 'base64url').toString();
    expect(text).to.equal('{"v":"meta.k8s.io/v1","rv":7,"start":"a/x\\u0000"}');
  });

  it('round-trips', () => {
    const segment = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
    fc.assert(
      fc.property(segment, segment, fc.integer({ min: 1 }), (namespace, name, revision) => {
        const key = `/registry/pods/${namespace}/${name}`;
        expect(decodeContinue(encodeContinue(key, '/registry/pods/', revision), '/registry/pods/')).to.deep.equal({
          startKey: `${key}\0`,
          revision,
        });
      }),
    );
  });

  it('may begin where the prefix does', () => {
    const value = token({ v: 'meta.k8s.io/v1', rv: -1, start: '/' });
    expect(decodeContinue(value, '/registry/pods/')).to.deep.equal({ startKey: '/registry/pods/', revision: -1 });
  });

  for (const [value, reason] of [
    ['garbage', "invalid character '\\u0081' looking for beginning of value"],
    ['aGVsbG8', "invalid character 'h' looking for beginning of value"],
    ['ab%', 'illegal base64 data at input byte 2'],
    ['abcde', 'illegal base64 data at input byte 4'],
    [token([]), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
    [token({ v: 1 }), 'json: cannot unmarshal number into Go struct field continueToken.v of type string'],
    [token({ rv: 1.5 }), 'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64'],
  ] as const) {
    it(`says of ${value} what encoding/json would`, () => {
      expect(() => decodeContinue(value, '/registry/pods/')).to.throw(
        `invalid continue token: continue key is not valid: ${reason}`,
      );
    });
  }

  for (const [name, value] of [
    ['base64 it is not', '%%%'],
    ['JSON it is not', Buffer.from('x').toString('base64url')],
    ['a foreign version', token({ v: 'v0', rv: 1, start: 'a' })],
    ['revision 0', token({ v: 'meta.k8s.io/v1', start: 'a' })],
    ['an empty start', token({ v: 'meta.k8s.io/v1', rv: 1 })],
    ['a start that climbs', token({ v: 'meta.k8s.io/v1', rv: 1, start: '../secrets/x' })],
    ['a start with an empty element', token({ v: 'meta.k8s.io/v1', rv: 1, start: 'a//b' })],
  ] as const) {
    it(`refuses ${name}`, () => {
      expect(() => decodeContinue(value, '/registry/pods/'))
        .to.throw()
        .that.satisfies((error: unknown) => isStorageError(error, 'InvalidContinue'));
    });
  }
});

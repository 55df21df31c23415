import { expect } from 'chai';
import { parseRelease } from './release-from-flags.ts';

describe('--kubernetes-version', () => {
  for (const text of ['1.36', 'v1.36', '1.36.2', 'v1.36.2'])
    it(`takes ${text}`, () => {
      expect(parseRelease(text)).to.equal('1.36');
    });
  for (const text of ['1.3', '1.36.1', '1.38', 'vv1.36', ''])
    it(`refuses ${text || 'nothing'}`, () => {
      expect(() => parseRelease(text)).to.throw(
        `${JSON.stringify(text)} is none of the releases that are known: 1.34, 1.35, 1.36, 1.37`,
      );
    });
});

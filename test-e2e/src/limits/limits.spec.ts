import { limits, type Limit } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitsDocument } from './document.ts';

const root = join(import.meta.dirname, '../../..');

describe('the table of limits', () => {
  it('is what docs/limits.md says (npm run limits)', () => {
    expect(readFileSync(join(root, 'docs/limits.md'), 'utf8')).to.equal(limitsDocument());
  });

  for (const [key, limit] of Object.entries(limits) as [string, Limit][]) {
    it(`names the spec that shows ${key}`, () => {
      const path = join(root, limit.spec);
      expect(existsSync(path), limit.spec).to.equal(true);
      expect(readFileSync(path, 'utf8'), limit.spec).to.match(new RegExp(`\\b${key}\\b`));
      expect(limit.value).to.be.greaterThan(0);
    });
  }
});

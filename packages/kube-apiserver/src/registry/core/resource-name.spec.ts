import { FieldPath } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { validateContainerResourceName, validateQuotaResourceName } from './resource-name.ts';

describe('names of resources', () => {
  it('are quoted as JSON, since Go has them as a type of their own', () => {
    const path = FieldPath.of('r');
    const told = `r: Invalid value: "${String.raw`\u003c`}": must be a standard resource for `;
    expect(validateContainerResourceName('<', path).map(String).at(-1)).to.equal(`${told}containers`);
    expect(validateQuotaResourceName('<', path).map(String).at(-1)).to.equal(`${told}quota`);
  });
});

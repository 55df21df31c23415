import { expect } from 'chai';
import { checkNode } from './required-node.ts';

describe('the Node that environments need', () => {
  for (const version of ['22.19.0', '22.20.1', '23.0.0', '24.0.0', '26.1.0'])
    it(`is had with ${version}`, () => {
      expect(() => checkNode(version)).not.to.throw();
    });
  for (const version of ['22.18.0', '20.20.2', '18.0.0'])
    it(`is not ${version}, in one line`, () => {
      expect(() => checkNode(version)).to.throw(`kubechain needs Node 22.19 or later; this is v${version}`);
    });
});

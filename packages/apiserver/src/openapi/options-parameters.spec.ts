import { expect } from 'chai';
import { optionsParameters } from './options-parameters.ts';
import { PackageDescriptions } from './package-descriptions.ts';

describe('optionsParameters', () => {
  const types = (kind: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      optionsParameters(`io.k8s.api.core.v1.${kind}`, new PackageDescriptions()).map(({ name, type }) => [name, type]),
    );

  it('have the type of what they are given once of', () => {
    expect(types('PodPortForwardOptions')['ports']).to.equal('integer');
    expect(types('PodExecOptions')).to.include({ command: 'string', stdin: 'boolean' });
  });
});

import { builtinScheme } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { connectOptions } from './connect-options.ts';
import type { RequestScope } from './request-scope.ts';

describe('options of connections', () => {
  const optionsOf = (kind: string, query: string): object => {
    const gvk = { group: '', version: 'v1', kind };
    const kindInfo = builtinScheme().kind(gvk);
    return connectOptions({ apiVersion: 'v1', kind: gvk, kindInfo } as Pick<RequestScope, 'apiVersion' | 'kind' | 'kindInfo'> as RequestScope, new URLSearchParams(query));
  };

  it('have the types of their kind', () => {
    expect(optionsOf('PodExecOptions', 'command=ls&command=-l&stdout=true&stdin=0&container=c&unknown=x')).to.deep.equal({ kind: 'PodExecOptions', apiVersion: 'v1', stdin: false, stdout: true, container: 'c', command: ['ls', '-l'] });
    expect(optionsOf('PodPortForwardOptions', 'ports=80&ports=x')).to.deep.equal({ kind: 'PodPortForwardOptions', apiVersion: 'v1', ports: [80] });
  });

  it('take a parameter without a value as a switch', () => {
    expect(optionsOf('PodExecOptions', 'tty')).to.deep.equal({ kind: 'PodExecOptions', apiVersion: 'v1', tty: true });
  });
});

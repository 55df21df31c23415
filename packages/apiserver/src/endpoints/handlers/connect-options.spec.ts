import { StatusError, builtinScheme } from '@kubechain/apimachinery';
import { expect } from 'chai';
import type { RESTStorage } from '../../registry/rest/storage.ts';
import { connectOptions } from './connect-options.ts';

describe('options of connections', () => {
  const optionsOf = (kind: string, query: string, path = ''): object => {
    const gvk = { group: '', version: 'v1', kind };
    const storage: RESTStorage = { kind, namespaced: true, singularName: '' };
    return connectOptions({ apiVersion: 'v1', kind: gvk, scheme: builtinScheme(), storage })(
      new URLSearchParams(query),
      path,
    );
  };

  it('have the types of their kind', () => {
    expect(
      optionsOf('PodExecOptions', 'command=ls&command=-l&stdout=true&stdin=0&container=c&unknown=x'),
    ).to.deep.equal({
      kind: 'PodExecOptions',
      apiVersion: 'v1',
      stdin: false,
      stdout: true,
      container: 'c',
      command: ['ls', '-l'],
    });
    expect(optionsOf('PodPortForwardOptions', 'ports=80,81&ports=82')).to.deep.equal({
      kind: 'PodPortForwardOptions',
      apiVersion: 'v1',
      ports: [80, 81, 82],
    });
    expect(
      optionsOf('PodLogOptions', 'tailLines=%2B5&sinceTime=2020-01-01T00:00:00%2B02:00&follow=FALSE&stream='),
    ).to.deep.equal({
      kind: 'PodLogOptions',
      apiVersion: 'v1',
      tailLines: 5,
      sinceTime: '2020-01-01T00:00:00+02:00',
      follow: false,
      stream: '',
    });
  });

  it('take a parameter without a value as a switch, and the first of several', () => {
    expect(optionsOf('PodExecOptions', 'tty')).to.deep.equal({ kind: 'PodExecOptions', apiVersion: 'v1', tty: true });
    expect(optionsOf('PodLogOptions', 'container=a&container=b')).to.deep.equal({
      kind: 'PodLogOptions',
      apiVersion: 'v1',
      container: 'a',
    });
  });

  it('take the path from the path, not from the query', () => {
    expect(optionsOf('PodProxyOptions', 'path=/y', '/x/')).to.deep.equal({
      kind: 'PodProxyOptions',
      apiVersion: 'v1',
      path: '/x/',
    });
  });

  const refusals: readonly (readonly [kind: string, query: string, message: string])[] = [
    ['PodLogOptions', 'tailLines=abc', 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['PodLogOptions', 'limitBytes=', 'strconv.ParseInt: parsing "": invalid syntax'],
    [
      'PodLogOptions',
      'limitBytes=9223372036854775808',
      'strconv.ParseInt: parsing "9223372036854775808": value out of range',
    ],
    ['PodLogOptions', 'sinceTime=x', 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    [
      'PodPortForwardOptions',
      'ports=80,x',
      'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      'PodPortForwardOptions',
      'ports=65536',
      'cannot convert to []int32: strconv.ParseUint: parsing "65536": value out of range',
    ],
  ];
  for (const [kind, query, message] of refusals)
    it(`refuse ${kind} with ${query}`, () => {
      expect(() => optionsOf(kind, query)).to.throw(StatusError, message);
    });
});

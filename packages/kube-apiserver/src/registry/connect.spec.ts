import { StatusError } from '@kubechain/apimachinery';
import { internalContext } from '@kubechain/apiserver/resources';
import type { RESTContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { ensureAuthorizedForVerb, rawQuery } from './connect.ts';

describe('the right to open a stream', () => {
  const asked: string[] = [];
  const contextOf = (verb: string): RESTContext => {
    const base = internalContext({ groupResource: { group: '', resource: 'pods' }, namespace: 'n' });
    return {
      ...base,
      request: { ...base.request, requestInfo: { ...base.request.requestInfo, verb, name: 'p', subresource: 'exec' } },
    };
  };
  const outcome = async (verb: string, granted: string): Promise<string> => {
    asked.length = 0;
    const authorizer = {
      authorize: ({ resource, subresource, verb: wanted }: { resource: string; subresource: string; verb: string }) => {
        asked.push(`${wanted} ${resource}/${subresource}`);
        return { decision: wanted === granted ? ('Allow' as const) : ('NoOpinion' as const), reason: 'no rule' };
      },
    };
    return ensureAuthorizedForVerb(contextOf(verb), authorizer, 'create').then(
      () => 'allowed',
      (error: unknown) => (error instanceof StatusError ? `${error.status.code ?? 0} ${error.message}` : String(error)),
    );
  };

  it('is that to create, however the stream is opened', async () => {
    expect(await outcome('get', 'create')).to.equal('allowed');
    expect(asked).to.deep.equal(['create pods/exec']);
    expect(await outcome('get', 'get')).to.equal('403 pods "p" is forbidden: no rule');
  });

  it('is not asked for twice', async () => {
    expect(await outcome('create', '')).to.equal('allowed');
    expect(asked).to.deep.equal([]);
  });
});

describe('the query of a proxied request', () => {
  it('stays as the client wrote it', () => {
    for (const [url, query] of [
      ['/a', ''],
      ['/a?', ''],
      ['/a?b=%2F&c?', 'b=%2F&c?'],
      [undefined, ''],
    ] as const)
      expect(rawQuery(url)).to.equal(query);
  });
});

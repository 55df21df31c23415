import { FakeClock } from '@kubechain/apimachinery/testing';
import { setRequestContext } from '@kubechain/apiserver/proxies';
import { emptyDelegate, type GenericAPIServer } from '@kubechain/apiserver/servers';
import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { laterDefinitions } from './later-definitions.ts';

describe('what a side server does not know yet', () => {
  let clock: FakeClock;
  let known: boolean;
  let answers: string[];

  const ask = (isResourceRequest: boolean): void => {
    const request = { method: 'POST' } as IncomingMessage;
    const response = {
      destroyed: false,
      setHeader: () => response,
      writeHead: (status: number) => {
        answers.push(String(status));
        return response;
      },
      end: () => undefined,
    } as unknown as ServerResponse;
    const requestInfo = { isResourceRequest, apiGroup: 'g', apiVersion: 'v1', resource: 'r', subresource: '' };
    setRequestContext(request, { requestInfo } as never);
    const server = {
      routes: { get: () => (known ? {} : undefined) },
      unprotectedHandler: () => answers.push('served'),
    } as unknown as GenericAPIServer;
    laterDefinitions(() => server, { clock, end: emptyDelegate() }).handle(request, response);
  };

  beforeEach(() => {
    clock = new FakeClock();
    known = false;
    answers = [];
  });

  it('is served when its definition has come', async () => {
    ask(true);
    await clock.advance(1_000);
    expect(answers).to.deep.equal([]);
    known = true;
    await clock.advance(20);
    expect(answers).to.deep.equal(['served']);
  });

  it('is not there after a while', async () => {
    ask(true);
    await clock.advance(6_000);
    expect(answers).to.deep.equal(['404']);
  });

  it('is not there at once where it is no resource', () => {
    ask(false);
    expect(answers).to.deep.equal(['404']);
  });
});

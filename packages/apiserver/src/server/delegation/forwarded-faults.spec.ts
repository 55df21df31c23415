import { expect } from 'chai';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { serverContext } from '../../request/server-context.ts';
import { setRequestContext, type RequestFault } from '../../request/request-context.ts';
import { ServerRequestContext } from '../../request/server-request-context.ts';
import { forwardedFaults, stampFault } from './forwarded-faults.ts';

describe('a fault that a request has met in front of a hop', () => {
  const faults: readonly (RequestFault | undefined)[] = [undefined, { readAt: 7 }, { overtaken: true }];
  for (const fault of faults)
    it(`is believed behind it: ${JSON.stringify(fault)}`, () => {
      const headers: string[] = [];
      stampFault({ fault } as ServerRequestContext, headers);
      const request = new IncomingMessage(new Socket());
      const response = new ServerResponse(request);
      setRequestContext(
        request,
        new ServerRequestContext(request, response, { auditID: '', receivedAtMs: 0, startedAt: 0 }),
      );
      for (let i = 0; i < headers.length; i += 2) request.headers[headers[i]!.toLowerCase()] = headers[i + 1]!;
      let handled: IncomingMessage | undefined;
      forwardedFaults(request, response, (next) => void (handled = next));
      expect(handled).to.equal(request);
      expect(serverContext(request).fault).to.deep.equal(fault);
    });
});

import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { setRequestContext, type RequestContext } from '../../request/request-context.ts';
import type { HopTermination } from './hop-termination.ts';
import { HTTPRelay } from './http-relay.ts';

class FakeResponse extends EventEmitter {
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  writeHead(): void {
    this.headersSent = true;
  }
  flushHeaders(): void {
    this.headersSent = true;
  }
  write(): boolean {
    return true;
  }
  end(): void {
    this.writableEnded = true;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

describe('Relay', () => {
  let response: FakeResponse;
  let reasons: HopTermination[];
  let failures: string[];
  const controller = {
    rawHeaders: [],
    rawTrailers: [],
    abort: () => undefined,
  } as unknown as Dispatcher.DispatchController;
  const failure = new TypeError('socket hang up');

  const open = (): HTTPRelay => {
    response = new FakeResponse();
    reasons = [];
    failures = [];
    const request = new EventEmitter() as IncomingMessage;
    setRequestContext(request, { timingWanted: false, addTiming: () => undefined } as unknown as RequestContext);
    const relay = new HTTPRelay(request, response as unknown as ServerResponse, {
      streaming: true,
      owner: {
        relayStarted: () => undefined,
        relayEnded: (_relay, reason) => {
          reasons.push(reason);
        },
        relayFailed: (_relay, error) => {
          failures.push(error.message);
        },
      },
    });
    relay.onRequestStart(controller);
    return relay;
  };
  const begin = (relay: HTTPRelay): void => {
    relay.onResponseStart(controller, 200);
  };

  const rows: readonly (readonly [what: string, reason: HopTermination, end: (relay: HTTPRelay) => void])[] = [
    [
      'a whole answer',
      { kind: 'completed' },
      (relay) => {
        begin(relay);
        relay.onResponseEnd(controller);
      },
    ],
    [
      'a client that left',
      { kind: 'client_left' },
      (relay) => {
        begin(relay);
        response.emit('close');
      },
    ],
    [
      'a server that goes away',
      { kind: 'shutting_down' },
      (relay) => {
        begin(relay);
        relay.finish();
      },
    ],
    [
      'a target that dies in the middle',
      { kind: 'broken', error: failure },
      (relay) => {
        begin(relay);
        relay.onResponseError(controller, failure);
      },
    ],
    [
      'a target that cannot be reached',
      { kind: 'unreachable', error: failure },
      (relay) => relay.onResponseError(controller, failure),
    ],
    [
      'a target that is silent',
      { kind: 'unresponsive', error: failure },
      (relay) => relay.fail('unresponsive', failure),
    ],
  ];
  for (const [what, reason, end] of rows) {
    it(`tells of ${what}, once`, () => {
      const relay = open();
      end(relay);
      relay.onResponseError(controller, new TypeError('later'));
      relay.finish();
      response.emit('close');
      expect(reasons).to.deep.equal([reason]);
    });
  }

  it('leaves the answer to its owner only where none has begun', () => {
    open().fail('unreachable', failure);
    expect(failures).to.deep.equal(['socket hang up']);
    const relay = open();
    begin(relay);
    relay.onResponseError(controller, failure);
    expect([failures, response.destroyed]).to.deep.equal([[], true]);
  });
});

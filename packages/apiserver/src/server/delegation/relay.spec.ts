import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setRequestContext, type RequestContext } from '../../request/request-context.ts';
import type { ExchangeTermination } from '../../metrics/exchange-terminations.ts';
import { Relay } from './relay.ts';

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

/** A relay whose target is the spec. */
class PlayedRelay extends Relay {
  readonly sent = true;
  begin(): void {
    this.answerHead(200, []);
  }
  whole(): void {
    this.answerEnd();
  }
  breaks(error: Error): void {
    this.answerBroken(error);
  }
  protected override abort(): void {
    // There is nobody to tell.
  }
  protected override sendPiece(): void {
    throw new TypeError('not expected');
  }
  protected override sendEnd(): void {
    throw new TypeError('not expected');
  }
}

describe('Relay', () => {
  let response: FakeResponse;
  let reasons: ExchangeTermination[];
  let failures: string[];
  const failure = new TypeError('socket hang up');

  const open = (): PlayedRelay => {
    response = new FakeResponse();
    reasons = [];
    failures = [];
    const request = new EventEmitter() as IncomingMessage;
    setRequestContext(request, { timingWanted: false, addTiming: () => undefined } as unknown as RequestContext);
    const relay = new PlayedRelay(request, response as unknown as ServerResponse, {
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
    return relay;
  };

  const rows: readonly (readonly [what: string, reason: ExchangeTermination, end: (relay: PlayedRelay) => void])[] = [
    [
      'a whole answer',
      { kind: 'completed' },
      (relay) => {
        relay.begin();
        relay.whole();
      },
    ],
    [
      'a client that left',
      { kind: 'client_left' },
      (relay) => {
        relay.begin();
        response.emit('close');
      },
    ],
    [
      'a server that goes away',
      { kind: 'shutting_down' },
      (relay) => {
        relay.begin();
        relay.finish();
      },
    ],
    [
      'a target that dies in the middle',
      { kind: 'broken', error: failure },
      (relay) => {
        relay.begin();
        relay.breaks(failure);
      },
    ],
    ['a target that cannot be reached', { kind: 'unreachable', error: failure }, (relay) => relay.breaks(failure)],
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
      relay.breaks(new TypeError('later'));
      relay.finish();
      response.emit('close');
      expect(reasons).to.deep.equal([reason]);
    });
  }

  it('leaves the answer to its owner only where none has begun', () => {
    open().fail('unreachable', failure);
    expect(failures).to.deep.equal(['socket hang up']);
    const relay = open();
    relay.begin();
    relay.breaks(failure);
    expect([failures, response.destroyed]).to.deep.equal([[], true]);
  });
});

import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import type { Server, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { takeConnectionsInTurns } from './connection-arrivals.ts';

describe('connections that come in crowds', () => {
  let server: EventEmitter;
  let taken: Socket[];
  let most: number;

  const connect = (address: string): Socket => {
    const socket = {
      remoteAddress: address,
      destroyed: false,
      destroy: () => Object.assign(socket, { destroyed: true }),
    } as unknown as Socket;
    server.emit('connection', socket);
    return socket;
  };

  beforeEach(() => {
    taken = [];
    most = Infinity;
    server = new EventEmitter();
    server.on('connection', (socket: Socket) => taken.push(socket));
    takeConnectionsInTurns(server as unknown as Server, { accepts: () => taken.length < most });
  });

  it('are taken some at a time, with a look at the sockets in between', async () => {
    for (let i = 0; i < 100; i++) connect('a');
    const first = taken.length;
    expect(first).to.be.within(1, 20);
    await turn();
    expect(taken.length - first).to.be.within(1, 20);
    while (taken.length < 100) await turn();
  });

  it('do not keep those of others waiting', async () => {
    for (let i = 0; i < 100; i++) connect('a');
    const other = connect('b');
    await turn();
    await turn();
    expect(taken).to.include(other);
  });

  it('are not taken once they are closed, nor where there are too many', async () => {
    for (let i = 0; i < 20; i++) connect('a');
    const left = connect('a');
    left.destroy();
    while (taken.length < 20) await turn();
    await turn();
    expect(taken).to.not.include(left);
    most = 0;
    expect(connect('a').destroyed).to.equal(true);
  });

  it('are taken at once where there is no crowd', () => {
    connect('a');
    expect(taken).to.have.length(1);
  });
});

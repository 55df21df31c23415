import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { ConnectionEnds } from './connection-ends.ts';

describe('connections of HTTP/2 that end', () => {
  let told: string[];

  function connection(ends: ConnectionEnds, name: string): Socket {
    const socket = new EventEmitter();
    socket.on('error', (error: Error) => told.push(`${name}: ${error.message}`));
    socket.once('close', (hadError: boolean) => told.push(`${name}: ${String(hadError)}`));
    ends.follow(socket as Socket);
    return socket as Socket;
  }

  beforeEach(() => {
    told = [];
  });

  it('are told at once, in order', () => {
    const socket = connection(new ConnectionEnds(), 'a');
    socket.emit('error', new Error('reset'));
    socket.emit('close', true);
    expect(told).to.deep.equal(['a: reset', 'a: true']);
  });

  it('are told in turns when they are many, each in order', async () => {
    const ends = new ConnectionEnds();
    const sockets = Array.from({ length: 100 }, (_, i) => connection(ends, String(i)));
    for (const socket of sockets) socket.emit('error', new Error('reset'));
    for (const socket of sockets) socket.emit('close', true);
    expect(told.length).to.be.within(1, 64);
    while (told.length < 200) await turn();
    for (let i = 0; i < 100; i++)
      expect(told.indexOf(`${i}: reset`), String(i)).to.be.within(0, told.indexOf(`${i}: true`));
  });
});

import { expect } from 'chai';
import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address.ts';

const rows: readonly (readonly [name: string, socket: object | undefined, forwarded: string, expected: string])[] = [
  ['a client of this process', { remoteAddress: '192.0.2.1', remotePort: 4711 }, '', '192.0.2.1:4711'],
  ['one by IPv6', { remoteAddress: '2001:db8::1', remotePort: 4711 }, '', '[2001:db8::1]:4711'],
  ['a process in front, on a socket', {}, '192.0.2.1:4711', '192.0.2.1:4711'],
  ['a process in front, by TLS', { remoteAddress: '10.0.0.1', remotePort: 1 }, '192.0.2.1:4711', '192.0.2.1:4711'],
  ['nobody that is known', {}, '', ''],
  ['no socket any more', undefined, '', ''],
];

describe('the address of a client', () => {
  for (const [name, socket, forwardedClient, expected] of rows) {
    it(`is told for ${name}`, () => {
      expect(clientAddress({ forwardedClient, request: { socket } as unknown as IncomingMessage })).to.equal(expected);
    });
  }
});

import { expect } from 'chai';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { connect as connectTLS, createServer as createTLSServer } from 'node:tls';
import { servingPEM } from '../testing/test-server.ts';
import { whenConnected, type ConnectOptions } from './when-connected.ts';

/** Never reached. */
const LONG_MS = 60_000;

describe('whenConnected', () => {
  const servers: Server[] = [];
  const listening = async (server: Server): Promise<number> => {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** Of a connection by name over TLS: `connected`, or the code of the error. */
  function outcome(port: number, limits: Pick<ConnectOptions, 'withinMs' | 'patienceMs'>): Promise<string> {
    return new Promise((resolve) => {
      const socket = connectTLS({ host: 'localhost', port, rejectUnauthorized: false });
      whenConnected(socket, { ...limits, event: 'secureConnect', named: true }, (error) => {
        resolve(error === null ? 'connected' : String(error.code));
        socket.destroy();
      });
    });
  }

  it('has patience with who is slow to shake hands', async () => {
    const pem = readFileSync(servingPEM);
    const behind = await listening(createTLSServer({ cert: pem, key: pem }));
    const port = await listening(
      createServer((socket) => {
        setTimeout(() => {
          const on = connect(behind, '127.0.0.1');
          socket.on('error', () => on.destroy());
          on.on('error', () => socket.destroy());
          socket.pipe(on).pipe(socket);
        }, 500);
      }),
    );
    expect(await outcome(port, { withinMs: 100, patienceMs: LONG_MS })).to.equal('connected');
  });

  it('waits no longer than that for hands to be shaken', async () => {
    const port = await listening(createServer((socket) => socket.on('error', () => undefined).resume()));
    expect(await outcome(port, { withinMs: LONG_MS, patienceMs: 200 })).to.equal('ETIMEDOUT');
  });

  it('tells of who is not there', async () => {
    const port = await listening(createServer());
    const [server] = servers.splice(0);
    server?.close();
    expect(await outcome(port, { withinMs: LONG_MS, patienceMs: LONG_MS })).to.equal('ECONNREFUSED');
  });
});

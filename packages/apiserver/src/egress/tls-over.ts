import type { Agent } from 'node:https';
import type { Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import type { Dial } from './dial.ts';
import { nodeTLS } from '../certificates/node-tls.ts';

/** TLS over a connection that is still being made; ends with it. */
export function tlsOver(socket: Socket, options: ConnectionOptions): TLSSocket {
  const { host: _host, path: _path, port: _port, ...rest } = options;
  const secured = nodeTLS().connect({ ...rest, socket });
  socket.once('error', (error) => {
    secured.destroy(error);
  });
  secured.once('close', () => {
    socket.destroy();
  });
  return secured;
}

/** Lets an agent make its connections by `dial`; without one, as it would. Returns the agent. */
export function agentThrough(agent: Agent, dial: Dial | undefined): Agent {
  if (dial !== undefined)
    agent.createConnection = (options: ConnectionOptions) =>
      tlsOver(dial(options.host ?? '', Number(options.port ?? 443)), options);
  return agent;
}

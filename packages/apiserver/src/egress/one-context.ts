import type { Agent } from 'node:https';
import type { SecureContext, SecureContextOptions } from 'node:tls';
import { nodeTLS } from '../certificates/node-tls.ts';

/**
 * Lets an agent make its connections with one TLS context, which is made with the first of them: reading a bundle of a
 * megabyte takes a tenth of a second, and several megabytes for as long as the connection is there. Returns the agent.
 * Connections fail while the options cannot be used.
 */
export function withOneContext(agent: Agent, options: SecureContextOptions): Agent {
  let secureContext: SecureContext | undefined;
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (connection, ...rest) => {
    secureContext ??= nodeTLS().createSecureContext(options);
    const secured = { ...connection, secureContext };
    return connect(secured, ...rest);
  };
  return agent;
}

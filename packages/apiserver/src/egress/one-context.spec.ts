import { expect } from 'chai';
import { Agent } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { fixtureAuthority } from '../server/testing/test-server.ts';
import { withOneContext } from './one-context.ts';

describe('an agent with one TLS context', () => {
  let connections: ConnectionOptions[];
  let agent: Agent;

  beforeEach(() => {
    connections = [];
    agent = new Agent();
    agent.createConnection = (options) => {
      connections.push(options as ConnectionOptions);
      return null;
    };
  });
  afterEach(() => {
    agent.destroy();
  });

  it('makes it once for all of its connections', () => {
    withOneContext(agent, { ca: fixtureAuthority() });
    for (const host of ['a', 'b', 'a']) agent.createConnection({ host });
    expect(connections.map(({ host }) => host)).to.deep.equal(['a', 'b', 'a']);
    expect(connections[0]?.secureContext).to.not.equal(undefined);
    expect(new Set(connections.map(({ secureContext }) => secureContext)).size).to.equal(1);
  });

  it('makes no connections while its options cannot be used', () => {
    withOneContext(agent, { cert: 'none', key: 'none' });
    for (let tries = 0; tries < 2; tries++) expect(() => agent.createConnection({})).to.throw();
    expect(connections).to.deep.equal([]);
  });
});

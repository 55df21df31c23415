import { expect } from 'chai';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { AuthenticatedUser } from '../authenticator.ts';
import { STANDARD_REQUEST_HEADERS } from './request-header.ts';
import { strippingIdentity } from './strip-identity.ts';

const names = {
  username: ['x-remote-user', 'x-company-user'],
  uid: ['x-company-uid'],
  group: ['x-company-group'],
  extraPrefixes: ['x-company-extra-'],
};
const alice: AuthenticatedUser = { user: { name: 'alice', groups: [] } };

function requestWith(headers: Record<string, string>): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  for (const [name, value] of Object.entries(headers)) {
    request.headers[name.toLowerCase()] = value;
    request.rawHeaders.push(name, value);
  }
  return request;
}
const forged = {
  Accept: 'application/json',
  'X-Company-User': 'admin',
  'X-COMPANY-UID': '1',
  'x-company-group': 'system:masters',
  'X-Company-Extra-Scopes': 'all',
};

describe('configured identity headers', () => {
  for (const [when, answer] of [
    ['at once', alice],
    ['later', Promise.resolve(alice)],
  ] as const)
    it(`are taken off whoever was let in ${when}, in both forms`, async () => {
      const request = requestWith(forged);
      expect(await strippingIdentity({ authenticate: () => answer }, names).authenticate(request)).to.equal(alice);
      expect(request.headers).to.deep.equal({ accept: 'application/json' });
      expect(request.rawHeaders).to.deep.equal(['Accept', 'application/json']);
    });
  it('are seen by the authenticator itself', () => {
    let seen: unknown;
    const authenticator = {
      authenticate: (request: IncomingMessage) => {
        seen = request.headers['x-company-user'];
        return alice;
      },
    };
    void strippingIdentity(authenticator, names).authenticate(requestWith(forged));
    expect(seen).to.equal('admin');
  });
  it('cost nothing where only the standard ones are configured', () => {
    const authenticator = { authenticate: () => alice };
    expect(strippingIdentity(authenticator, STANDARD_REQUEST_HEADERS)).to.equal(authenticator);
  });
});

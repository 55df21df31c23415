import { expect } from 'chai';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { UserInfo } from '../../request/user-info.ts';
import { forwardedHeaders, readIdentity, stampIdentity } from './identity-headers.ts';

function requestOf(rawHeaders: readonly string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.rawHeaders.push(...rawHeaders);
  for (let i = 0; i < rawHeaders.length; i += 2) request.headers[rawHeaders[i]!.toLowerCase()] = rawHeaders[i + 1]!;
  return request;
}
function behindHop(user: UserInfo, sent: readonly string[] = []): UserInfo | undefined {
  const { common: headers } = forwardedHeaders(requestOf(sent));
  stampIdentity(headers, { user });
  const read = readIdentity(requestOf(headers))?.user;
  return read === undefined ? undefined : (JSON.parse(JSON.stringify(read)) as UserInfo);
}

describe('an identity behind the hop', () => {
  const users: readonly (readonly [name: string, user: UserInfo])[] = [
    ['plain', { name: 'alice', uid: '7', groups: ['a', 'b'], extra: { scopes: ['x', 'y'] } }],
    ['not ASCII', { name: 'Żaneta ✓', groups: ['größe'], extra: { ключ: ['значение'] } }],
    ['with control characters', { name: 'a\nb', groups: ['\u0000'] }],
    ['with names of members of objects', { name: 'a', groups: [], extra: { constructor: ['1'], tostring: ['2'] } }],
    ['with blanks around', { name: ' a ', groups: [] }],
    ['with upper case keys', { name: 'a', groups: [], extra: { Scopes: ['x'] } }],
    ['with commas', { name: 'a,b', groups: ['c, d'] }],
  ];
  for (const [name, user] of users)
    it(`is the one that was stamped: ${name}`, () => {
      expect(behindHop(user)).to.deep.equal(user);
    });
  it('with an extra called __proto__ is the one that was stamped', () => {
    const extra = JSON.parse('{"__proto__":["x"]}') as Record<string, string[]>;
    const read = behindHop({ name: 'a', groups: [], extra });
    expect(Object.entries(read?.extra ?? {})).to.deep.equal([['__proto__', ['x']]]);
  });
  it('is nothing that a client has sent', () => {
    const sent = [
      'X-Remote-User',
      'root',
      'x-remote-GROUP',
      'system:masters',
      'X-Kubechain-Identity',
      'e30=',
      'x-remote-extra-a',
      'b',
      'X-Kubechain-Decision',
      'Zm9yZ2Vk',
    ];
    expect(behindHop({ name: 'mallory', groups: [] }, sent)).to.deep.equal({ name: 'mallory', groups: [] });
    expect(forwardedHeaders(requestOf(sent))).to.deep.equal({ common: [], own: [] });
  });
});

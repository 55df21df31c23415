import { expect } from 'chai';
import type { IncomingMessage } from 'node:http';
import { PageAccess } from './page-access.ts';

const token = 'a'.repeat(43);
const request = (headers: Record<string, string>, method = 'GET'): IncomingMessage =>
  ({ method, headers: { host: '127.0.0.1:9', cookie: `kubechain-page-9=${token}`, ...headers } }) as never;

describe('PageAccess', () => {
  const access = new PageAccess(token, 9);

  it('lets in who knows the token', () => {
    expect(access.enter(token)).to.equal(`kubechain-page-9=${token}; Path=/; HttpOnly; SameSite=Strict`);
    expect(access.enter('b'.repeat(43))).to.equal(undefined);
    expect(access.enter('')).to.equal(undefined);
    expect(access.enter(null)).to.equal(undefined);
  });

  const rows: readonly (readonly [what: string, request: IncomingMessage, allowed: boolean])[] = [
    ['the page', request({}), true],
    ['the page by another name of the machine', request({ host: 'localhost:9' }), true],
    ['one of several cookies', request({ cookie: `x=1; kubechain-page-9=${token}` }), true],
    ['no cookie', request({ cookie: '' }), false],
    ['the cookie of another port', request({ cookie: `kubechain-page-8=${token}` }), false],
    ['another token', request({ cookie: `kubechain-page-9=${'b'.repeat(43)}` }), false],
    ['a name that leads here', request({ host: 'example.com:9' }), false],
    ['a page of another site', request({ origin: 'http://example.com' }), false],
    ['a change by the page', request({ 'x-kubechain-page': '1', origin: 'http://127.0.0.1:9' }, 'POST'), true],
    ['a form', request({}, 'POST'), false],
  ];
  for (const [what, asked, allowed] of rows)
    it(`${allowed ? 'answers' : 'refuses'} ${what}`, () => {
      expect(access.allows(asked)).to.equal(allowed);
    });
});

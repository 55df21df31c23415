import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setRequestContext, type RequestContext } from '../request/request-context.ts';
import { newAuthentication, type Authentication, type AuthenticationConfig } from './authentication-config.ts';
import type { UserInfo } from '../request/user-info.ts';

describe('authentication chain', () => {
  let directory: string;
  let authentication: Authentication;
  const base: AuthenticationConfig = {
    clock: { now: () => Date.now() },
    anonymous: { enabled: true },
    apiAudiences: ['api'],
  };
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'authentication-'));
    writeFileSync(join(directory, 'tokens.csv'), 'alicetoken,alice,alice-uid,"devs"\n');
    authentication = newAuthentication({ ...base, tokenAuthFile: join(directory, 'tokens.csv') });
  });
  after(() => rmSync(directory, { recursive: true }));

  function requestWith(headers: Record<string, string>, warnings: string[] = []): IncomingMessage {
    const request = new IncomingMessage(new Socket());
    request.url = '/api';
    Object.assign(request.headers, headers);
    setRequestContext(request, {
      addWarning: (text: string) => void (warnings.includes(text) || warnings.push(text)),
    } as unknown as RequestContext);
    return request;
  }
  async function who(headers: Record<string, string>, warnings?: string[]): Promise<UserInfo | string | undefined> {
    try {
      return (await authentication.request.authenticate(requestWith(headers, warnings)))?.user;
    } catch (error) {
      return (error as Error).message;
    }
  }
  const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
  const alice = { name: 'alice', uid: 'alice-uid', groups: ['devs', 'system:authenticated'] };

  for (const [title, authorization, expected] of [
    ['no credential', undefined, anonymous],
    ['basic credentials', 'Basic YWxpY2U6cGFzc3dvcmQ=', anonymous],
    ['a scheme alone', 'Bearer', anonymous],
    ['an empty token', 'Bearer ', anonymous],
    ['two spaces', 'Bearer  alicetoken', anonymous],
    ['a known token', 'Bearer alicetoken', alice],
    ['a lower-case scheme', 'bearer alicetoken', alice],
    ['text after the token', 'Bearer alicetoken extra', alice],
    ['an unknown token', 'Bearer nosuchtoken', 'invalid bearer token'],
  ] as const) {
    it(`takes ${title}`, async () =>
      expect(await who(authorization === undefined ? {} : { authorization })).to.deep.equal(expected));
  }
  it('warns of two spaces once', async () => {
    const warnings: string[] = [];
    await who({ authorization: 'Bearer  alicetoken' }, warnings);
    expect(warnings).to.deep.equal([
      'the provided Authorization header contains extra space before the bearer token, and is ignored',
    ]);
  });
  it('takes the token off the request', async () => {
    const request = requestWith({ authorization: 'Bearer alicetoken' });
    await authentication.request.authenticate(request);
    expect(request.headers.authorization).to.equal(undefined);
  });
  it('answers without a promise when nothing has to be waited for', () => {
    expect(
      authentication.request.authenticate(requestWith({ authorization: 'Bearer alicetoken' })),
    ).to.have.deep.property('user', alice);
  });
  it('does not believe identity headers', async () =>
    expect(await who({ 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' })).to.deep.equal(anonymous));
  it('knows its own loopback token', async () => {
    expect(await who({ authorization: `Bearer ${authentication.loopbackToken}` })).to.deep.include({
      name: 'system:apiserver',
      groups: ['system:authenticated', 'system:masters'],
    });
  });
  it('does not let anybody in without credential when anonymous is off', async () => {
    const strict = newAuthentication({ ...base, anonymous: { enabled: false } });
    expect(await strict.request.authenticate(requestWith({}))).to.equal(undefined);
  });

  describe('WebSocket subprotocol tokens', () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
    const protocol = (token: string): string =>
      `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
    it('are taken, and taken off', async () => {
      const request = requestWith({
        ...upgrade,
        'sec-websocket-protocol': `v4.channel.k8s.io, ${protocol('alicetoken')}`,
      });
      expect((await authentication.request.authenticate(request))?.user).to.deep.equal(alice);
      expect(request.headers['sec-websocket-protocol']).to.equal('v4.channel.k8s.io');
    });
    for (const [title, header, message] of [
      ['without another subprotocol', protocol('alicetoken'), 'missing additional subprotocol'],
      [
        'twice',
        `a, ${protocol('alicetoken')}, ${protocol('alicetoken')}`,
        'multiple base64.bearer.authorization tokens specified',
      ],
      [
        'in a wrong encoding',
        'a, base64url.bearer.authorization.k8s.io.a+b',
        'invalid base64.bearer.authorization token encoding',
      ],
      ['that nobody knows', `a, ${protocol('nobody')}`, 'invalid bearer token'],
    ] as const) {
      it(`are refused ${title}`, async () =>
        expect(await who({ ...upgrade, 'sec-websocket-protocol': header })).to.equal(message));
    }
    it('are not looked for on other requests', async () =>
      expect(await who({ 'sec-websocket-protocol': `a, ${protocol('alicetoken')}` })).to.deep.equal(anonymous));
  });

  describe('token review', () => {
    it('tells user and audiences', async () => {
      expect(await authentication.reviewToken('alicetoken', ['other', 'api'])).to.deep.equal({
        user: alice,
        audiences: ['api'],
      });
      expect(await authentication.reviewToken('alicetoken', [])).to.deep.equal({ user: alice, audiences: ['api'] });
    });
    it('reads tokens as headers have them', async () => {
      expect(await authentication.reviewToken('alicetoken and more', [])).to.deep.equal({
        user: alice,
        audiences: ['api'],
      });
      expect(await authentication.reviewToken(' ', ['other'])).to.deep.equal({
        user: { name: 'system:anonymous', groups: ['system:unauthenticated'] },
        audiences: ['other'],
      });
    });
    it("fails in the reference's words", async () => {
      for (const [token, audiences] of [
        ['nobody', []],
        ['alicetoken', ['other']],
      ] as const) {
        const error = await authentication.reviewToken(token, audiences).then(
          () => 'none',
          (reason: Error) => reason.message,
        );
        expect(error).to.equal('invalid bearer token');
      }
    });
  });
});

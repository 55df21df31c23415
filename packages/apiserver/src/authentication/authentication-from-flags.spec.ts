import { expect } from 'chai';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { authenticationFlags } from '../options/authentication-flags.ts';
import { parseFlags } from '../options/parse-flags.ts';
import { authenticationFromFlags } from './authentication-from-flags.ts';
import { loadSigningKey } from './service-account/keys.ts';
import { TokenGenerator } from './service-account/token-generator.ts';

const clock = systemClock;
const account: KubeObject = { metadata: { name: 'robot', namespace: 'ns', uid: 'u' } };
const tokenGetter = {
  getServiceAccount: () => Promise.resolve(account),
  getPod: () => Promise.reject(new TypeError('no')),
  getSecret: () => Promise.reject(new TypeError('no')),
  getNode: () => Promise.reject(new TypeError('no')),
};

describe('authentication from flags', () => {
  let directory: string;
  let keyFile: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'authentication-flags-'));
    keyFile = join(directory, 'sa.key');
    writeFileSync(
      keyFile,
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    );
  });
  after(() => rmSync(directory, { recursive: true }));
  const build = (args: string[], alwaysAllow = false) =>
    authenticationFromFlags(parseFlags(args, { authentication: authenticationFlags }).values.authentication, {
      clock,
      tokenGetter,
      alwaysAllow,
    });
  const anonymous = async (args: string[], alwaysAllow = false): Promise<string | undefined> => {
    const request = new IncomingMessage(new Socket());
    request.url = '/';
    return (await build(args, alwaysAllow).request.authenticate(request))?.user.name;
  };

  it('lets anonymous in by default, but never where everything is allowed', async () => {
    expect(await anonymous([])).to.equal('system:anonymous');
    expect(await anonymous(['--anonymous-auth=false'])).to.equal(undefined);
    expect(await anonymous([], true)).to.equal(undefined);
  });
  it('checks service account tokens with the signing key when no other is given', async () => {
    const authentication = build([
      '--service-account-issuer=https://a',
      '--service-account-issuer=https://b',
      `--service-account-signing-key-file=${keyFile}`,
    ]);
    expect(authentication.apiAudiences).to.deep.equal(['https://a', 'https://b']);
    const { token } = new TokenGenerator({
      issuer: 'https://b',
      key: loadSigningKey(keyFile),
      clock,
      newID: () => 'an-id',
    }).generate({
      serviceAccount: account,
      expirationSeconds: 600,
      audiences: ['https://a'],
    });
    expect((await authentication.reviewToken(token, []))?.user.name).to.equal('system:serviceaccount:ns:robot');
  });
  it('asks for client certificates only where it can judge them', () => {
    const ca = new URL('x509/fixtures/ca.pem', import.meta.url).pathname;
    expect(build([]).tlsOptions).to.deep.equal({});
    expect(build([`--client-ca-file=${ca}`]).tlsOptions).to.have.property('requestCert', true);
    expect(
      build([`--requestheader-client-ca-file=${ca}`, '--requestheader-username-headers=X-Remote-User']).requestHeaders,
    ).to.deep.equal({ username: ['x-remote-user'], uid: [], group: [], extraPrefixes: [] });
  });
  for (const [args, message] of [
    [['--client-ca-file=/nonexistent'], /^--client-ca-file: cannot read certificates from '\/nonexistent'/],
    [['--requestheader-client-ca-file=/nonexistent'], /^--requestheader-client-ca-file: cannot read/],
    [['--token-auth-file=/nonexistent'], /^--token-auth-file: cannot read/],
    [['--service-account-key-file=/nonexistent'], /^--service-account-key-file: cannot read '\/nonexistent'/],
    [
      ['--service-account-issuer=https://a', '--service-account-issuer=https://a'],
      /^--service-account-issuer: an issuer is given more than once/,
    ],
  ] as const) {
    it(`names the flag: ${args[0]}`, () => expect(() => build([...args])).to.throw(message));
  }
});

import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAuthenticationConfigurationError } from './authentication-configuration-error.ts';
import { decodeAuthenticationConfiguration } from './authentication-configuration.ts';
import { readAuthentication } from './read-authentication.ts';

/** A file, and what kube-apiserver 1.36 ends with when it is given it; nothing where it starts. */
interface Recorded {
  readonly name: string;
  readonly text: string;
  readonly message: string;
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as readonly Recorded[];

describe('AuthenticationConfiguration', () => {
  const messageOf = (text: string, disallowed: readonly string[] = []): string => {
    try {
      readAuthentication(decodeAuthenticationConfiguration(text), disallowed);
      return '';
    } catch (error) {
      if (!isAuthenticationConfigurationError(error)) throw error;
      return error.message;
    }
  };

  for (const { message, name, text } of recorded)
    it(`${message === '' ? 'is taken' : 'is refused'}, as kube-apiserver does: ${name}`, () => {
      expect(messageOf(text)).to.equal(message);
    });

  it("cannot name this server's own issuers", () => {
    const own = 'https://kubernetes.default.svc';
    const text = JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      jwt: [{ issuer: { url: own, audiences: ['a'] }, claimMappings: { username: { claim: 'sub', prefix: '' } } }],
    });
    expect(messageOf(text)).to.equal('');
    expect(messageOf(text, [own])).to.equal(
      `jwt[0].issuer.url: Invalid value: "${own}": URL must not overlap with disallowed issuers: [${own}]`,
    );
  });
});

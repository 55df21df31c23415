import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAuthorizationConfiguration } from './authorization-configuration.ts';
import { isAuthorizationConfigurationError } from './authorization-configuration-error.ts';

/** A file, and what kube-apiserver 1.36 ends with when it is given it; nothing where it starts. */
interface Recorded {
  readonly name: string;
  readonly text: string;
  readonly message: string;
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as readonly Recorded[];

const webhook = (fields: object): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      {
        type: 'Webhook',
        name: 'w',
        webhook: {
          timeout: '3s',
          subjectAccessReviewVersion: 'v1',
          failurePolicy: 'Deny',
          connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/dev/../etc/passwd' },
          ...fields,
        },
      },
    ],
  });

describe('AuthorizationConfiguration', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-authorizers-'));
    writeFileSync(join(folder, 'kc'), '{}');
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });
  const messageOf = (text: string, required?: ReadonlySet<string>): string => {
    try {
      readAuthorizationConfiguration(text.replaceAll('FOLDER', folder), required);
      return '';
    } catch (error) {
      if (!isAuthorizationConfigurationError(error)) throw error;
      return error.message.replaceAll(folder, 'FOLDER');
    }
  };

  for (const { message, name, text } of recorded)
    it(`${message === '' ? 'is taken' : 'is refused'}, as kube-apiserver does: ${name}`, () => {
      expect(messageOf(text)).to.equal(message);
    });

  it('has defaults', () => {
    expect(readAuthorizationConfiguration(webhook({}))).to.deep.equal([
      {
        type: 'Webhook',
        name: 'w',
        webhook: {
          kubeConfigFile: '/dev/../etc/passwd',
          version: 'v1',
          timeoutMs: 3_000,
          allowedTTLMs: 300_000,
          refusedTTLMs: 30_000,
          failurePolicy: 'Deny',
          conditions: [],
        },
      },
    ]);
  });
  it('keeps nothing where it is told so', () => {
    const [first] = readAuthorizationConfiguration(
      webhook({ authorizedTTL: '1h', cacheAuthorizedRequests: false, unauthorizedTTL: '1m' }),
    );
    expect(first?.type === 'Webhook' && first.webhook).to.include({ allowedTTLMs: 0, refusedTTLMs: 60_000 });
  });
  it('cannot lose the authorizers that were there at the start', () => {
    expect(messageOf(webhook({}), new Set(['RBAC', 'Node']))).to.equal('missing required types: [Node RBAC]');
  });
  it('does not ask this server itself', () => {
    expect(messageOf(webhook({ connectionInfo: { type: 'InClusterConfig' } }))).to.equal(
      'authorizers[0].connectionInfo.type: Invalid value: "InClusterConfig": is not allowed for kube-apiserver',
    );
  });
});

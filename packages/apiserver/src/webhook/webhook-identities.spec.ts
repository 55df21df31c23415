import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebhookIdentities } from './webhook-identities.ts';

describe('WebhookIdentities', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-identities-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const user = (name: string): object => ({ name, user: { token: `of ${name}` } });
  function told(host: string, names: readonly string[], current?: string): string | undefined {
    const path = join(folder, 'config');
    writeFileSync(
      path,
      JSON.stringify({
        users: names.map(user),
        'current-context': 'c',
        contexts: current === undefined ? [] : [{ name: 'c', context: { user: current, cluster: '' } }],
      }),
    );
    return WebhookIdentities.fromKubeconfig(path).of(host).authorization?.();
  }

  const rows: readonly (readonly [
    host: string,
    names: string[],
    current: string | undefined,
    by: string | undefined,
  ])[] = [
    ['a.b.svc:443', ['a.b.svc', '*'], undefined, 'a.b.svc'],
    ['a.b.svc:443', ['a.b.svc:443', 'a.b.svc'], undefined, 'a.b.svc:443'],
    ['a.b.svc:443', ['*.b.svc', '*.svc'], undefined, '*.b.svc'],
    ['a.b.svc:443', ['*.svc:443', '*.b.svc'], undefined, '*.svc:443'],
    ['a.b.svc:8443', ['a.b.svc', '*'], undefined, '*'],
    ['example.com', ['other', 'me'], 'me', 'me'],
    ['example.com', ['other'], undefined, undefined],
  ];
  for (const [host, names, current, by] of rows)
    it(
      `calls ${host} as ${by ?? 'nobody'} of ` + `${names.join(', ')}${current === undefined ? '' : ` (${current})`}`,
      () => {
        expect(told(host, names, current)).to.equal(by === undefined ? undefined : `Bearer of ${by}`);
      },
    );

  it('reads tokens when they are needed, and knows passwords', () => {
    const path = join(folder, 'config');
    const users = [
      { name: 'file', user: { tokenFile: 'token' } },
      { name: 'basic', user: { username: 'u', password: 'p' } },
    ];
    writeFileSync(path, JSON.stringify({ users }));
    const identities = WebhookIdentities.fromKubeconfig(path);
    for (const token of ['one', 'two']) {
      writeFileSync(join(folder, 'token'), `${token}\n`);
      expect(identities.of('file').authorization?.()).to.equal(`Bearer ${token}`);
    }
    expect(identities.of('basic').authorization?.()).to.equal(`Basic ${Buffer.from('u:p').toString('base64')}`);
  });
});

import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OptionsError } from '../options/options-error.ts';
import { KubeClient } from './kube-client.ts';

describe('KubeClient', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
  const file = join(folder, 'config');
  after(() => {
    rmSync(folder, { recursive: true });
  });
  const config = (user: object): string =>
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      clusters: [{ name: 'k', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'u', user }],
    });
  const rows: readonly (readonly [name: string, text: string, message: string])[] = [
    ['no object', '- a', 'is no kubeconfig'],
    ['no context', '{}', 'has no context ""'],
    ['a way to log in that is not built', config({ exec: { command: 'x' } }), 'user "u": exec is not supported here'],
    ['a file that is not there', config({ 'client-certificate': 'none.crt' }), 'none.crt'],
  ];
  for (const [name, text, message] of rows) {
    it(`refuses a kubeconfig with ${name}, in one line`, () => {
      writeFileSync(file, text);
      expect(() => KubeClient.fromKubeconfig(file))
        .to.throw(OptionsError)
        .with.property('message')
        .that.contains(message)
        .and.contains('kubeconfig')
        .and.not.contains('\n');
    });
  }
  it('asks servers without TLS', async () => {
    const server = createServer((request, response) => {
      response.end(JSON.stringify({ kind: 'Asked', metadata: { name: request.url } }));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    writeFileSync(file, config({ token: 't' }).replace('https://127.0.0.1:1', `http://127.0.0.1:${port}`));
    const client = KubeClient.fromKubeconfig(file);
    expect((await client.get('/version')).metadata?.name).to.equal('/version');
    client.close();
    await new Promise((closed) => server.close(closed));
  });
  it('fails when nobody answers', async () => {
    writeFileSync(file, config({ token: 't' }));
    const client = KubeClient.fromKubeconfig(file);
    const error: unknown = await client.get('/version').then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect((error as NodeJS.ErrnoException | undefined)?.code).to.equal('ECONNREFUSED');
    client.close();
  });
});

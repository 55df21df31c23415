import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from './harness/chain.ts';

const clients = join(import.meta.dirname, '../clients');

function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error !== null && error.code === 'ENOENT') reject(new Error(`${command} is not installed`));
      else if (error !== null) reject(new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}

/** Client libraries of other languages, built from their own registries, each as its users use it. */
describe('client libraries', () => {
  let chain: Chain;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-clients-'));
    chain = await startChain();
  });
  after(async () => {
    await chain?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('client-go: typed over protobuf, informers, apply, leases, dynamic', async () => {
    await run('go', ['build', '-o', join(folder, 'go-client'), '.'], join(clients, 'go'));
    const output = await run(join(folder, 'go-client'), [chain.kubeconfig], folder);
    expect(output.trim().split('\n').filter((line) => line.startsWith('ok '))).to.have.length(9);
  }).timeout(900_000);

  it('the Python client', async () => {
    await run('python3', ['-m', 'venv', join(folder, 'venv')], folder);
    await run(join(folder, 'venv/bin/pip'), ['install', '-q', '-r', join(clients, 'python/requirements.txt')], folder);
    const output = await run(join(folder, 'venv/bin/python'), [join(clients, 'python/client.py'), chain.kubeconfig], folder);
    expect(output.trim().split('\n').filter((line) => line.startsWith('ok '))).to.have.length(5);
  }).timeout(300_000);

  it('fabric8 on the JVM', async () => {
    const output = await run('mvn', ['-q', '-B', '-Dstyle.color=never', '-f', join(clients, 'java/pom.xml'), 'compile', 'exec:java', `-Dexec.args=${chain.kubeconfig}`], folder);
    // Maven may write before the first line without ending its own.
    expect(output.match(/ok {3}\S.*/g)).to.deep.equal(['ok   crud', 'ok   server-side apply', 'ok   informer']);
  }).timeout(600_000);
});

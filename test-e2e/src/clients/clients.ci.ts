import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { goTool } from '../harness/go-tools.ts';
import { run } from '../harness/run.ts';

const clients = join(import.meta.dirname, '../../clients');

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

  it('client-go: typed over protobuf, informers of all kinds, apply, leases, retries, cached discovery', async () => {
    const output = await run(await goTool('clients'), [chain.kubeconfig]);
    expect(
      output
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('ok ')),
    ).to.have.length(12);
  }).timeout(900_000);

  it('controller-runtime: an operator with cache, leader election, status, finalizer and owned objects', async () => {
    const output = await run(await goTool('operator'), [chain.kubeconfig]);
    expect(
      output
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('ok ')),
    ).to.have.length(9);
  }).timeout(900_000);

  it('the Python client', async () => {
    await run('python3', ['-m', 'venv', join(folder, 'venv')], { cwd: folder });
    await run(join(folder, 'venv/bin/pip'), ['install', '-q', '-r', join(clients, 'python/requirements.txt')], {
      cwd: folder,
    });
    const output = await run(join(folder, 'venv/bin/python'), [join(clients, 'python/client.py'), chain.kubeconfig], {
      cwd: folder,
    });
    expect(
      output
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('ok ')),
    ).to.have.length(6);
  }).timeout(300_000);

  it('fabric8 on the JVM', async () => {
    const output = await run(
      'mvn',
      [
        '-q',
        '-B',
        '-Dstyle.color=never',
        '-f',
        join(clients, 'java/pom.xml'),
        'compile',
        'exec:java',
        `-Dexec.args=${chain.kubeconfig}`,
      ],
      { cwd: folder },
    );
    // Maven may write before the first line without ending its own.
    expect(output.match(/ok {3}\S.*/g)).to.deep.equal(['ok   crud', 'ok   server-side apply', 'ok   informer']);
  }).timeout(600_000);
});

import { expect } from 'chai';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { selfSignedCertificate } from '@kubechain/apiserver/certificates';

const bin = fileURLToPath(new URL('../../packages/kubechain/bin/kubechain.js', import.meta.url));

function run(cwd: string, ...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { cwd, encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => {
        resolve(port);
      });
    });
  });

describe('the command', function () {
  this.timeout(120_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-command-'));
  });
  afterEach(async () => {
    await run(folder, 'down');
    rmSync(folder, { recursive: true });
  });

  it('runs a chain in the background, looks at it, and ends it', async () => {
    const up = await run(folder, 'up', '--detach', '--secure-port', '0', '--output', 'json');
    expect(up.stderr).to.equal('');
    const facts = JSON.parse(up.stdout) as { url: string; kubeconfig: string };
    expect(facts.kubeconfig).to.equal(join(folder, '.kubechain/admin.kubeconfig'));
    const status = await run(folder, 'status', '--output', 'json');
    expect(status.code).to.equal(0);
    expect(JSON.parse(status.stdout)).to.include({ state: 'ready', url: facts.url });
    expect((await run(folder, 'logs', 'etcd')).code).to.equal(0);
    expect((await run(folder, 'kubeconfig')).stdout).to.equal(readFileSync(facts.kubeconfig, 'utf8'));
    const again = await run(folder, 'up', '--detach');
    expect(again.code).to.equal(1);
    expect(again.stderr).to.match(/^kubechain: --data-dir: .* already runs on .*\n$/);
    // What has been printed of the one that runs is still there.
    expect(readFileSync(join(folder, '.kubechain/up.log'), 'utf8')).to.include(up.stdout);
    const other = ['--data-dir', 'other', '--secure-port', new URL(facts.url).port];
    expect((await run(folder, 'up', '--detach', ...other)).stderr).to.match(
      /^kubechain: aggregator: --secure-port: .*: address already in use; --secure-port 0 takes a free one\n$/,
    );
    expect((await run(folder, 'down')).stdout).to.match(/^stopped/);
    expect((await run(folder, 'status')).code).to.equal(3);
    expect((await run(folder, 'reset')).code).to.equal(0);
    expect(existsSync(join(folder, '.kubechain/etcd.db'))).to.equal(false);
    expect(existsSync(facts.kubeconfig)).to.equal(true);
  });

  it('is reached where it listens, with its own certificate beside one of the user', async () => {
    const directory = join(folder, 'theirs');
    const { certFile, keyFile } = await selfSignedCertificate({ directory, address: '127.0.0.2' });
    const own = [`--tls-cert-file=${certFile}`, `--tls-private-key-file=${keyFile}`];
    const up = await run(folder, 'up', '--detach', '--secure-port', '0', '--bind-address', '127.0.0.2', ...own);
    expect(up.stderr).to.equal('');
    expect(up.stdout).to.match(/^ {2}https:\/\/127\.0\.0\.2:\d+$/m);
    expect((await run(folder, 'status')).stdout).to.match(/^ready/);
    const [, port = ''] = /127\.0\.0\.2:(\d+)/.exec(up.stdout) ?? [];
    const ca = readFileSync(certFile);
    // Whoever asks for no name of the chain is shown the user's.
    const answer = await getJSON({
      host: '127.0.0.2',
      port: Number(port),
      path: '/version',
      ca,
    });
    expect(answer).to.have.property('gitVersion');
  });

  it('runs a command with a server of its own, and ends as it does', async () => {
    const script =
      "const fs = require('node:fs'); console.log(process.env.KUBECONFIG, " +
      'fs.existsSync(process.env.KUBECONFIG)); process.exit(7)';
    const { code, stdout } = await run(folder, 'run', '--', process.execPath, '-e', script);
    const [kubeconfig = '', there] = stdout.trim().split(' ');
    expect([code, there, existsSync(kubeconfig)]).to.deep.equal([7, 'true', false]);
    const missing = await run(folder, 'run', '--', 'no-such-program');
    expect([missing.code, missing.stderr]).to.deep.equal([
      1,
      "kubechain: cannot run 'no-such-program': spawn no-such-program ENOENT\n",
    ]);
  });

  it('makes programs that envtest can run: they serve, stop within a second, and leave nothing', async () => {
    const assets = (await run(folder, 'setup-envtest', 'use', '1.36.x', '-p', 'path', '--bin-dir', folder)).stdout;
    const [etcdPort, port] = [await freePort(), await freePort()];
    const dataDir = join(folder, 'data');
    const children = [
      spawn(join(assets, 'etcd'), [
        `--data-dir=${dataDir}`,
        `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
        `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
        '--listen-peer-urls=http://localhost:0',
        '--unsafe-no-fsync=true',
      ]),
      spawn(
        join(assets, 'kube-apiserver'),
        [
          '--advertise-address=127.0.0.1',
          '--allow-privileged=true',
          '--authorization-mode=RBAC',
          '--bind-address=127.0.0.1',
          `--cert-dir=${join(folder, 'certificates')}`,
          '--disable-admission-plugins=ServiceAccount',
          `--etcd-servers=http://127.0.0.1:${etcdPort}`,
          `--secure-port=${port}`,
          '--service-cluster-ip-range=10.0.0.0/24',
          '--version=v1.36.2-rehearsal',
        ],
        { env: { ...process.env, TMPDIR: folder } },
      ),
    ];
    const server = children[1]!;
    let output = '';
    server.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    let errors = '';
    server.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const deadline = performance.now() + 60_000;
    while (!output.includes('serving on')) {
      if (performance.now() > deadline || server.exitCode !== null) throw new TypeError(errors);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(existsSync(join(dataDir, 'kubechain.db'))).to.equal(true);
    // With the certificate that it has put into --cert-dir, and as the version that it was given.
    const ca = readFileSync(join(folder, 'certificates/apiserver.crt'));
    expect(await getJSON({ port, path: '/version', ca })).to.include({ gitVersion: 'v1.36.2-rehearsal' });
    for (const child of children.reverse()) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      expect(await ended).to.equal(0);
    }
    const left = (await import('node:fs')).readdirSync(folder).filter((name) => name.startsWith('kubechain-'));
    expect(left).to.deep.equal([]);
  });
});

/** The answer of a server whose certificate `ca` has signed. */
function getJSON(options: {
  readonly host?: string;
  readonly port: number;
  readonly path: string;
  readonly ca: Buffer;
}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', ...options }, (response) => {
      json(response).then(resolve, reject);
    }).once('error', reject);
  });
}

import { freePort } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function runUntilEnd(file: string, args: readonly string[], timeoutMs = 40_000): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, file), ...args], {
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`still running after ${timeoutMs} ms:\n${output}`));
    }, timeoutMs);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

describe('a start that cannot work ends with one line that names the flag, and exit 1', () => {
  let folder: string;
  let taken: Server;
  let takenPort: number;
  let free: number;
  const visitors = new Set<Socket>();
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-bad-'));
    mkdirSync(join(folder, 'corrupt'));
    writeFileSync(join(folder, 'corrupt', 'etcd.db'), 'this is not a database'.repeat(1000));
    writeFileSync(join(folder, 'bad.csv'), '"one\n');
    taken = createServer((socket) => {
      visitors.add(socket);
      socket.once('close', () => visitors.delete(socket));
    });
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    free = await freePort();
    takenPort = (taken.address() as { port: number }).port;
  });
  after(async () => {
    // Whoever came by must not keep it open.
    for (const socket of visitors) socket.destroy();
    await new Promise((resolve) => taken.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  const up = 'packages/kubechain/bin/kubechain.js';
  const rows: readonly (readonly [what: string, args: () => string[], expected: RegExp])[] = [
    ['unknown flag', () => ['up', '--nonsense'], /unknown flag: --nonsense/],
    ['bad value', () => ['up', '--secure-port', 'many'], /secure-port/],
    [
      'port in use',
      () => ['up', '--data-dir', join(folder, 'a'), '--secure-port', String(takenPort)],
      /--secure-port.*in use/,
    ],
    [
      'unreachable etcd',
      () => [
        'up',
        '--data-dir',
        join(folder, 'b'),
        '--secure-port',
        String(free),
        '--etcd-servers',
        'http://127.0.0.1:1',
      ],
      /--etcd-servers/,
    ],
    [
      'corrupt data file',
      () => ['up', '--data-dir', join(folder, 'corrupt'), '--secure-port', String(free)],
      /--data-file/,
    ],
    [
      'unreadable certificate',
      () => [
        'up',
        '--data-dir',
        join(folder, 'c'),
        '--tls-cert-file',
        join(folder, 'none.crt'),
        '--tls-private-key-file',
        join(folder, 'none.key'),
      ],
      /--tls-cert-file/,
    ],
    [
      'malformed token file',
      () => ['up', '--data-dir', join(folder, 'd'), '--token-auth-file', join(folder, 'bad.csv')],
      /--token-auth-file/,
    ],
    [
      'unknown authorization mode',
      () => ['up', '--data-dir', join(folder, 'e'), '--authorization-mode', 'Maybe'],
      /--authorization-mode/,
    ],
  ];
  for (const [what, args, expected] of rows) {
    it(what, async () => {
      const { code, output } = await runUntilEnd(up, args());
      expect(code, output).to.equal(1);
      // Progress may stand above; the last line says it, without a stack.
      const last = output.trimEnd().split('\n').at(-1) ?? '';
      expect(last).to.match(expected);
      expect(output).to.not.match(/\n\s+at /);
    });
  }

  for (const name of ['aggregator', 'kube-apiserver', 'apiextensions']) {
    const main = `packages/${name}/src/main.ts`;
    it(`${name}: --help answers at once with exit 0`, async () => {
      const { code, output } = await runUntilEnd(main, ['--help']);
      expect(code).to.equal(0);
      expect(output).to.contain('--etcd-servers').and.contain('--secure-port');
    });
    it(`${name}: unknown flag`, async () => {
      expect(await runUntilEnd(main, ['--nonsense'])).to.deep.equal({
        code: 1,
        output: 'Error: unknown flag: --nonsense\n',
      });
    });
  }
});

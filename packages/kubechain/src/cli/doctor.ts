import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { tmpdir } from 'node:os';
import { freeBytes } from '../data-dir/disk-space.ts';
import type { Output } from './output.ts';
import { lookAtChain } from './running-chain.ts';

/** One thing that was looked at. `problem`: what has to be mended; `note`: what may be. */
interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'problem';
  readonly text: string;
}

const MIN_FREE_BYTES = 100 * 1024 * 1024;

/** Looks at what a chain needs on this machine; exit code 1 when something has to be mended. */
export async function doctor({
  dataDir,
  output,
  port,
}: {
  readonly dataDir: string;
  readonly output: Output;
  readonly port: number;
}): Promise<number> {
  const running = await lookAtChain(dataDir);
  const findings = [
    node(),
    writable('data directory', running.dir.root),
    writable('sockets', running.dir.run),
    writable('temporary directory', tmpdir()),
    space(running.dir.root),
    running.pid === undefined
      ? await portIsFree(port)
      : finding('chain', 'ok', `runs (pid ${running.pid}) on ${running.url ?? 'no port'}`),
    kubectl(),
  ];
  const marks = {
    ok: output.colour('green', 'ok     '),
    note: output.colour('yellow', 'note   '),
    problem: output.colour('red', 'problem'),
  };
  output.result(findings, () =>
    findings.map(({ check, state, text }) => `${marks[state]}  ${check.padEnd(20)} ${text}`),
  );
  return findings.some(({ state }) => state === 'problem') ? 1 : 0;
}

function finding(check: string, state: Finding['state'], text: string): Finding {
  return { check, state, text };
}

function node(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  return finding(
    'Node',
    major >= 24 ? 'ok' : 'note',
    `${process.version}${major >= 24 ? '' : '; 24 and later start faster'}`,
  );
}

function writable(check: string, path: string): Finding {
  let there = path;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
    return finding(check, 'ok', path);
  } catch (error) {
    return finding(
      check,
      'problem',
      `${there} cannot be written by this user (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

function space(path: string): Finding {
  let there = path;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  const free = freeBytes(there);
  return finding('free space', free > MIN_FREE_BYTES ? 'ok' : 'problem', `${Math.round(free / 1024 / 1024)} MiB`);
}

function portIsFree(port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      resolve(
        finding(
          'port',
          'problem',
          `127.0.0.1:${port}: ${(error as NodeJS.ErrnoException).code}; choose another by --secure-port`,
        ),
      );
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(finding('port', 'ok', `127.0.0.1:${port} is free`));
      });
    });
  });
}

function kubectl(): Finding {
  try {
    const text = execFileSync('kubectl', ['version', '--client', '-o', 'json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    });
    const { clientVersion } = JSON.parse(text) as { readonly clientVersion: { readonly gitVersion: string } };
    return finding('kubectl', 'ok', clientVersion.gitVersion);
  } catch {
    return finding('kubectl', 'note', 'not found on the PATH; any other client will do');
  }
}

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record, scenarioFiles } from '../src/conformance/scenarios.ts';

/**
 * Records the golden files from a real etcd: `node scripts/record-golden.ts [etcd binary]`.
 * Each scenario gets a fresh server on port 42379.
 */
const binary = process.argv[2] ?? 'etcd';
const CLIENT = 'http://127.0.0.1:42379';
const PEER = 'http://127.0.0.1:42380';

async function withEtcd<T>(use: () => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'etcd-golden-'));
  const etcd = spawn(
    binary,
    [
      '--data-dir',
      directory,
      '--listen-client-urls',
      CLIENT,
      '--advertise-client-urls',
      CLIENT,
      '--listen-peer-urls',
      PEER,
      '--initial-advertise-peer-urls',
      PEER,
      '--initial-cluster',
      `default=${PEER}`,
      '--log-level',
      'error',
    ],
    { stdio: 'inherit' },
  );
  const exited = new Promise((resolve) => etcd.once('exit', resolve));
  try {
    await ready();
    return await use();
  } finally {
    etcd.kill('SIGTERM');
    await exited;
    await rm(directory, { recursive: true });
  }
}

async function ready(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const healthy = await fetch(`${CLIENT}/health`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (healthy) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new RangeError(`${binary} did not become healthy on ${CLIENT}`);
}

for (const { file, scenarios } of scenarioFiles) {
  const recorded: Record<string, unknown> = {};
  for (const scenario of scenarios) recorded[scenario.name] = await withEtcd(() => record(scenario, CLIENT));
  await writeFile(
    new URL(`../src/conformance/golden/${file}.json`, import.meta.url),
    `${JSON.stringify(recorded, null, 1)}\n`,
  );
  process.stdout.write(`${file}: ${scenarios.length} scenarios\n`);
}

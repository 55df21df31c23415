import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Machine } from '../machine.ts';

const START_LIMIT_MS = 60_000;
const RUNTIME = 'within-limits';

/**
 * Starts a Docker engine on a machine, where `docker` finds it at its usual place. What it keeps is in the machine's
 * folder, what it changes in the machine's namespaces and cgroups: all of it goes with the machine.
 */
export async function startDockerEngine(machine: Machine): Promise<void> {
  const runtime = 'runc-within-limits.sh';
  copyFileSync(join(import.meta.dirname, runtime), join(machine.dir, runtime));
  machine.daemon(
    'dockerd',
    'dockerd',
    '--data-root=/machine/docker',
    '--exec-root=/run/docker',
    '--pidfile=/run/docker.pid',
    '--host=unix:///run/docker.sock',
    `--cgroup-parent=/${machine.cgroup}/docker`,
    `--add-runtime=${RUNTIME}=/machine/${runtime}`,
    `--default-runtime=${RUNTIME}`,
  );
  const endsMs = performance.now() + START_LIMIT_MS;
  while ((await machine.execute('docker', 'version')).code !== 0) {
    if (performance.now() > endsMs) throw new Error(`no answer from Docker: ${machine.read('dockerd.log')}`);
    await delay(100);
  }
}

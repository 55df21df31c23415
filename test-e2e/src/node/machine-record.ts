import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execute } from '../harness/run.ts';

/** A process, and when it began in the kernel's own count: a number that is used again is another process. */
export interface Started {
  readonly pid: number;
  readonly began: string;
}

/** What must go with a machine, kept in its folder so that whoever finds that can take all of it down. */
export interface MachineRecord {
  /** The process that made it. */
  readonly maker: Started;
  /** Process, in the namespaces of whoever made it, whose end ends all others of the machine. */
  readonly init: Started;
  /** Network interface at the outer end. */
  readonly link: string;
  /** Name of the cgroups. */
  readonly cgroup: string;
}

/** How folders of machines begin, in the folder for temporary files. */
export const MACHINE_PREFIX = 'kubechain-node-';
const CGROUPS = '/sys/fs/cgroup';
const RECORD = 'machine.json';

export function writeRecord(dir: string, record: MachineRecord): void {
  writeFileSync(join(dir, RECORD), JSON.stringify(record));
}

/** A process that runs. Throws when there is none of that number. */
export function started(pid: number): Started {
  const began = beginningOf(pid);
  if (began === undefined) throw new Error(`there is no process ${pid}`);
  return { pid, began };
}

function runs({ pid, began }: Started): boolean {
  return beginningOf(pid) === began;
}

function beginningOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22, counted behind the name in brackets, which may have spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Ends a machine and takes away all that it had: processes, mounts, interfaces, rules, cgroups, files. */
export async function takeDown(dir: string): Promise<void> {
  const record = readRecord(dir);
  if (record !== undefined) {
    if (runs(record.init)) process.kill(record.init.pid, 'SIGKILL');
    for (let tries = 0; tries < 200 && runs(record.init); tries++) await delay(50);
    await removeCgroups(record.cgroup);
    // It goes with the namespace at its other end, which the kernel takes down when it likes.
    await execute('ip', ['link', 'delete', record.link]);
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
}

/** Which machines of tests are taken down. */
export type Leftovers = 'all' | 'abandoned';

/** Takes down machines of tests, all or those whose makers are gone; resolves to their folders. */
export async function takeDownLeftovers(which: Leftovers): Promise<readonly string[]> {
  const dirs = readdirSync(tmpdir())
    .filter((name) => name.startsWith(MACHINE_PREFIX))
    .map((name) => join(tmpdir(), name))
    .filter((dir) => {
      if (which === 'all') return true;
      const record = readRecord(dir);
      return record !== undefined && !runs(record.maker);
    });
  for (const dir of dirs) await takeDown(dir);
  return dirs;
}

function readRecord(dir: string): MachineRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(dir, RECORD), 'utf8')) as MachineRecord;
  } catch {
    return undefined;
  }
}

/** Folders in which a cgroup of the machine is: one for each controller of version 1, the only one of version 2. */
export function cgroupParents(): readonly string[] {
  const names = readdirSync(CGROUPS, { withFileTypes: true });
  if (names.some(({ name }) => name === 'cgroup.controllers')) return [CGROUPS];
  return names.filter((entry) => entry.isDirectory()).map(({ name }) => join(CGROUPS, name));
}

async function removeCgroups(name: string): Promise<void> {
  for (const parent of cgroupParents())
    for (let tries = 0; tries < 100 && !removeTree(join(parent, name)); tries++) await delay(50);
}

/** Cgroups have files that cannot be deleted; those without processes go by rmdir, the innermost first. */
function removeTree(path: string): boolean {
  try {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory() && !removeTree(join(path, entry.name))) return false;
    rmdirSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

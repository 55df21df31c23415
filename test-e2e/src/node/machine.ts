import { spawn, type ChildProcess } from 'node:child_process';
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execute, run, type Result } from '../harness/run.ts';
import { cgroupParents, MACHINE_PREFIX, started, takeDown, takeDownLeftovers, writeRecord } from './machine-record.ts';

/** Addresses of one machine and of what is on it. The range is one that documentation has for itself (RFC 5737). */
export interface MachineAddresses {
  /** Of this machine, as seen from the test machine. */
  readonly outer: string;
  readonly inner: string;
  readonly pods: string;
  readonly services: string;
  /** The tenth of `services`, as ever. */
  readonly dns: string;
}

/** Of a machine's processes, by the weight of one group of them. */
const WEIGHT = 10;
const START_LIMIT_MS = 30_000;
/** For what hangs: images are large, and machines busy. */
const COMMAND_LIMIT_MS = 1_200_000;

/**
 * A machine in namespaces of its own on this one: processes, mounts, network, host name. It sees this machine's files
 * and writes its own; what it does to interfaces, rules and mounts goes when its first process ends. `/machine` there
 * is `dir` here.
 */
export class Machine {
  readonly name: string;
  readonly dir: string;
  readonly cgroup: string;
  readonly addresses: MachineAddresses;
  /** Its first process, as a number of this machine. */
  readonly #init: number;

  private constructor(options: {
    readonly name: string;
    readonly dir: string;
    readonly cgroup: string;
    readonly addresses: MachineAddresses;
    readonly init: number;
  }) {
    this.name = options.name;
    this.dir = options.dir;
    this.cgroup = options.cgroup;
    this.addresses = options.addresses;
    this.#init = options.init;
  }

  /** Starts one, with an address of its own beside those that are there; takes down what killed tests have left. */
  static async start(name: string): Promise<Machine> {
    await takeDownLeftovers('abandoned');
    const dir = mkdtempSync(join(tmpdir(), MACHINE_PREFIX));
    const cgroup = dir.slice(dir.lastIndexOf('/') + 1);
    try {
      const { link, addresses } = await freeAddresses();
      const log = openSync(join(dir, 'init.log'), 'w');
      const child = spawn(
        'unshare',
        [
          '--mount',
          '--net',
          '--pid',
          '--uts',
          '--ipc',
          '--fork',
          '--kill-child',
          join(import.meta.dirname, 'machine-init.sh'),
          dir,
          name,
        ],
        { stdio: ['ignore', log, log] },
      );
      closeSync(log);
      if (child.pid === undefined) throw new Error('unshare could not be started');
      writeRecord(dir, { maker: started(process.pid), init: started(child.pid), link, cgroup });
      const init = await initOf(child, dir);
      const machine = new Machine({ name, dir, cgroup, addresses, init });
      await connectTo(machine, { init, link });
      makeCgroups(cgroup);
      return machine;
    } catch (error) {
      await takeDown(dir);
      throw error;
    }
  }

  /** Writes a file below /machine. */
  write(path: string, text: string): void {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  /** Brings a program there, from wherever it is; resolves to its path. */
  install(program: string): string {
    const folder = join(this.dir, 'bin');
    mkdirSync(folder, { recursive: true });
    copyFileSync(program, join(folder, basename(program)), constants.COPYFILE_FICLONE);
    return join('/machine/bin', basename(program));
  }

  /** Runs a command there; it must succeed. */
  ok(...command: readonly string[]): Promise<string> {
    return run('nsenter', [...this.#namespaces(), ...command], { timeoutMs: COMMAND_LIMIT_MS });
  }

  execute(...command: readonly string[]): Promise<Result> {
    return execute('nsenter', [...this.#namespaces(), ...command], { timeoutMs: COMMAND_LIMIT_MS });
  }

  /** Starts a program that goes on until the machine ends or `kill`; its output goes to NAME.log. */
  daemon(name: string, ...command: readonly string[]): void {
    const log = openSync(join(this.dir, `${name}.log`), 'a');
    spawn(
      'nsenter',
      [...this.#namespaces(), 'sh', '-c', `echo $$ >/machine/${name}.pid; exec "$@"`, 'sh', ...command],
      { stdio: ['ignore', log, log] },
    ).unref();
    closeSync(log);
  }

  /** Ends a daemon, at once and without a word. */
  async kill(name: string): Promise<void> {
    await this.ok('kill', '-KILL', this.read(`${name}.pid`).trim());
  }

  /** Ends all of it. */
  stop(): Promise<void> {
    return takeDown(this.dir);
  }

  #namespaces(): readonly string[] {
    return ['--target', String(this.#init), '--mount', '--net', '--pid', '--uts', '--ipc', '--'];
  }
}

/** The child of `unshare`, once it says that the machine is there. */
async function initOf(child: ChildProcess, dir: string): Promise<number> {
  const endsMs = performance.now() + START_LIMIT_MS;
  while (!existsSync(join(dir, 'ready'))) {
    if (child.exitCode !== null || performance.now() > endsMs)
      throw new Error(`the machine did not start: ${readFileSync(join(dir, 'init.log'), 'utf8')}`);
    await delay(20);
  }
  return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());
}

/** The first place that no interface has taken. */
async function freeAddresses(): Promise<{ readonly link: string; readonly addresses: MachineAddresses }> {
  const taken = await run('ip', ['-oneline', 'link']);
  for (let index = 0; index < 60; index++) {
    const link = `kcnode${index}`;
    if (link in networkInterfaces() || taken.includes(` ${link}@`)) continue;
    return {
      link,
      addresses: {
        outer: `198.51.100.${4 * index + 1}`,
        inner: `198.51.100.${4 * index + 2}`,
        pods: `10.244.${index}.0/24`,
        services: `10.96.${index}.0/24`,
        dns: `10.96.${index}.10`,
      },
    };
  }
  throw new Error('too many test machines');
}

/** A wire between both, by which services and pods are reached, too. */
async function connectTo(
  machine: Machine,
  { init, link }: { readonly init: number; readonly link: string },
): Promise<void> {
  const { outer, inner, pods, services } = machine.addresses;
  await run('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(init)]);
  await run('ip', ['address', 'add', `${outer}/30`, 'dev', link]);
  await run('ip', ['link', 'set', link, 'up']);
  await machine.ok('ip', 'address', 'add', `${inner}/30`, 'dev', 'eth0');
  await machine.ok('ip', 'link', 'set', 'eth0', 'up');
  await machine.ok('ip', 'route', 'add', 'default', 'via', outer);
  for (const range of [pods, services]) await run('ip', ['route', 'add', range, 'via', inner]);
}

function makeCgroups(name: string): void {
  for (const parent of cgroupParents()) {
    const path = join(parent, name);
    mkdirSync(path, { recursive: true });
    // Version 1 gives new ones no processors.
    for (const file of ['cpuset.cpus', 'cpuset.mems'])
      if (existsSync(join(path, file)) && existsSync(join(parent, 'tasks')))
        writeFileSync(join(path, file), readFileSync(join(parent, file)));
    // By default all of a machine weighs as much as one group of processes of those that run beside it.
    for (const [file, one] of [
      ['cpu.shares', 1024],
      ['cpu.weight', 100],
    ] as const)
      if (existsSync(join(path, file))) writeFileSync(join(path, file), String(one * WEIGHT));
  }
}

import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { seedVariable } from '@kubechain/apimachinery';
import { lockProcess, type ProcessLock } from '../data-dir/process-lock.ts';
import { openDataDir, socketAddress, type DataDir } from '../data-dir/data-dir.ts';
import { waitForLeftovers } from '../data-dir/leftover-processes.ts';
import { LaunchError } from '../launch-error.ts';
import { ensureKubeconfig } from '../pki/kubeconfig.ts';
import { CONTROLLER_MANAGER_NAME, ensurePKI } from '../pki/pki.ts';
import { certifiedFromMs } from '../control/first-reading.ts';
import { servingNames } from './serving-names.ts';
import { GUARD } from '../supervisor/child.ts';
import { isWholeMessage } from '../supervisor/child-command.ts';
import { ProcessGroup } from '../supervisor/process-group.ts';
import type { ProcessEvent } from '../supervisor/process-event.ts';
import type { SupervisedProcess } from '../supervisor/supervised-process.ts';
import { askReadyz } from './ask-readyz.ts';
import { clientAddress, type ClientAddress } from './client-address.ts';
import { ChainClock } from './chain-clock.ts';
import type { ChainOptions } from './chain-options.ts';
import { controlled, controllersCommand, serverCommand, servesPort, storeCommand, STORE_NAME } from './chain-plan.ts';
import { answerQuestion, type ChildQuestion } from './child-questions.ts';
import { readyTimeoutMs } from './ready-timeout.ts';
import {
  CONTROLLERS_NAME,
  SERVER_NAMES,
  TENANTS_NAME,
  type ControllersProcess,
  type ServerProcess,
} from './server-process.ts';
import { tenantsCommand } from './tenants-process.ts';
import { waitUntilReady, type Unready } from './wait-until-ready.ts';

/** What the display is told on the way. */
export type ChainEvent =
  | ProcessEvent
  /** A thread of this process is started again, which one piece of work has held for good. */
  | { readonly kind: 'held'; readonly name: string; readonly reason: string }
  /** It is not ready yet; `reason` is the last that is known of it, or ''. */
  | { readonly kind: 'waiting'; readonly name: string; readonly reason: string; readonly afterMs: number }
  | { readonly kind: 'certificates'; readonly made: boolean; readonly afterMs: number };

/** What a chain is made of, and who hears of it. */
export interface ChainHooks {
  readonly onEvent?: (event: ChainEvent) => void;
  /** Where servers are found; specs put other programs in their place. */
  readonly servers: readonly ServerProcess[];
  /** Where controllers are found. Absent: none can be run. */
  readonly controllers?: ControllersProcess;
  readonly nowMs: number;
  /** Files to run in place of sources that do the same and load faster (bundledPrograms). Absent: sources are run. */
  readonly programs?: ReadonlyMap<string, string>;
  /** Aborted while the chain starts: everything is ended and the start fails. */
  readonly signal?: AbortSignal;
  /** Begin again after a crash this soon. Default 250. */
  readonly restartDelayMs?: number;
}

/** Running processes. */
export interface Chain {
  /** Undefined when no process of this chain serves clients. */
  readonly url: string | undefined;
  readonly kubeconfig: string;
  readonly dir: DataDir;
  readonly inspectors: readonly { readonly name: string; readonly port: number }[];
  /** Process ids of what runs now, by name. */
  pids(): ReadonlyMap<string, number | undefined>;
  /** Ends all processes, the first of the chain first and the store last. Idempotent. */
  stop(): Promise<void>;
  /** Ends them at once. */
  kill(): void;
}

/**
 * Starts store and servers at the same time and resolves when all are ready. From then on crashed ones are restarted.
 * @throws LaunchError after everything that was started has been ended again
 */
export async function startChain(options: ChainOptions, hooks: ChainHooks): Promise<Chain> {
  const starting = new Starting(options, hooks);
  try {
    return await starting.run();
  } catch (error) {
    await starting.stop();
    throw error;
  }
}

class Starting {
  readonly #options: ChainOptions;
  readonly #hooks: ChainHooks;
  readonly #group = new ProcessGroup();
  readonly #locks: ProcessLock[] = [];
  /** Where the control API is served, by which it is moved. */
  readonly #clock: ChainClock | undefined;
  /** Starts the process of the tenants. */
  #beginTenants: (() => SupervisedProcess) | undefined;
  #tenants: SupervisedProcess | undefined;
  /** The first server says that it is ready for clients. */
  readonly #whole = Promise.withResolvers<void>();
  #stopped: Promise<void> | undefined;

  constructor(options: ChainOptions, hooks: ChainHooks) {
    this.#options = options;
    this.#hooks = hooks;
    this.#clock = controlled(options) ? new ChainClock(this.#group, options.seed) : undefined;
  }

  async run(): Promise<Chain> {
    const options = this.#options;
    const servers = this.#hooks.servers.filter(({ name }) => options.only === undefined || options.only === name);
    const dir = openDataDir(options.dataDir);
    for (const { name } of servers) this.#locks.push(await lockProcess(dir, name));
    if (options.only === undefined) await waitForLeftovers(dir);
    const etcdServers = options.etcdServers ?? (await this.#startStore(dir));

    const startedAt = performance.now();
    const pki = await ensurePKI(dir.pki, {
      nowMs: certifiedFromMs(options.seed, this.#hooks.nowMs),
      lasting: this.#clock !== undefined,
      names: servingNames(options.serverFlags),
    });
    this.#throwIfStopped();
    const serving = servers.some(({ name }) => servesPort(name, options));
    const kubeconfig = kubeconfigOf(dir, options);
    const address = serving ? clientAddress(options.serverFlags, options.securePort) : undefined;
    const url = address?.server;
    this.#hooks.onEvent?.({ kind: 'certificates', made: pki.made, afterMs: performance.now() - startedAt });

    const plan = { dir, pki, options, etcdServers };
    if (url !== undefined)
      this.#beginTenants = () => this.#start(tenantsCommand(plan, { servers: this.#hooks.servers, url }));
    for (const server of servers) this.#start(serverCommand(server, plan));
    // Its key was made meanwhile. Controllers read what the administrator has.
    const admin = await pki.admin;
    this.#throwIfStopped();
    if (address !== undefined)
      ensureKubeconfig(kubeconfig, { ...address, caCertificate: pki.caCertificate, client: admin });
    const { controllers } = this.#hooks;
    // With one server alone there is no cluster to look after.
    if (address !== undefined && controllers !== undefined && wantsControllers(options)) {
      ensureKubeconfig(dir.controllersKubeconfig, {
        ...address,
        caCertificate: pki.caCertificate,
        client: pki.controllerManager,
        user: CONTROLLER_MANAGER_NAME,
      });
      this.#start(controllersCommand(controllers, plan));
    }
    await this.#allReady(dir, address);
    return {
      url,
      dir,
      kubeconfig,
      inspectors: inspectorsOf(options, servers),
      pids: () => new Map(this.#group.members.map((member) => [member.name, member.pid])),
      stop: () => this.stop(),
      kill: () => this.#group.kill(),
    };
  }

  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      await this.#group.stop([CONTROLLERS_NAME, ...SERVER_NAMES, TENANTS_NAME, STORE_NAME]);
      await Promise.all(this.#locks.map((lock) => lock.release()));
    })();
    return this.#stopped;
  }

  /** With --only, another command of the same data directory may run the store already. */
  async #startStore(dir: DataDir): Promise<string> {
    try {
      this.#locks.push(await lockProcess(dir, STORE_NAME));
    } catch (error) {
      if (this.#options.only === undefined) throw error;
      return socketAddress(dir, STORE_NAME);
    }
    this.#start(storeCommand(dir, this.#options));
    return socketAddress(dir, STORE_NAME);
  }

  /** @throws LaunchError when a process cannot be started */
  async #answer(question: ChildQuestion, clock: ChainClock): Promise<unknown> {
    switch (question.ask) {
      case 'change-clock':
        return clock.move(question.change);
      case 'start-tenants':
        await (this.#tenants ??= this.#beginTenants?.())?.firstReady;
        return undefined;
      default:
        return question satisfies never;
    }
  }

  #start(planned: Parameters<ProcessGroup['start']>[0]): SupervisedProcess {
    keepPreviousLog(planned.logFile);
    const clock = this.#clock;
    const { seed } = this.#options;
    const seeded = seed === undefined ? {} : { [seedVariable]: String(seed) };
    const command = clock === undefined ? planned : { ...planned, env: () => ({ ...clock.environment(), ...seeded }) };
    return this.#group.start(
      this.#hooks.programs === undefined
        ? command
        : {
            ...command,
            main: this.#hooks.programs.get(command.main) ?? command.main,
            guard: this.#hooks.programs.get(GUARD) ?? GUARD,
          },
      {
        onMessage: (child, message) => {
          if (planned.name === SERVER_NAMES[0] && isWholeMessage(message)) this.#whole.resolve();
          else if (clock !== undefined) answerQuestion(child, message, (question) => this.#answer(question, clock));
        },
        ...(this.#hooks.onEvent === undefined ? {} : { onEvent: this.#hooks.onEvent }),
        ...(this.#hooks.restartDelayMs === undefined ? {} : { minDelayMs: this.#hooks.restartDelayMs }),
      },
    );
  }

  #throwIfStopped(): void {
    if (this.#hooks.signal?.aborted === true) throw new LaunchError('Process', 'stopped before it was ready');
  }

  /** Who has not said so yet, or the first server, which waits for those behind it. */
  async #unready(pki: DataDir['pki'], address: ClientAddress | undefined): Promise<readonly Unready[]> {
    const unready = this.#group.members.filter((member) => !member.isReady);
    if (unready.length > 0) return unready.map(({ name, lastLine }) => ({ name, reason: lastLine }));
    const [name] = SERVER_NAMES;
    if (address === undefined) return [{ name, reason: '' }];
    const readyz = await askReadyz(address, join(pki, 'ca.crt'));
    return readyz.kind === 'ready' ? [] : [{ name, reason: readyz.failing }];
  }

  async #allReady(dir: DataDir, address: ClientAddress | undefined): Promise<void> {
    const ready: Promise<unknown>[] = this.#group.members.map((member) => member.firstReady);
    // One server alone may have nobody behind it.
    if (this.#options.only === undefined) ready.push(this.#whole.promise);
    await waitUntilReady({
      ready: Promise.all(ready),
      timeoutMs: this.#options.readyTimeoutMs ?? readyTimeoutMs(dir.storeFile),
      signal: this.#hooks.signal,
      unready: () => this.#unready(dir.pki, address),
      onUnready: (unready, afterMs) => this.#hooks.onEvent?.({ kind: 'waiting', ...unready, afterMs }),
      logs: dir.logs,
    });
  }
}

/** A server that serves clients itself leaves the file of the chain beside it alone. */
function kubeconfigOf(dir: DataDir, { only }: ChainOptions): string {
  return only === undefined || only === 'aggregator' ? dir.kubeconfig : join(dir.root, `${only}.kubeconfig`);
}

function inspectorsOf({ debug, inspectPort }: ChainOptions, servers: readonly ServerProcess[]): Chain['inspectors'] {
  if (debug !== undefined) return [{ name: debug.name, port: debug.port }];
  if (inspectPort === undefined) return [];
  return servers.map(({ name }) => ({ name, port: inspectPort + SERVER_NAMES.indexOf(name) }));
}

function wantsControllers({ controllers = 'none', only }: ChainOptions): boolean {
  return controllers !== 'none' && only === undefined;
}

/** The log of the run before is kept once, for when somebody looks for what happened. */
function keepPreviousLog(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.old`);
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  seededRandomness,
  systemClock,
  systemRandomness,
  type Randomness,
  type TimerClock,
} from '@kubechain/apimachinery';
import { MovableClock } from '@kubechain/apimachinery/movable-clock';
import { Assembly } from '@kubechain/apiserver/assembly';
import { Logger, Logging } from '@kubechain/apiserver/logging';
import { controlLinkOfProcess, openHeapGauge, type ServerEnvironment } from '@kubechain/apiserver/servers';
import type { AssemblyObserver } from '@kubechain/apiserver/assembly';
import type { LoopWatchdog } from '@kubechain/apiserver/watchdog';
import { commonFlags, expiredCertificateFlag, kubeletClientFlags, kubernetesServicePort } from '../chain/chain-plan.ts';
import { clientAddress, ownCertificateBeside, type ClientAddress } from '../chain/client-address.ts';
import { lastValue, readServerFlags, type GivenFlag } from '../chain/route-flags.ts';
import { ClockKeeper } from '../control/clock-keeper.ts';
import { certifiedFromMs, firstReading } from '../control/first-reading.ts';
import { openDataDir, type DataDir } from '../data-dir/data-dir.ts';
import { lockProcess } from '../data-dir/process-lock.ts';
import { adoptCertificateFiles, type CertificateFiles } from '../pki/certificate-files.ts';
import { ensureKubeconfig } from '../pki/kubeconfig.ts';
import { CONTROLLER_MANAGER_NAME, ensurePKI, type PKI } from '../pki/pki.ts';
import { servingNames } from '../chain/serving-names.ts';
import { freePort } from '../testing/free-port.ts';
import { assembleAllInOne, loggingOf, readAllInOneFlags, serverFlags } from './assemble.ts';
import { LogFile } from './log-file.ts';
import type { TenantsOptions } from './tenants.ts';
import { openStore, storeOfThisProcess } from './open-store.ts';
import { controllersFlags, runControllers } from './run-controllers.ts';
import { runPart, type RunningPart } from './run-part.ts';

const log = new Logger('all-in-one');

/** How a whole cluster is run in one process. */
export interface AllInOneOptions {
  /** Certificates, kubeconfig and store; kept. Default: a temporary directory, which `close` removes. */
  readonly dataDir?: string;
  /**
   * Keep objects in memory instead of the directory's store; they are gone with `close`. Default: without `dataDir`.
   */
  readonly memory?: boolean;
  /** HTTPS port on 127.0.0.1, 0 for a free one. Default: what `--secure-port` among `flags` says, else a free one. */
  readonly securePort?: number;
  /** kube-apiserver's flags, as for `kubechain up`: `['--enable-admission-plugins=NodeRestriction', '-v=2']`. */
  readonly flags?: readonly string[];
  /**
   * Controllers that run beside the servers, in the words of kube-controller-manager's `--controllers`, or a group's
   * name: `lifecycle`. Default: none.
   */
  readonly controllers?: string;
  /**
   * Two clusters with the same one, and the control API (`--control-listen` among `flags`), answer the same calls
   * alike. Default: each run is another.
   */
  readonly seed?: number;
  /** What its store may hold, in bytes, as etcd's `--quota-backend-bytes`. Default 0: 2 GiB; below: no bound. */
  readonly quotaBytes?: number;
  /** Takes log lines, newline included. Default: they go to `logs/all-in-one.log` of the data directory. */
  readonly onLog?: (line: string) => void;
  /**
   * Another cluster's certificates and keys, for a data directory that has none: making them takes most of a second
   * start. Clusters that share them trust each other's clients. Default: made anew.
   */
  readonly certificates?: CertificateFiles;
}

/** A running cluster: one store and three servers in this process. */
export interface AllInOne {
  /** `https://127.0.0.1:PORT`, or the address that `--bind-address` says. */
  readonly url: string;
  /** Path of a kubeconfig with full rights. */
  readonly kubeconfig: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly caCertificate: string;
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  /** Resolves when everything is closed; rejects when a server ended by itself, after the rest has been closed. */
  readonly ended: Promise<void>;
  /** Ends watches, lets requests finish, closes servers and store, and removes what was temporary. Idempotent. */
  close(): Promise<void>;
}

/** What whoever has the thread gives beside the options. */
export interface AllInOneHooks {
  /** For specs: told of each part. */
  readonly observer?: AssemblyObserver;
  /**
   * Gives what watches over the event loop, which one piece of work may hold for so long (`--watchdog-timeout`).
   * Absent: nobody does, since the thread is somebody else's.
   */
  readonly watchdog?: (endAfterMs: number) => LoopWatchdog;
}

/**
 * Runs the store and the three servers in this process, on its event loop: the store is called, and requests are handed
 * from server to server, without sockets between. Resolves when all are ready. Any number run side by side.
 * @throws LaunchError, OptionsError in one line when it cannot start; everything is closed then
 */
export async function startAllInOne(options: AllInOneOptions = {}, hooks: AllInOneHooks = {}): Promise<AllInOne> {
  const assembly = new Assembly(hooks.observer);
  const stop = new AbortController();
  let logging = Logging.current;
  try {
    const known = wantsControllers(options) ? [...serverFlags, controllersFlags] : serverFlags;
    const given = readServerFlags(options.flags ?? [], known);
    const levels = loggingOf(given);
    const dir = openPlace(assembly, options);
    logging = new Logging({ ...levels, write: options.onLog ?? openLog(assembly, dir) });
    const own = logging;
    return await own.run(async () => {
      const { pki, running, url, whole } = await open({
        assembly,
        dir,
        given,
        options,
        signal: stop.signal,
        watchdog: hooks.watchdog,
      });
      await Promise.all(running.map(({ started }) => started));
      await Promise.race([whole, ...running.map(({ ended }) => ended)]);
      return {
        url,
        kubeconfig: dir.kubeconfig,
        caCertificate: pki.caCertificate,
        dataDir: dir.root,
        ended: closedWith(assembly, running),
        close: () => own.run(() => assembly.close()),
      };
    });
  } catch (error) {
    stop.abort();
    await logging.run(() => assembly.close());
    throw error;
  }
}

interface Opening {
  readonly assembly: Assembly;
  readonly dir: DataDir;
  readonly given: readonly GivenFlag[];
  readonly options: AllInOneOptions;
  readonly signal: AbortSignal;
  readonly watchdog: AllInOneHooks['watchdog'];
}

interface Opened {
  readonly url: string;
  readonly pki: PKI;
  readonly running: readonly RunningPart[];
  /** Resolves when the first server's readyz holds. */
  readonly whole: Promise<void>;
}

async function open({ assembly, dir, given, options, signal, ...hooks }: Opening): Promise<Opened> {
  if (options.dataDir !== undefined)
    await assembly.open(
      'lock',
      () => lockProcess(dir, 'all-in-one'),
      (lock) => lock.release(),
    );
  if (options.certificates !== undefined) adoptCertificateFiles(dir.pki, options.certificates);
  const { seed } = options;
  const clock = clockOf(given, seed);
  const randomness = seed === undefined ? systemRandomness : seededRandomness(seed, 'all-in-one');
  const pki = await ensurePKI(dir.pki, {
    nowMs: certifiedFromMs(seed, systemClock.now()),
    lasting: clock.clockMover !== undefined,
    names: servingNames(given),
  });
  const wantedPort = options.securePort ?? Number(lastValue(given, 'secure-port') ?? 0);
  const port = wantedPort === 0 ? await freePort() : wantedPort;
  const address = clientAddress(given, port);
  const url = address.server;
  const memory = options.memory ?? options.dataDir === undefined;
  // Unless the user has named one of his own.
  const ownEtcd = given.some(({ name }) => name === 'etcd-servers');
  const defaults = new Map([
    ...commonFlags(pki, storeOfThisProcess, given),
    ...kubeletClientFlags(pki, given),
    ...expiredCertificateFlag(pki, given),
    ['kubernetes-service-port', String(kubernetesServicePort({ securePort: port, seed }))],
  ]);
  // Of the thread, or of the program that they are part of.
  const heap = openHeapGauge(assembly, systemClock);
  heap.start();
  const listens = { name: 'secure-port', arguments: [`--secure-port=${port}`] };
  const flags = readAllInOneFlags([...given, ...ownCertificateBeside(pki, given), listens], defaults);
  const watchdog = openWatchdog(assembly, hooks.watchdog?.(flags.aggregator.generic['watchdog-timeout']));
  const tenants =
    clock.clockMover === undefined
      ? {}
      : await openTenants(assembly, {
          dir,
          url,
          defaults,
          given,
          randomness,
          seed,
          signal,
          heap,
          watchdog,
          clock: clock.clock,
        });
  const servers = await assembleAllInOne({
    assembly,
    flags,
    environment: {
      ...clock,
      ...tenants,
      heap,
      watchdog,
      randomness,
      signal,
      ...(ownEtcd
        ? {}
        : openStore(assembly, memory ? ':memory:' : dir.storeFile, {
            clock: clock.clock,
            quotaBytes: options.quotaBytes,
          })),
    },
  });
  watchdog?.register(servers[0].config.metrics);
  watchdog?.start();
  // The first of the chain stops first: it has the requests.
  const running = servers.toReversed().map((server) =>
    assembly.open(
      server.name,
      () => runPart(server.name, (signal, onStarted) => server.prepareRun().run(signal, { onStarted })),
      (run) => run.stop(),
    ),
  );
  // Its key was made meanwhile.
  const admin = await pki.admin;
  ensureKubeconfig(dir.kubeconfig, { ...address, caCertificate: pki.caCertificate, client: admin });
  if (wantsControllers(options))
    running.push(openControllers({ assembly, dir, given, options, pki, address, clock: clock.clock, randomness }));
  return { url, pki, running, whole: servers[0].whole };
}

/** It looks once it is started. */
function openWatchdog(assembly: Assembly, watchdog: LoopWatchdog | undefined): LoopWatchdog | undefined {
  if (watchdog === undefined) return undefined;
  return assembly.open(
    'watchdog',
    () => watchdog,
    (opened) => opened.stop(),
  );
}

/** What makes tenants; loaded where the control API is served. */
async function openTenants(
  assembly: Assembly,
  { dir, ...options }: Omit<TenantsOptions, 'folder'> & { readonly dir: DataDir },
): Promise<Pick<ServerEnvironment, 'tenants'>> {
  const { Tenants } = await import('./tenants.ts');
  const keeper = assembly.open(
    'tenants',
    () => new Tenants({ ...options, folder: join(dir.root, 'tenants') }),
    (opened) => opened.close(),
  );
  return { tenants: { keeper, router: keeper.router } };
}

function wantsControllers({ controllers = 'none' }: AllInOneOptions): boolean {
  return controllers !== 'none';
}

/** One that is moved by the control API, where that is served, and what it sets faults in. */
function clockOf(
  given: readonly GivenFlag[],
  seed: number | undefined,
): Pick<ServerEnvironment, 'clock' | 'clockMover' | 'peerFaults' | 'tellWebhookCall' | 'webhookCalls'> {
  if (!given.some(({ name }) => name === 'control-listen')) return { clock: systemClock };
  const reading = firstReading(seed, systemClock.now());
  const clock = new MovableClock(reading);
  return { clock, clockMover: new ClockKeeper((move) => clock.move(move), reading), ...controlLinkOfProcess() };
}

/** They are the first to stop: servers that stop would be asked in vain. */
function openControllers({
  assembly,
  clock,
  dir,
  given,
  options: { controllers = 'none' },
  pki,
  randomness,
  address,
}: Omit<Opening, 'signal' | 'watchdog'> &
  Pick<Opened, 'pki'> & {
    readonly address: ClientAddress;
    readonly clock: TimerClock;
    readonly randomness: Randomness;
  }): RunningPart {
  ensureKubeconfig(dir.controllersKubeconfig, {
    ...address,
    caCertificate: pki.caCertificate,
    client: pki.controllerManager,
    user: CONTROLLER_MANAGER_NAME,
  });
  return assembly.open(
    'controllers',
    () => runControllers({ controllers, dir, given, pki, clock, randomness }),
    (run) => run.stop(),
  );
}

/** Makes the directory of the cluster. */
function openPlace(assembly: Assembly, { dataDir }: AllInOneOptions): DataDir {
  const root =
    dataDir ??
    assembly.open(
      'temporary directory',
      () => mkdtempSync(join(tmpdir(), 'kubechain-')),
      (path) => {
        rmSync(path, { recursive: true, force: true });
      },
    );
  return openDataDir(root);
}

/** Lines go to `logs/all-in-one.log` of the data directory. */
function openLog(assembly: Assembly, dir: DataDir): (line: string) => void {
  const log = assembly.open(
    'log',
    () => new LogFile(join(dir.logs, 'all-in-one.log')),
    (file) => {
      file.close();
    },
  );
  return (line) => {
    log.write(line);
  };
}

/** A server that ends by itself takes the others with it; the log says why to those who do not wait for `ended`. */
function closedWith(assembly: Assembly, running: readonly RunningPart[]): Promise<void> {
  const ended = (async (): Promise<void> => {
    try {
      await Promise.all(running.map((part) => part.ended));
    } catch (error) {
      log.error('the cluster failed', error);
      throw error;
    } finally {
      await assembly.close();
    }
  })();
  ended.catch(() => undefined);
  return ended;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataDir } from '../data-dir/data-dir.ts';
import { socketAddress } from '../data-dir/data-dir.ts';
import { FRONT_PROXY_NAME, type PKI } from '../pki/pki.ts';
import { builtProgram } from '../programs/built-programs.ts';
import type { ChildCommand } from '../supervisor/child-command.ts';
import type { ChainOptions, DebuggedProcess } from './chain-options.ts';
import { ownCertificateBeside } from './client-address.ts';
import { observeAddress } from './observe-address.ts';
import { flagsFor, lastValue, type GivenFlag } from './route-flags.ts';
import {
  mainOf,
  SERVER_NAMES,
  TENANTS_NAME,
  type ControllersProcess,
  type ServerName,
  type ServerProcess,
} from './server-process.ts';

/** Name of the store's process. */
export const STORE_NAME = 'etcd';

/** As --watchdog-timeout of the servers. */
const STORE_WATCHDOG_MS = 10_000;

/** The command that runs the embedded store of a data directory. */
export function storeCommand(
  dir: DataDir,
  { debug, quotaBytes }: Pick<ChainOptions, 'debug' | 'quotaBytes'>,
): ChildCommand {
  return {
    name: STORE_NAME,
    main: builtProgram(STORE_NAME) ?? mainOf('@kubechain/embedded-etcd'),
    args: [
      '--data-file',
      dir.storeFile,
      '--listen',
      socketAddress(dir, STORE_NAME),
      ...(quotaBytes === undefined ? [] : [`--quota-backend-bytes=${quotaBytes}`]),
    ],
    logFile: join(dir.logs, `${STORE_NAME}.log`),
    pidFile: join(dir.run, `${STORE_NAME}.pid`),
    readiness: 'stdout',
    watchdogMs: STORE_WATCHDOG_MS,
    nodeArgs: ['--max-semi-space-size=8', ...debugged(debug, STORE_NAME)],
  };
}

function debugged(debug: DebuggedProcess | undefined, name: string): string[] {
  return debug?.name === name ? [`--inspect=127.0.0.1:${debug.port}`] : [];
}

/** Everybody waits for who is looked at, for as long as one reads. */
function debugFlags(debug: DebuggedProcess | undefined, name: ServerName): (readonly [string, string])[] {
  if (debug === undefined) return [];
  return [
    ['debug-patience', 'true'],
    ['request-timeout', '1h'],
    ...(debug.name === name && debug.breakOn !== undefined ? [['debug-break-on', debug.breakOn] as const] : []),
  ];
}

/** What a server needs to know besides its own name. */
export interface ServerPlan {
  readonly dir: DataDir;
  readonly pki: PKI;
  readonly options: ChainOptions;
  readonly etcdServers: string;
}

/** The certificate that clients can be shown in place of the serving one, where that is kubechain's own. */
export function expiredCertificateFlag(
  { expiredServingFile }: Pick<PKI, 'expiredServingFile'>,
  given: readonly GivenFlag[],
): readonly (readonly [string, string])[] {
  const own = !given.some(({ name }) => name === 'tls-cert-file' || name === 'cert-dir');
  return own && expiredServingFile !== undefined ? [['expired-tls-cert-file', expiredServingFile]] : [];
}

/** Whether the control API is served. */
export function controlled({ serverFlags }: Pick<ChainOptions, 'serverFlags'>): boolean {
  return serverFlags.some(({ name }) => name === 'control-listen');
}

/** What servers behind the first one learn their faults from. */
function faultsFrom(given: readonly GivenFlag[]): readonly (readonly [string, string])[] {
  const address = lastValue(given, 'control-listen');
  return address === undefined ? [] : [['faults-from', address]];
}

/**
 * The command that runs one server of the chain. Flags that the user gave win over the ones from here; each server gets
 * only those it knows.
 *
 *     6443 ─► aggregator ─ unix:kube-apiserver.sock ─► kube-apiserver ─ unix:apiextensions.sock ─► apiextensions
 */
export function serverCommand(server: ServerProcess, plan: ServerPlan): ChildCommand {
  const { dir, pki, options } = plan;
  const position = SERVER_NAMES.indexOf(server.name);
  const next = SERVER_NAMES[position + 1];
  const defaults = new Map([
    ...commonFlags(pki, plan.etcdServers, options.serverFlags),
    ...kubeletClientFlags(pki, options.serverFlags),
    // Behind the aggregator a server is reached over its socket; a port of its own it has only when asked to.
    ['secure-port', String(servesPort(server.name, options) ? options.securePort : 0)],
    ['kubernetes-service-port', String(kubernetesServicePort(options))],
    ...(position > 0 ? [['delegate-listen', socketAddress(dir, server.name)] as const] : []),
    ...debugFlags(options.debug, server.name),
    ...(next === undefined ? [] : [['delegate', socketAddress(dir, next)] as const]),
    ...faultsFrom(options.serverFlags),
    ...expiredCertificateFlag(pki, options.serverFlags),
    ...(controlled(options) ? [['tenants-from', socketAddress(dir, TENANTS_NAME)] as const] : []),
    ...(options.ui === undefined ? [] : [['observe-listen', observeAddress(dir, server.name)] as const]),
  ]);
  if (hasServingCertificate(options.serverFlags)) {
    defaults.delete('tls-cert-file');
    defaults.delete('tls-private-key-file');
  }
  return {
    name: server.name,
    main: server.main,
    args: flagsFor(server, defaults, [...options.serverFlags, ...ownCertificateBeside(pki, options.serverFlags)]),
    logFile: join(dir.logs, `${server.name}.log`),
    pidFile: join(dir.run, `${server.name}.pid`),
    readiness: 'ipc',
    nodeArgs: [
      ...(memoryArgs[server.name] ?? []),
      ...(options.inspectPort === undefined ? [] : [`--inspect=127.0.0.1:${options.inspectPort + position}`]),
      ...debugged(options.debug, server.name),
    ],
  };
}

/** With a seed it is the same in each run, whichever port was free. */
export function kubernetesServicePort({
  securePort,
  seed,
}: Pick<ChainOptions, 'securePort'> & { readonly seed?: number | undefined }): number {
  return seed === undefined ? securePort : 6443;
}

/**
 * How servers show kubelets who they are: played ones, which know no authority but the front proxy's, and real ones.
 */
export function kubeletClientFlags(
  { frontProxyClient, kubeletClient }: Pick<PKI, 'frontProxyClient' | 'kubeletClient'>,
  given: readonly GivenFlag[],
): readonly (readonly [string, string])[] {
  const { certFile, keyFile } = playsNodes(given) ? frontProxyClient : kubeletClient;
  return [
    ['kubelet-client-certificate', certFile],
    ['kubelet-client-key', keyFile],
  ];
}

/** Whether there are played nodes. */
function playsNodes(given: readonly GivenFlag[]): boolean {
  return given.some(({ name }) => name === 'nodes');
}

/**
 * Flags of controllers that the user did not give. Limits are higher than the reference's, since nobody else is on this
 * server, and still higher where nodes are played: what a thousand of them can do is more than single controllers would
 * be allowed to ask for.
 */
export function controllersDefaults({
  controllers,
  dir,
  given,
  pki,
}: Pick<ServerPlan, 'dir' | 'pki'> & {
  readonly controllers: string;
  readonly given: readonly GivenFlag[];
}): ReadonlyMap<string, string> {
  const qps = playsNodes(given) ? 1_000 : 100;
  return new Map([
    ['controllers', controllers],
    ['kubeconfig', dir.controllersKubeconfig],
    ['secure-port', '0'],
    ['use-service-account-credentials', 'true'],
    ['kube-api-qps', String(qps)],
    ['kube-api-burst', String(2 * qps)],
    ['simulation-kubeconfig', dir.kubeconfig],
    ['simulation-kubelet-client-ca-file', pki.frontProxyCA.certFile],
    ['service-account-private-key-file', pki.serviceAccountKeyFile],
    ['root-ca-file', pki.ca.certFile],
    ['cluster-signing-cert-file', pki.ca.certFile],
    ['cluster-signing-key-file', pki.ca.keyFile],
  ]);
}

/**
 * The command that runs controllers: clients of the chain with the identity of kube-controller-manager, each with its
 * service account.
 */
export function controllersCommand(controllers: ControllersProcess, { dir, pki, options }: ServerPlan): ChildCommand {
  const defaults = controllersDefaults({
    dir,
    pki,
    controllers: options.controllers ?? 'none',
    given: options.serverFlags,
  });
  return {
    name: controllers.name,
    main: controllers.main,
    args: flagsFor(controllers, defaults, options.serverFlags),
    logFile: join(dir.logs, `${controllers.name}.log`),
    pidFile: join(dir.run, `${controllers.name}.pid`),
    readiness: 'ipc',
    nodeArgs: [
      // Idle it holds some MB: a small young generation keeps it so. Pods by the thousand would be copied about in it.
      `--max-semi-space-size=${playsNodes(options.serverFlags) ? 16 : 2}`,
      ...(options.inspectPort === undefined
        ? []
        : [`--inspect=127.0.0.1:${options.inspectPort + SERVER_NAMES.length}`]),
    ],
  };
}

/**
 * Where CRDs come by the hundred, what is compiled of them would be copied about in a young generation of Node's size
 * and leave the old one half empty: 1,000 CRDs took 397 MB instead of 487. V8 lets a small heap grow to several times
 * what is alive before it collects all of it, and buffers outside wait for that: with 60 % at most apiextensions
 * takes 180 MB after 400 CRDs, where it took 190 to 240 by chance, at the same processor time (with 30 %, 170 MB for
 * a fifth more). The aggregator hands requests on and keeps next to nothing of them: under load it takes 180 MB
 * instead of 290, at the same cost for a request. kube-apiserver takes 240 MB instead of 320 after lists, tables and
 * creates, at the same cost.
 */
const memoryArgs: Partial<Record<ServerName, readonly string[]>> = {
  aggregator: ['--max-semi-space-size=4'],
  'kube-apiserver': ['--max-semi-space-size=8'],
  apiextensions: ['--max-semi-space-size=8', '--heap-growing-percent=60'],
};

/**
 * Whether the user's --cert-dir has a serving certificate, which servers then use as kube-apiserver does (envtest puts
 * one there).
 */
function hasServingCertificate(given: readonly GivenFlag[]): boolean {
  const directory = lastValue(given, 'cert-dir');
  if (directory === undefined) return false;
  return existsSync(join(directory, 'apiserver.crt')) && existsSync(join(directory, 'apiserver.key'));
}

/** Whether clients reach this server on --secure-port. */
export function servesPort(name: ServerName, options: Pick<ChainOptions, 'only' | 'securePortGiven'>): boolean {
  return name === 'aggregator' || (options.only === name && options.securePortGiven);
}

/** None where another program signs tokens, and tells the keys. */
function serviceAccountKeys(pki: PKI, given: readonly GivenFlag[]): [string, string][] {
  if (lastValue(given, 'service-account-signing-endpoint') !== undefined) return [];
  return [
    ['service-account-key-file', pki.serviceAccountPublicKeyFile],
    ['service-account-signing-key-file', pki.serviceAccountKeyFile],
  ];
}

/** Flags of all servers, as far as each knows them; without those that what was given makes impossible. */
export function commonFlags(pki: PKI, etcdServers: string, given: readonly GivenFlag[]): [string, string][] {
  return [
    ['etcd-servers', etcdServers],
    ['bind-address', '127.0.0.1'],
    ['tls-cert-file', pki.serving.certFile],
    ['tls-private-key-file', pki.serving.keyFile],
    ['client-ca-file', pki.ca.certFile],
    ['requestheader-client-ca-file', pki.frontProxyCA.certFile],
    ['requestheader-allowed-names', FRONT_PROXY_NAME],
    ['requestheader-username-headers', 'X-Remote-User'],
    // Who says by which headers a front proxy names users says so of uids as well.
    ...(lastValue(given, 'requestheader-username-headers') === undefined
      ? ([['requestheader-uid-headers', 'X-Remote-Uid']] satisfies [string, string][])
      : []),
    ['requestheader-group-headers', 'X-Remote-Group'],
    ['requestheader-extra-headers-prefix', 'X-Remote-Extra-'],
    ['proxy-client-cert-file', pki.frontProxyClient.certFile],
    ['proxy-client-key-file', pki.frontProxyClient.keyFile],
    ['service-account-issuer', 'https://kubernetes.default.svc'],
    ...serviceAccountKeys(pki, given),
    ['authorization-mode', 'Node,RBAC'],
    ['service-cluster-ip-range', '10.0.0.0/24'],
    ['allow-privileged', 'true'],
  ];
}

import { parseDuration } from '@kubechain/apimachinery';
import { TOPOLOGIES, type ChainOptions, type DebuggedProcess, type Topology } from '../chain/chain-options.ts';
import { readServerFlags, type GivenFlag } from '../chain/route-flags.ts';
import { SERVER_NAMES, type KnownFlags, type ServerName } from '../chain/server-process.ts';
import { controlAddress } from '../control/control-address.ts';
import { isLaunchError, LaunchError } from '../launch-error.ts';
import { similarNames } from './did-you-mean.ts';
import { UP_FLAGS } from './help.ts';

const DEFAULT_INSPECT_PORT = 9229;
const DEFAULT_DATA_DIR = '.kubechain';

/** Own flags with a value, the same value form as the servers': `--name=value` or `--name value`. */
const VALUE_FLAGS: readonly string[] = [
  'data-dir',
  'secure-port',
  'etcd-servers',
  'only',
  'controllers',
  'topology',
  'debug',
  'break-on',
  'seed',
  'from-snapshot',
  'quota-backend-bytes',
  'ready-timeout',
];

/** Controllers that run unless the user says otherwise. */
const DEFAULT_CONTROLLERS = 'lifecycle';
/** Played nodes are of use only to those who make pods. */
const ALL_CONTROLLERS = '*';

/** Reads the arguments after `up`. @throws LaunchError `Usage` in one line that names the flag */
export function parseUpFlags(
  args: readonly string[],
  servers: readonly { readonly flags: KnownFlags }[],
): ChainOptions {
  const own = new Map<string, string>();
  const rest: string[] = [];
  let inspectPort: number | undefined;
  let control = false;
  let ui: number | undefined;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    const [name, inline] = split(argument);
    if (name === 'control') {
      control = true;
    } else if (name === 'ui') {
      // A free one, unless it is to be this.
      const port = inline ?? (isNumber(args[index + 1]) ? args[++index] : undefined);
      ui = port === undefined ? 0 : parsePort('ui', port, 65535);
      control = true;
    } else if (name === 'inspect') {
      const port = inline ?? (isNumber(args[index + 1]) ? args[++index] : undefined);
      inspectPort = parsePort('inspect', port ?? String(DEFAULT_INSPECT_PORT), 65535 - SERVER_NAMES.length);
    } else if (VALUE_FLAGS.includes(name)) {
      const value = inline ?? args[++index];
      if (value === undefined) throw new LaunchError('Usage', `flag needs an argument: --${name}`);
      own.set(name, value);
    } else {
      rest.push(argument);
      // A flag's value may look like one of ours; it goes with its flag.
      if (inline === undefined && takesValue(name, servers) && index + 1 < args.length) rest.push(args[++index]!);
    }
  }
  const seed = own.has('seed') ? parseSeed(own.get('seed') ?? '') : undefined;
  const fromSnapshot = own.get('from-snapshot');
  // Time stands still with a seed: somebody has to be able to move it. What is loaded is loaded by it.
  if (seed !== undefined || fromSnapshot !== undefined) control = true;
  if (control) rest.push(`--control-listen=${controlAddress(own.get('data-dir') ?? DEFAULT_DATA_DIR)}`);
  const only = own.get('only');
  const etcdServers = own.get('etcd-servers');
  const quotaBytes = own.has('quota-backend-bytes') ? parseQuota(own.get('quota-backend-bytes') ?? '') : undefined;
  if (quotaBytes !== undefined && etcdServers !== undefined)
    throw new LaunchError('Usage', '--quota-backend-bytes is of the embedded store: etcd has a flag of its own');
  const topology = parseTopology(own.get('topology') ?? 'chain');
  if (ui !== undefined && only !== undefined)
    throw new LaunchError('Usage', '--ui shows a whole chain: --only does not go with it');
  if (seed !== undefined && only !== undefined)
    throw new LaunchError('Usage', '--seed is of a whole chain: --only does not go with it');
  if (fromSnapshot !== undefined && only !== undefined)
    throw new LaunchError('Usage', '--from-snapshot is of a whole chain: --only does not go with it');
  const debug = parseDebug(own.get('debug'), {
    breakOn: own.get('break-on'),
    port: inspectPort ?? DEFAULT_INSPECT_PORT,
  });
  if (topology === 'all-in-one' && (only !== undefined || inspectPort !== undefined || debug !== undefined))
    throw new LaunchError('Usage', '--topology=all-in-one has one process: --only and --inspect do not go with it');
  return {
    dataDir: own.get('data-dir') ?? DEFAULT_DATA_DIR,
    // 0: a free one, which whoever starts the chain finds.
    securePort: parsePort('secure-port', own.get('secure-port') ?? '6443', 65535, 0),
    securePortGiven: own.has('secure-port'),
    serverFlags: readFlags(rest, servers),
    ...(topology === 'chain' ? {} : { topology }),
    controllers: own.get('controllers') ?? (rest.some(isNodesFlag) ? ALL_CONTROLLERS : DEFAULT_CONTROLLERS),
    ...(control ? { control } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(fromSnapshot === undefined ? {} : { fromSnapshot }),
    ...(ui === undefined ? {} : { ui }),
    ...(etcdServers === undefined ? {} : { etcdServers }),
    ...(quotaBytes === undefined ? {} : { quotaBytes }),
    ...(own.has('ready-timeout') ? { readyTimeoutMs: parseReadyTimeout(own.get('ready-timeout') ?? '') } : {}),
    ...(debug === undefined ? (inspectPort === undefined ? {} : { inspectPort }) : { debug }),
    ...(only === undefined ? {} : { only: parseServerName(only) }),
  };
}

/** The port of a flag that may stand without one: nothing else behind a flag is a number by itself. */
function isNumber(argument: string | undefined): boolean {
  return argument !== undefined && /^\d+$/.test(argument);
}

function isNodesFlag(argument: string): boolean {
  return /^--nodes(?:=|$)/.test(argument);
}

/** As readServerFlags; tells what may have been meant. */
function readFlags(args: readonly string[], servers: readonly { readonly flags: KnownFlags }[]): GivenFlag[] {
  try {
    return readServerFlags(args, servers);
  } catch (error) {
    const name = isLaunchError(error) ? /^unknown flag: --(.*)$/.exec(error.message)?.[1] : undefined;
    if (name === undefined) throw error;
    const known = new Set([...UP_FLAGS, ...servers.flatMap(({ flags }) => [...flags.keys()])]);
    const meant = similarNames(name, known).map((flag) => `--${flag}`);
    throw new LaunchError(
      'Usage',
      `unknown flag: --${name}${meant.length === 0 ? '' : `; did you mean ${meant.join(', ')}?`}`,
      { cause: error },
    );
  }
}

function split(argument: string): readonly [name: string, inline: string | undefined] {
  if (!argument.startsWith('--')) return ['', undefined];
  const equals = argument.indexOf('=');
  return equals === -1 ? [argument.slice(2), undefined] : [argument.slice(2, equals), argument.slice(equals + 1)];
}

function takesValue(name: string, servers: readonly { readonly flags: KnownFlags }[]): boolean {
  const flag = servers
    .map(({ flags }) => flags.get(name.replaceAll('_', '-')))
    .find((candidate) => candidate !== undefined);
  return flag !== undefined && !flag.isBoolean;
}

function parsePort(flag: string, text: string, max: number, min = 1): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < min || port > max)
    throw new LaunchError(
      'Usage',
      `invalid argument ${JSON.stringify(text)} for "--${flag}" flag: must be a port between ${min} and ${max}`,
    );
  return port;
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed))
    throw new LaunchError(
      'Usage',
      `invalid argument ${JSON.stringify(text)} for "--seed" flag: must be a whole number of at most 15 digits`,
    );
  return seed;
}

function parseQuota(text: string): number {
  const bytes = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(bytes))
    throw new LaunchError(
      'Usage',
      `invalid argument ${JSON.stringify(text)} for "--quota-backend-bytes" flag: must be a whole number of bytes`,
    );
  return bytes;
}

/** In ms. */
function parseReadyTimeout(text: string): number {
  let cause: unknown;
  try {
    const nanoseconds = parseDuration(text);
    if (nanoseconds >= 0n) return Number(nanoseconds / 1_000_000n);
  } catch (error) {
    cause = error;
  }
  throw new LaunchError(
    'Usage',
    `invalid argument ${JSON.stringify(text)} for "--ready-timeout" flag: must be a duration like 10m, or 0`,
    { cause },
  );
}

/** `store` is the process that is called etcd. */
function parseDebug(
  name: string | undefined,
  { breakOn, port }: { readonly breakOn: string | undefined; readonly port: number },
): DebuggedProcess | undefined {
  if (name === undefined) {
    if (breakOn !== undefined) throw new LaunchError('Usage', '--break-on needs a process: kubechain debug NAME');
    return undefined;
  }
  if (name !== 'store' && name !== 'etcd')
    return { name: parseServerName(name, 'debug'), port, ...(breakOn === undefined ? {} : { breakOn }) };
  if (breakOn !== undefined)
    throw new LaunchError('Usage', 'requests of Kubernetes do not come to the store: --break-on does not go with it');
  return { name: 'etcd', port };
}

function parseServerName(text: string, flag = 'only'): ServerName {
  const name = SERVER_NAMES.find((candidate) => candidate === text);
  if (name === undefined)
    throw new LaunchError(
      'Usage',
      `invalid argument ${JSON.stringify(text)} for "--${flag}" flag: must be one of ` +
        [...SERVER_NAMES, ...(flag === 'debug' ? ['store'] : [])].join(', '),
    );
  return name;
}

function parseTopology(text: string): Topology {
  const topology = TOPOLOGIES.find((candidate) => candidate === text);
  if (topology === undefined)
    throw new LaunchError(
      'Usage',
      `invalid argument ${JSON.stringify(text)} for "--topology" flag: must be one of ${TOPOLOGIES.join(', ')}`,
    );
  return topology;
}

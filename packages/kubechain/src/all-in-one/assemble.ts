import { assembleAggregator, flagSets as aggregatorFlags } from '@kubechain/aggregator/server';
import { assembleAPIExtensions, flagSets as apiextensionsFlags } from '@kubechain/apiextensions/server';
import { inProcessDelegate, openSharedParts } from '@kubechain/apiserver/servers';
import type { Assembly } from '@kubechain/apiserver/assembly';
import type { LoggingOptions } from '@kubechain/apiserver/logging';
import type { GenericAPIServer, ServerEnvironment } from '@kubechain/apiserver/servers';
import { effectiveFlags, knownFlags, loggingFromFlags, parseFlags } from '@kubechain/apiserver/options';
import type { FlagSet, ParsedFlags } from '@kubechain/apiserver/options';
import { assembleKubeAPIServer, flagSets as kubeApiserverFlags } from '@kubechain/kube-apiserver/server';
import { flagsFor, type GivenFlag } from '../chain/route-flags.ts';
import type { KnownFlags, ServerName } from '../chain/server-process.ts';

/** The flags that each server understands, in the order of the chain. */
const flagSets = {
  aggregator: aggregatorFlags,
  'kube-apiserver': kubeApiserverFlags,
  apiextensions: apiextensionsFlags,
} as const satisfies Readonly<Record<ServerName, Readonly<Record<string, FlagSet>>>>;

/** What each server understands, for those who take a command line apart. */
export const serverFlags: readonly { readonly name: ServerName; readonly flags: KnownFlags }[] = Object.entries(
  flagSets,
).map(([name, sets]) => ({ name: name as ServerName, flags: knownFlags(sets) }));

/** Levels and form of log lines: one of the flags that all servers have. @throws OptionsError */
export function loggingOf(given: readonly GivenFlag[]): LoggingOptions {
  const sets = { logging: aggregatorFlags.logging };
  const { values } = parseFlags(flagsFor({ flags: knownFlags(sets) }, new Map(), given), sets);
  return loggingFromFlags(values.logging);
}

/** What three servers in one process are put together from. */
export interface AllInOneInput {
  readonly assembly: Assembly;
  /** Flags that the user did not give. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Flags of whichever server knows them; they win. */
  readonly given: readonly GivenFlag[];
  readonly environment: Omit<ServerEnvironment, 'delegate' | 'flags' | 'metrics' | 'shared'>;
}

/** Three servers of one process, first to last of the chain; only the first one listens. */
export type ServersOfOneProcess = readonly [
  aggregator: GenericAPIServer,
  kubeAPIServer: GenericAPIServer,
  apiExtensions: GenericAPIServer,
];

/**
 * Puts the chain together in one process: each server is the delegate of the one before, with the same handlers as over
 * a hop, and each is assembled as in a process of its own, but for what is opened once for all.
 * @throws OptionsError one line that names the flag
 */
export async function assembleAllInOne(input: AllInOneInput): Promise<ServersOfOneProcess> {
  const { assembly } = input;
  const first = parse('aggregator', flagSets.aggregator, input);
  const middle = parse('kube-apiserver', flagSets['kube-apiserver'], input);
  const last = parse('apiextensions', flagSets.apiextensions, input);
  const shared = await openSharedParts({ assembly, ...first });
  const apiExtensions = await assembleAPIExtensions({ assembly, ...joined(last, { shared }) });
  const kubeAPIServer = await assembleKubeAPIServer({
    assembly,
    ...joined(middle, { shared, delegate: inProcessDelegate(apiExtensions.server) }),
  });
  const aggregator = await assembleAggregator({
    assembly,
    ...joined(first, { shared, metrics: shared.metrics, delegate: inProcessDelegate(kubeAPIServer.server) }),
  });
  return [aggregator.server, kubeAPIServer.server, apiExtensions.server];
}

interface ServerInput<Values> {
  readonly values: Values;
  readonly environment: ServerEnvironment;
}

/** Behind the first server nobody listens: requests come by calls. */
function parse<S extends Readonly<Record<string, FlagSet>>>(
  name: ServerName,
  sets: S,
  { defaults, environment, given }: AllInOneInput,
): ServerInput<ParsedFlags<S>['values']> {
  const hidden =
    name === 'aggregator'
      ? []
      : [
          { name: 'secure-port', arguments: ['--secure-port=0'] },
          { name: 'observe-listen', arguments: ['--observe-listen='] },
        ];
  const { values } = parseFlags(flagsFor({ flags: knownFlags(sets) }, defaults, [...given, ...hidden]), sets);
  return { values, environment: { ...environment, flags: effectiveFlags(sets, values) } };
}

function joined<Values>(
  { environment, values }: ServerInput<Values>,
  joins: Pick<ServerEnvironment, 'delegate' | 'metrics' | 'shared'>,
): ServerInput<Values> {
  return { values, environment: { ...environment, ...joins } };
}

import { assembleAggregator, flagSets as aggregatorFlags } from '@kubechain/aggregator/server';
import { assembleAPIExtensions, flagSets as apiextensionsFlags } from '@kubechain/apiextensions/server';
import { inProcessDelegate, openSharedParts } from '@kubechain/apiserver/servers';
import type { Assembly } from '@kubechain/apiserver/assembly';
import type { LoggingOptions } from '@kubechain/apiserver/logging';
import type { GenericAPIServer, ServerEnvironment } from '@kubechain/apiserver/servers';
import { effectiveFlags, knownFlags, loggingFromFlags, parseFlags } from '@kubechain/apiserver/options';
import type { FlagSet, ParsedFlags } from '@kubechain/apiserver/options';
import { assembleKubeAPIServer, flagSets as kubeApiserverFlags, manifestRules } from '@kubechain/kube-apiserver/server';
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

/** Values of the flags of three servers in one process. */
export type AllInOneFlags = {
  readonly [Name in ServerName]: ParsedFlags<(typeof flagSets)[Name]>['values'];
};

/**
 * Reads flags of whichever server knows them: those that the user gave, which win, and the others.
 * @throws OptionsError one line that names the flag
 */
export function readAllInOneFlags(given: readonly GivenFlag[], defaults: ReadonlyMap<string, string>): AllInOneFlags {
  // Behind the first server nobody listens: requests come by calls.
  const behind = [
    ...given,
    { name: 'secure-port', arguments: ['--secure-port=0'] },
    { name: 'observe-listen', arguments: ['--observe-listen='] },
  ];
  const read = <S extends Readonly<Record<string, FlagSet>>>(
    sets: S,
    args: readonly GivenFlag[],
  ): ParsedFlags<S>['values'] => parseFlags(flagsFor({ flags: knownFlags(sets) }, defaults, args), sets).values;
  return {
    aggregator: read(flagSets.aggregator, given),
    'kube-apiserver': read(flagSets['kube-apiserver'], behind),
    apiextensions: read(flagSets.apiextensions, behind),
  };
}

/** What three servers in one process are put together from. */
export interface AllInOneInput {
  readonly assembly: Assembly;
  readonly flags: AllInOneFlags;
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
 * a hop, and each is assembled as in a process of its own, but for what is opened once for all. Of the heap and the
 * event loop that they have in common the first one is told, which has the requests.
 * @throws OptionsError one line that names the flag
 */
export async function assembleAllInOne(input: AllInOneInput): Promise<ServersOfOneProcess> {
  const {
    assembly,
    environment: { heap, watchdog },
  } = input;
  const first = inputOf(flagSets.aggregator, input.flags.aggregator, input);
  const middle = inputOf(flagSets['kube-apiserver'], input.flags['kube-apiserver'], input);
  const last = inputOf(flagSets.apiextensions, input.flags.apiextensions, input);
  const shared = await openSharedParts({ assembly, ...first }, { manifestRules });
  const apiExtensions = await assembleAPIExtensions({ assembly, ...joined(last, { shared }) });
  const kubeAPIServer = await assembleKubeAPIServer({
    assembly,
    ...joined(middle, { shared, delegate: inProcessDelegate(apiExtensions.server) }),
  });
  const aggregator = await assembleAggregator({
    assembly,
    ...joined(first, {
      shared,
      heap,
      watchdog,
      metrics: shared.metrics,
      delegate: inProcessDelegate(kubeAPIServer.server),
    }),
  });
  return [aggregator.server, kubeAPIServer.server, apiExtensions.server];
}

interface ServerInput<Values> {
  readonly values: Values;
  readonly environment: ServerEnvironment;
}

function inputOf<Values extends Readonly<Record<string, unknown>>>(
  sets: Readonly<Record<string, FlagSet>>,
  values: Values,
  { environment: { heap: _heap, watchdog: _watchdog, ...environment } }: AllInOneInput,
): ServerInput<Values> {
  return { values, environment: { ...environment, flags: () => effectiveFlags(sets, values) } };
}

function joined<Values>(
  { environment, values }: ServerInput<Values>,
  joins: Pick<ServerEnvironment, 'delegate' | 'heap' | 'metrics' | 'shared' | 'watchdog'>,
): ServerInput<Values> {
  return { values, environment: { ...environment, ...joins } };
}

import { systemClock, systemRandomness } from '@kubechain/apimachinery';
import { Assembly } from '@kubechain/apiserver/assembly';
import { Logging } from '@kubechain/apiserver/logging';
import { callDirectly, Commons, type DirectAnswer, type DirectCall } from '@kubechain/apiserver/servers';
import { readServerFlags } from '../chain/route-flags.ts';
import { assembleAllInOne, loggingOf, readAllInOneFlags, serverFlags } from './assemble.ts';
import { openStore, storeOfThisProcess } from './open-store.ts';
import { runPart } from './run-part.ts';

/** Who asks; the filters of the secure port, which would find it out, are not passed. */
const administrator = { 'x-remote-user': 'kubernetes-admin', 'x-remote-group': 'system:masters' } as const;

/** What servers have that nobody connects to. */
const defaults: ReadonlyMap<string, string> = new Map([
  ['etcd-servers', storeOfThisProcess],
  ['secure-port', '0'],
  ['authorization-mode', 'Node,RBAC'],
  ['service-cluster-ip-range', '10.0.0.0/24'],
  ['allow-privileged', 'true'],
]);

/** Answers calls of the administrator. Rejects when the answer is broken off. */
export type CallServers = (call: DirectCall) => Promise<DirectAnswer>;

/**
 * Three servers over a store in memory that nobody connects to: without ports, certificates, keys and files, and with
 * handlers and schemas that are made when they are first asked for. For who asks a little and then ends the thread or
 * process: there is no other end. Resolves when they have started.
 * @throws OptionsError, LaunchError in one line when they cannot start
 */
export async function openCalledServers(flags: readonly string[]): Promise<CallServers> {
  const given = readServerFlags(flags, serverFlags);
  // Nobody would read it.
  const logging = new Logging({ ...loggingOf(given), write: () => undefined });
  return await logging.run(async () => {
    const assembly = new Assembly();
    const servers = await assembleAllInOne({
      assembly,
      flags: readAllInOneFlags(given, defaults),
      environment: {
        clock: systemClock,
        randomness: systemRandomness,
        commons: new Commons(),
        signal: new AbortController().signal,
        ...openStore(assembly, ':memory:', { clock: systemClock }),
      },
    });
    const running = servers
      .toReversed()
      .map((server) => runPart(server.name, (signal, onStarted) => server.prepareRun().run(signal, { onStarted })));
    await Promise.all(running.map(({ started }) => started));
    const [{ delegatedHandler }] = servers;
    return (call) =>
      logging.run(() => callDirectly(delegatedHandler, { ...call, headers: { ...call.headers, ...administrator } }));
  });
}

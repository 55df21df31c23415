import type { ProcessHandle } from '../options/server-process.ts';
import type { GenericAPIServer } from '../server/generic-api-server.ts';
import { SideThread } from './side-thread.ts';
import { sideValues } from './side-values.ts';
import { relayOfThread } from '../audit/audit-relay.ts';
import { EventLoopWatchdog } from '../watchdog/event-loop-watchdog.ts';
import { openControlLink } from './open-control-link.ts';
import { openHeapGauge } from './open-heap-gauge.ts';
import { openTenantsLink } from './open-tenants-link.ts';
import { Assembly, type AssemblyObserver } from './assembly.ts';
import type { AssemblyInput, ListeningFlagValues } from './assembly-input.ts';

/** A server that is ready to listen. */
export interface AssembledServer {
  readonly server: GenericAPIServer;
  /** `https://host:port` of the secure port; undefined without one. */
  readonly url: string | undefined;
}

/** Puts a server together; every part is opened in the assembly, so that it is closed with it. @throws OptionsError */
export type AssembleServer<Values extends ListeningFlagValues> = (
  input: AssemblyInput<Values>,
) => Promise<AssembledServer>;

/**
 * One server process from flags to its graceful end: assembles, listens, serves until the handle's signal aborts, and
 * closes everything that was opened, also when a part could not be.
 */
export async function serveAssembled<Values extends ListeningFlagValues>(
  assemble: AssembleServer<Values>,
  given: Values,
  { handle, observer }: { readonly handle: ProcessHandle; readonly observer?: AssemblyObserver },
): Promise<void> {
  const assembly = new Assembly(observer);
  try {
    const { sideProgram, sideSocket } = handle;
    const values = sideSocket === undefined ? given : sideValues(given);
    const controlLink = openControlLink(values, handle.signal);
    // Faults and the journal of the control API are of one server in each process.
    const aside =
      sideProgram === undefined || controlLink.peerFaults !== undefined
        ? undefined
        : assembly.open(
            'side server',
            () => new SideThread({ program: sideProgram, clock: handle.clock }),
            (opened) => opened.close(),
          );
    const watchdog = assembly.open(
      'watchdog',
      () => new EventLoopWatchdog({ endAfterMs: values.generic['watchdog-timeout'] }),
      (opened) => opened.stop(),
    );
    // A side server's heap is its own: it ends without the process.
    const heap = sideSocket !== undefined ? undefined : openHeapGauge(assembly, handle.clock);
    const environment = {
      watchdog,
      heap,
      sideSocket,
      sideServer: aside,
      auditedAside: aside,
      auditRelay: sideSocket === undefined ? undefined : relayOfThread,
      clock: handle.clock,
      ...controlLink,
      ...(handle.clockMover === undefined ? {} : { clockMover: handle.clockMover }),
      randomness: handle.randomness,
      signal: handle.signal,
      flags: handle.flags,
    };
    const tenants = await openTenantsLink(assembly, values, handle.startTenants);
    const { server, url } = await assemble({ assembly, values, environment: { ...environment, ...tenants } });
    watchdog.register(server.config.metrics);
    aside?.register(server.config.metrics);
    await server.prepareRun().run(handle.signal, {
      onStarted: () => {
        watchdog.start();
        heap?.start();
        handle.ready({ url, whole: server.whole });
      },
    });
  } finally {
    await assembly.close();
  }
}

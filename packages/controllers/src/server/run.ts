import { sleep, messageOf } from '@kubechain/apimachinery';
import { Assembly } from '@kubechain/apiserver/assembly';
import { Logger } from '@kubechain/apiserver/logging';
import { OptionsError, unusableFlag, type ParsedFlags, type ProcessHandle } from '@kubechain/apiserver/options';
import type { Client } from '../client/client.ts';
import type { flagSets } from '../flags.ts';
import { allControllers } from '../registry/controllers.ts';
import { selectControllers } from '../registry/select-controllers.ts';
import { startControllers } from '../registry/start-controllers.ts';
import type { RunningControllers } from '../registry/start-controllers.ts';
import { leads, newElector } from './leadership.ts';
import { openParts, type Parts } from './parts.ts';
import type { ControllerDescriptor } from '../controller/controller.ts';

type Values = ParsedFlags<typeof flagSets>['values'];

const log = new Logger('controllers');
/** How often a server that is not there yet is asked again. */
const SERVER_POLL_MS = 100;

/**
 * One process of controllers from flags to its graceful end. Says that it is ready when its controllers run, or when it
 * waits for somebody else's lease.
 * @throws OptionsError one line that names the flag
 * @throws Error when the lease was lost: who holds it now must not be disturbed
 */
export async function run({ values }: ParsedFlags<typeof flagSets>, handle: ProcessHandle): Promise<void> {
  const controllers = chosen(values);
  await checkStages(values);
  const assembly = new Assembly();
  try {
    const parts = await openParts(assembly, values, { clock: handle.clock, controllers });
    const ready = tellOnce(handle, parts.health?.url);
    await waitForServer(parts.client, handle);
    const elector = values.leaderElection['leader-elect'] ? newElector(values, parts.client, handle) : undefined;
    if (elector !== undefined && !(await leads(elector, handle, ready))) return;
    await watchRoom(assembly, parts, handle);
    const running = await startChosen(assembly, values, { ...parts, controllers, handle });
    log.info('controllers are running', { names: running.names.join() }, 2);
    ready();
    const held = elector?.hold(handle.signal);
    if (held !== undefined && (await held) === 'lost') throw new Error('leaderelection lost');
    await running.done;
  } finally {
    await assembly.close();
  }
}

/** Says that the process is ready, the first time that it is called. */
function tellOnce(handle: ProcessHandle, url: string | undefined): () => void {
  let told = false;
  return () => {
    if (!told) handle.ready({ url });
    told = true;
  };
}

/** What controllers follow is in the heap of this process: users are to store no more once that is full. */
async function watchRoom(assembly: Assembly, { client }: Parts, { clock, signal }: ProcessHandle): Promise<void> {
  const [{ HeapGauge }, { tellRoom }] = await Promise.all([
    import('@kubechain/apiserver/watchdog'),
    import('./tell-room.ts'),
  ]);
  const gauge = assembly.open(
    'heap gauge',
    () => new HeapGauge({ clock }),
    (opened) => opened.close(),
  );
  tellRoom({ gauge, clock, signal, client });
  gauge.start();
}

/** Starts controllers, which end with the process, or when the assembly is closed. */
function startChosen(
  assembly: Assembly,
  values: Values,
  {
    controllers,
    counts,
    handle,
    ways,
  }: Parts & { readonly controllers: readonly ControllerDescriptor[]; readonly handle: ProcessHandle },
): Promise<RunningControllers> {
  const {
    clock,
    randomness: { random },
    signal,
  } = handle;
  const work = assembly.open(
    'controllers',
    () => new AbortController(),
    (opened) => opened.abort(),
  );
  return startControllers({
    controllers,
    ...ways,
    ...counts,
    clock,
    random,
    flags: values,
    ...(values.leaderElection['leader-elect']
      ? { newElector: (lease: string, client: Client) => newElector(values, client, { ...handle, lease }) }
      : {}),
    signal: AbortSignal.any([signal, work.signal]),
    limit: { qps: values.client['kube-api-qps'], burst: values.client['kube-api-burst'] },
    resyncMs: values.selection['min-resync-period'],
  });
}

function chosen(values: Values): readonly ControllerDescriptor[] {
  try {
    return selectControllers(values.selection.controllers, allControllers(), ({ name, why }) =>
      log.warning('a controller is not run', { controller: name, why }),
    );
  } catch (cause) {
    throw new OptionsError('InvalidValue', `--controllers: ${messageOf(cause)}`, { cause });
  }
}

/** What of a manifest cannot be played is told before anything starts. */
async function checkStages({ simulation: { stages } }: Values): Promise<void> {
  if (stages.length === 0) return;
  const [{ readStages }, { StageError }] = await Promise.all([
    import('../stages/read-stages.ts'),
    import('../stages/stage-error.ts'),
  ]);
  try {
    await readStages(stages);
  } catch (cause) {
    if (!(cause instanceof StageError)) throw cause;
    throw unusableFlag('stages', cause.message, cause);
  }
}

/** Both are started together: it may be a while before there is somebody to ask. */
async function waitForServer(
  client: Client,
  { clock, signal }: Pick<ProcessHandle, 'clock' | 'signal'>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await client.text({ method: 'GET', path: '/readyz', accept: '*/*', signal });
      return;
    } catch (error) {
      log.info('waiting for the API server', { error: messageOf(error) }, 4);
      await sleep(clock, SERVER_POLL_MS, signal);
    }
  }
}

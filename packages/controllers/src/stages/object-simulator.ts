import { messageOf, sleep, type KubeObject } from '@kubechain/apimachinery';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { ResourceMapper, UnknownKindError } from '../discovery/resource-mapper.ts';
import type { DiscoveredResource } from '../discovery/discovery.ts';
import { isOfNodes, type Stage } from './stage.ts';
import { StagePlayer } from './stage-player.ts';

/** How often it is asked whether a kind is served by now. */
const lookMs = 2_000;
/** Objects of one kind that are worked on at a time. */
const workers = 16;

/** As `--stages` says; undefined where all stages are nodes' and pods'. @throws StageError */
export async function newObjectSimulator(context: ControllerContext): Promise<ObjectSimulator | undefined> {
  const { stages: sources } = context.flags.simulation;
  if (sources.length === 0) return undefined;
  const stages = (await (await import('./read-stages.ts')).readStages(sources)).filter((stage) => !isOfNodes(stage));
  return stages.length === 0 ? undefined : new ObjectSimulator(context, stages);
}

/**
 * Plays stages of any kind but Pods and Nodes, for every object of that kind (kwok's StageController): a controller of
 * custom resources that is a manifest. A kind that nobody serves yet is waited for.
 */
export class ObjectSimulator implements Controller {
  readonly #context: ControllerContext;
  readonly #mapper: ResourceMapper;
  readonly #byKind: ReadonlyMap<string, readonly Stage[]>;

  constructor(context: ControllerContext, stages: readonly Stage[]) {
    this.#context = context;
    this.#mapper = new ResourceMapper(context.discovery, () => context.clock.now());
    this.#byKind = Map.groupBy(stages, ({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#byKind.values()].map((stages) => this.#play(stages, signal)));
  }

  async #play(stages: readonly Stage[], signal: AbortSignal): Promise<void> {
    const type = await this.#served(stages[0]!, signal);
    if (type === undefined) return;
    const context = this.#context;
    const informer = context.informers.informer<KubeObject>(type);
    const player = new StagePlayer<KubeObject>({
      context,
      type,
      informer,
      stages,
      workers,
      plays: () => true,
      placeOf: () => ({}),
    });
    await player.run(signal);
  }

  /** Undefined when the process ends before. */
  async #served({ apiVersion, kind }: Stage, signal: AbortSignal): Promise<DiscoveredResource | undefined> {
    const { clock, log } = this.#context;
    while (!signal.aborted) {
      try {
        return await this.#mapper.resourceOf(apiVersion, kind);
      } catch (error) {
        if (!(error instanceof UnknownKindError))
          log.info('cannot find what stages are for', { apiVersion, kind, err: messageOf(error) }, 2);
        await sleep(clock, lookMs, signal);
      }
    }
    return undefined;
  }
}

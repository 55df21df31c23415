import { isConflict, isNotFound, isStatusError, type KubeObject } from '@kubechain/apimachinery';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import type { Client } from '../client/client.ts';
import type { ResourceType } from '../client/resource-type.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { ResourceMapper } from '../discovery/resource-mapper.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { chooseStage } from './choose-stage.ts';
import { finalizerPatch } from './finalizer-patch.ts';
import { applyObject } from './apply-object.ts';
import { renderObject, renderPatch } from './render-patch.ts';
import type { Stage, StageStep } from './stage.ts';
import { StageError } from './stage-error.ts';
import { stageFunctions, type PlaceFunctions } from './stage-functions.ts';
import type { FindFunction, TemplateFunction } from './template/evaluate-template.ts';

export interface StagePlayerOptions<T extends KubeObject> {
  readonly context: ControllerContext;
  readonly type: ResourceType<T>;
  readonly informer: SharedInformer<T>;
  /** Of this type only. */
  readonly stages: readonly Stage[];
  /** Whether an object is to be played now. */
  readonly plays: (object: T) => boolean;
  /** What templates are told of where an object is. */
  readonly placeOf: (object: T) => Partial<PlaceFunctions>;
  /** Objects worked on at a time. */
  readonly workers: number;
}

/** What becomes of one version of an object. */
interface Turn {
  readonly resourceVersion: string;
  readonly stage: Stage | undefined;
  readonly atMs: number;
  /** Steps that are done; all of them when nothing is left. */
  done: number;
}

/**
 * Brings objects through their stages: each version that the watch shows is matched anew, the stage that is chosen
 * waits its delay, then its steps are done in order. A change in between begins anew; what is refused is logged and
 * left.
 */
export class StagePlayer<T extends KubeObject> {
  readonly #options: StagePlayerOptions<T>;
  readonly #queue: WorkQueue;
  readonly #turns = new Map<string, Turn>();
  /** Newer than the informer's, of stages that do not wait for it. */
  readonly #latest = new Map<string, T>();
  readonly #recorder: EventRecorder;
  readonly #mapper: ResourceMapper;
  #find: FindFunction = () => undefined;

  constructor(options: StagePlayerOptions<T>) {
    const { context, informer } = options;
    this.#options = options;
    this.#queue = namespacedQueue(context, 'stages');
    this.#recorder = context.recorder('node-simulator');
    this.#mapper = new ResourceMapper(context.discovery, () => context.clock.now());
    const changed = (object: T): void => {
      this.#latest.delete(keyOf(object));
      this.look(object);
    };
    informer.addHandlers({
      onAdd: changed,
      onUpdate: changed,
      onDelete: (object) => {
        const key = keyOf(object);
        this.#latest.delete(key);
        this.#turns.delete(key);
      },
    });
  }

  /** Looks at an object again, since more than itself decides. */
  look(object: T): void {
    this.#queue.add(keyOf(object));
  }

  async run(signal: AbortSignal): Promise<void> {
    const { context, type, workers } = this.#options;
    this.#find = await stageFunctions(context.clock);
    await runWorkers({
      queue: this.#queue,
      workers,
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, key) => context.log.error('a stage cannot be played', error, { kind: type.kind, key }),
    });
  }

  async #sync(key: string): Promise<void> {
    const { context, informer, plays, stages } = this.#options;
    const object = this.#latest.get(key) ?? informer.get(key);
    if (object === undefined || !plays(object)) return;
    const { clock, random } = context;
    const resourceVersion = object.metadata?.resourceVersion ?? '';
    let turn = this.#turns.get(key);
    if (turn?.resourceVersion !== resourceVersion) {
      const stage = chooseStage(stages, object, random);
      const delayMs = stage?.delayOf(object, clock.now(), random()) ?? 0;
      turn = { resourceVersion, stage, atMs: clock.now() + delayMs, done: 0 };
      this.#turns.set(key, turn);
    }
    const { stage } = turn;
    if (stage === undefined || turn.done >= stage.steps.length) return;
    const leftMs = turn.atMs - clock.now();
    if (leftMs > 0) {
      this.#queue.addAfter(key, leftMs);
      return;
    }
    await this.#play(object, stage, turn);
    if (stage.immediateNextStage && this.#latest.has(key)) this.#queue.add(key);
  }

  async #play(object: T, stage: Stage, turn: Turn): Promise<void> {
    const { log } = this.#options.context;
    try {
      while (turn.done < stage.steps.length) {
        await this.#step(object, stage, stage.steps[turn.done]!);
        turn.done++;
      }
    } catch (error) {
      const final = error instanceof StageError || (isStatusError(error) && (error.status.code ?? 500) < 429);
      if (!final) throw error;
      turn.done = stage.steps.length;
      // It has changed or gone: the informer will tell.
      if (!isNotFound(error) && !isConflict(error))
        log.error('a stage is left unplayed', error, { stage: stage.name, place: stage.place, key: keyOf(object) });
    }
  }

  async #step(object: T, stage: Stage, step: StageStep): Promise<void> {
    const { context, type } = this.#options;
    const resource = context.client.resource(type);
    const { name = '', namespace, uid } = object.metadata ?? {};
    const where = { name, namespace };
    switch (step.kind) {
      case 'event':
        this.#recorder.event(object, type, step);
        break;
      case 'delete':
        await resource.delete(where, {
          gracePeriodSeconds: 0,
          ...(uid === undefined ? {} : { preconditions: { uid } }),
        });
        break;
      case 'finalizers': {
        const operations = finalizerPatch(object.metadata?.finalizers ?? [], step);
        if (operations.length > 0) await resource.patch(where, operations, { type: 'application/json-patch+json' });
        break;
      }
      case 'patch': {
        const body = await renderPatch(step, object, this.#findFor(object));
        const changed = await this.#clientFor(step)
          .resource(type)
          .patch(where, withUID(body, uid), {
            type: step.type,
            ...(step.subresource === undefined ? {} : { subresource: step.subresource }),
          });
        if (stage.immediateNextStage) this.#latest.set(keyOf(object), changed);
        break;
      }
      case 'apply': {
        const applied = await renderObject(step, object, this.#findFor(object));
        await applyObject(applied, step, { client: this.#clientFor(step), mapper: this.#mapper, namespace });
        break;
      }
      default:
        step satisfies never;
    }
  }

  /** What templates may call, for an object. */
  #findFor(object: T): FindFunction {
    const place: Readonly<Record<string, TemplateFunction | undefined>> = this.#options.placeOf(object);
    return (called) => place[called] ?? this.#find(called);
  }

  /** Writes in the name of whom a step says. */
  #clientFor({ impersonate }: { readonly impersonate: string | undefined }): Client {
    const { client } = this.#options.context;
    return impersonate === undefined ? client : client.impersonating(impersonate);
  }
}

/** Another object of the same name must not be changed for this one. */
function withUID(body: object, uid: string | undefined): object {
  if (Array.isArray(body) || uid === undefined) return body;
  return { ...body, metadata: { ...(body as KubeObject).metadata, uid } };
}

import type { LabelSelector, ObjectMeta, TimerClock } from '@kubechain/apimachinery';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { inTurns } from '../clock/in-turns.ts';
import { namespacesInTurns } from '../controller/namespaces-in-turns.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { followSelectors, type WithSelector } from './follow-selectors.ts';
import type { Labels, SelectorIndex } from './selector-index.ts';

export interface SelectingOptions<T extends object, Asker> {
  readonly clock: TimerClock;
  /** What has selectors. */
  readonly objects: SharedInformer<T>;
  /** Undefined for one that selects nothing. */
  readonly selectorOf: (object: T) => LabelSelector | undefined;
  /** After so many the others are not looked for. Default: all are. */
  readonly most?: number;
  /** Told the keys of those that select some labels, and who has asked for them. */
  readonly found: (keys: readonly string[], askers: readonly Asker[]) => Promise<void>;
  readonly onError?: (error: unknown) => void;
}

interface Question<Asker> {
  readonly namespace: string;
  readonly labels: Labels;
  readonly except: Labels | undefined;
  readonly askers: Asker[];
}

/**
 * Finds which objects of a kind select what has changed, for controllers to look at these. Thousands may select the
 * same thousands of pods, which any user can arrange; so questions wait, those for the same labels of a namespace are
 * one, namespaces take turns, and others have the thread in between. At most one question per set of labels waits.
 *
 *     ask ──► questions, by namespace and labels ──one at a time──► index ──in turns──► found
 */
export class SelectingObjects<T extends WithSelector, Asker = never> {
  readonly #options: SelectingOptions<T, Asker>;
  readonly #index: SelectorIndex;
  readonly #questions = new Map<string, Question<Asker>>();
  readonly #queue: WorkQueue;

  constructor(options: SelectingOptions<T, Asker>) {
    const { clock, objects, selectorOf } = options;
    this.#options = options;
    this.#queue = new WorkQueue({ clock, name: 'selecting_objects', sharing: namespacesInTurns });
    this.#index = followSelectors(objects, selectorOf);
  }

  /** Asks who selects these labels; with `except`, and not those. */
  ask(
    { namespace = '', labels = {} }: Pick<ObjectMeta, 'namespace' | 'labels'>,
    { asker, except }: { readonly asker?: Asker; readonly except?: Labels | undefined } = {},
  ): void {
    const key = `${namespace}/${JSON.stringify([labels, except])}`;
    let question = this.#questions.get(key);
    if (question === undefined) this.#questions.set(key, (question = { namespace, labels, except, askers: [] }));
    if (asker !== undefined) question.askers.push(asker);
    this.#queue.add(key);
  }

  /** Answers questions until `signal` aborts. Those that came before wait for it. */
  run(signal: AbortSignal): Promise<void> {
    const { onError } = this.#options;
    return runWorkers({
      queue: this.#queue,
      workers: 1,
      signal,
      sync: (key) => this.#answer(key),
      ...(onError === undefined ? {} : { onError }),
      maxRetries: 0,
    });
  }

  async #answer(key: string): Promise<void> {
    const question = this.#questions.get(key);
    if (question === undefined) return;
    // Who asks from now on may know of later changes.
    this.#questions.delete(key);
    const { askers, except, labels, namespace } = question;
    const { found, most = Number.POSITIVE_INFINITY } = this.#options;
    const keys: string[] = [];
    const candidates = until(this.#index.candidates(namespace, labels), () => keys.length >= most);
    await inTurns(candidates, ([candidate, selector]) => {
      if (selector.matches(labels) && (except === undefined || !selector.matches(except))) keys.push(candidate);
    });
    if (keys.length > 0) await found(keys, askers);
  }
}

function* until<T>(items: Iterable<T>, isDone: () => boolean): Generator<T> {
  for (const item of items) {
    if (isDone()) return;
    yield item;
  }
}

import { systemClock, type TimerClock } from '@kubechain/apimachinery';

/** Sent to the one that started a process. */
export interface LauncherQuestion<Question = unknown> {
  readonly kind: 'ask-launcher';
  readonly id: number;
  readonly question: Question;
  /** Machine's time after which nobody waits for it any more: it is left undone when it is read later. */
  readonly notAfterMs: number;
}

/** It has been read, in time, and is begun. */
export interface LauncherHeard {
  readonly kind: 'launcher-heard';
  readonly id: number;
}

/** What came of it. */
export interface LauncherAnswer {
  readonly kind: 'launcher-answer';
  readonly id: number;
  readonly answer?: unknown;
  /** Why it could not be done. */
  readonly error?: string;
}

/** The one that started this process does not read what it is told, so that nothing is done. */
export class LauncherHeldError extends Error {
  override readonly name = 'LauncherHeldError';
}

/** How long the one that started this process may be held before a question is given up; less than a client waits. */
const longestHeldMs = 10_000;

/** What of Node's `process` is needed. */
export interface AskingProcess {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send?: ((message: unknown) => unknown) | undefined;
}

interface Waiting extends PromiseWithResolvers<unknown> {
  /** Ends the wait for being heard; what is begun may take as long as it takes. */
  readonly heard: () => void;
}

/** Asks the one that started this process to do what only that can. */
export class Launcher {
  readonly #asking: AskingProcess;
  readonly #machine: TimerClock;
  readonly #waiting = new Map<number, Waiting>();
  #lastID = 0;

  /** @param machine the machine's clock, for real time */
  constructor(asking: AskingProcess, machine: TimerClock = systemClock) {
    this.#asking = asking;
    this.#machine = machine;
    asking.on('message', (message) => {
      this.#read(message as Partial<LauncherAnswer>);
    });
  }

  /**
   * Resolves to the answer. What is not even read within ten seconds does not happen.
   * @param undone what did not happen then, for the error: `the clock was not moved`
   * @throws LauncherHeldError; TypeError with what the launcher says is wrong
   */
  ask<Question, Answer>(question: Question, undone: string): Promise<Answer> {
    const id = ++this.#lastID;
    const answer = Promise.withResolvers<unknown>();
    const timer = this.#machine.setTimer(() => {
      this.#waiting.delete(id);
      answer.reject(
        new LauncherHeldError(
          `${undone}: the process that started the chain has not read this for ` +
            `${longestHeldMs / 1_000} s (is it held by a call like execFileSync?)`,
        ),
      );
    }, longestHeldMs);
    this.#waiting.set(id, {
      ...answer,
      heard: () => {
        timer.cancel();
      },
    });
    const notAfterMs = this.#machine.now() + longestHeldMs;
    this.#asking.send?.({ kind: 'ask-launcher', id, notAfterMs, question } satisfies LauncherQuestion<Question>);
    return answer.promise as Promise<Answer>;
  }

  #read(told: { readonly kind?: unknown; readonly id?: number } & Pick<LauncherAnswer, 'answer' | 'error'>): void {
    if (told.kind !== 'launcher-heard' && told.kind !== 'launcher-answer') return;
    const id = told.id ?? 0;
    const asked = this.#waiting.get(id);
    asked?.heard();
    if (told.kind === 'launcher-heard') return;
    this.#waiting.delete(id);
    if (told.error === undefined) asked?.resolve(told.answer);
    else asked?.reject(new TypeError(told.error));
  }
}

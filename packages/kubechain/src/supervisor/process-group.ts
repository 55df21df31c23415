import { SupervisedProcess, type SupervisedProcessOptions } from './supervised-process.ts';
import type { ChildCommand } from './child-command.ts';

/** How long a process may take to end its requests before it is killed. */
const STOP_GRACE_MS = 10_000;

/** Processes that live and end together. */
export class ProcessGroup {
  readonly #processes: SupervisedProcess[] = [];
  #stopped: Promise<void> | undefined;

  /** Starts one; groups stop in the order in which members are given to `stop`. */
  start(command: ChildCommand, options?: SupervisedProcessOptions): SupervisedProcess {
    const process = new SupervisedProcess(command, options);
    this.#processes.push(process);
    return process;
  }

  get members(): readonly SupervisedProcess[] {
    return this.#processes;
  }

  /** Ends all of them one after the other, `order` first, the rest after that. Idempotent; never rejects. */
  stop(order: readonly string[]): Promise<void> {
    this.#stopped ??= this.#stopInOrder(order);
    return this.#stopped;
  }

  /** Ends all of them now. */
  kill(): void {
    for (const process of this.#processes) process.kill();
  }

  async #stopInOrder(order: readonly string[]): Promise<void> {
    const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
    for (const process of this.#processes.toSorted((a, b) => rank(a.name) - rank(b.name)))
      await process.stop(STOP_GRACE_MS);
  }
}

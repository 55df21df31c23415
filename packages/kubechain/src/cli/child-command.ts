import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { LaunchError } from '../launch-error.ts';

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs one command in the foreground. From its making on, signals end the command and not this process, which has
 * things to do afterwards.
 */
export class ChildCommand {
  #child: ChildProcess | undefined;
  #told: NodeJS.Signals | undefined;

  constructor() {
    for (const signal of signals)
      process.on(signal, () => {
        this.#told = signal;
        // The terminal tells the command itself; what was sent to us alone is passed on.
        if (signal !== 'SIGINT' || !process.stdin.isTTY) this.#child?.kill(signal);
      });
  }

  /** Exit code of the command, or 128 and the signal's number when one ended it, or came before it began. */
  run([program, ...args]: CommandLine, environment: Readonly<Record<string, string>>): Promise<number> {
    if (this.#told !== undefined) return Promise.resolve(128 + constants.signals[this.#told]);
    return new Promise<number>((resolve, reject) => {
      this.#child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
      this.#child.once('error', (cause) => {
        reject(new LaunchError('Usage', `cannot run '${program}': ${cause.message}`, { cause }));
      });
      this.#child.once('exit', (code, signal) => {
        resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
      });
    });
  }
}

import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * A file that log lines are added to, at once, so that a process that dies has written them. What comes after its end
 * is lost.
 */
export class LogFile {
  #descriptor: number | undefined;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'a', 0o600);
  }

  write(line: string): void {
    if (this.#descriptor !== undefined) writeSync(this.#descriptor, line);
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

import type { ClientRequest } from 'node:http';

// Not imported: an import reads all exports of node:http, and one of them loads undici (50 ms of every command).
const { request } = process.getBuiltinModule('node:http');

const againAfterMs = 500;
/** A line that is longer than this is no line. */
const longestLine = 8 * 1024 * 1024;

/** The lines that one process tells, for as long as it is open; a process that is gone is asked again until it is back. */
export class ProcessStream {
  readonly #socketPath: string;
  readonly #onLine: (line: string) => void;
  #call: ClientRequest | undefined;
  #again: NodeJS.Timeout | undefined;
  #closed = false;
  /** Resolves when the process has begun to tell. */
  readonly opened: Promise<void>;
  #onOpen: () => void = () => undefined;

  constructor(socketPath: string, onLine: (line: string) => void) {
    this.#socketPath = socketPath;
    this.#onLine = onLine;
    this.opened = new Promise((resolve) => {
      this.#onOpen = resolve;
    });
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#again);
    this.#call?.destroy();
  }

  #connect(): void {
    const call = request({ socketPath: this.#socketPath, path: '/' }, (response) => {
      this.#onOpen();
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        if (rest.length > longestLine) call.destroy();
        for (const line of lines) this.#onLine(line);
      });
    });
    this.#call = call;
    // What kept it from being answered does not matter: it is asked again.
    call.on('error', () => undefined);
    call.once('close', () => {
      if (!this.#closed) this.#again = setTimeout(() => this.#connect(), againAfterMs);
    });
    call.end();
  }
}

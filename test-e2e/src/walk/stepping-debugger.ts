import type { Place } from './route.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: any; // oxlint-disable-line typescript/no-explicit-any -- the inspector's protocol
  readonly result?: any; // oxlint-disable-line typescript/no-explicit-any -- the inspector's protocol
  readonly error?: { readonly message: string };
}

/** Steps of a Node process with an inspector, one statement after the other, into calls and over awaits. */
export class SteppingDebugger {
  /** Where the process stood; files by their whole path. */
  readonly steps: Place[] = [];
  readonly #socket: WebSocket;
  readonly #scripts = new Map<string, string>();
  readonly #answers = new Map<number, (message: Message) => void>();
  #lastId = 0;
  #closed = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Message));
  }

  /** Attaches to the inspector on a port of this machine. Scripts whose address matches `over` are stepped over. */
  static async attach(port: number, over: readonly string[]): Promise<SteppingDebugger> {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
    const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('no inspector')));
    });
    const attached = new SteppingDebugger(socket);
    await attached.#call('Debugger.enable');
    await attached.#call('Debugger.setBlackboxPatterns', { patterns: over });
    return attached;
  }

  /** Begins to step when a line (from 1 on) of a script is reached. */
  async breakAt(file: string, line: number): Promise<void> {
    await this.#call('Debugger.setBreakpointByUrl', {
      urlRegex: `.*${file.replaceAll('.', '\\.')}$`,
      lineNumber: line - 1,
    });
  }

  /** Lets the process go on. */
  close(): void {
    this.#closed = true;
    this.#socket.close();
  }

  #receive({ id, method, params, ...rest }: Message): void {
    if (id !== undefined) {
      this.#answers.get(id)?.(rest);
      // Whatever is sent acknowledges the answer at once; the inspector holds what follows back until then.
      if (id > 0 && !this.#closed) this.#socket.send('{"id":0,"method":"Runtime.getIsolateId"}');
    }
    if (method === 'Debugger.scriptParsed') this.#scripts.set(params.scriptId, params.url);
    else if (method === 'Debugger.paused' && !this.#closed) {
      const [{ functionName, location }] = params.callFrames;
      const url = this.#scripts.get(location.scriptId) ?? '';
      this.steps.push({ file: url.replace(/^file:\/\//, ''), functionName, line: location.lineNumber + 1 });
      // Scripts of Node itself are not left out by their addresses.
      void this.#call(url.startsWith('node:') ? 'Debugger.stepOut' : 'Debugger.stepInto').catch(() => undefined);
    }
  }

  #call(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, ({ error, result }) =>
        error === undefined ? resolve(result) : reject(new Error(error.message)),
      );
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

import type { Server } from 'node:http';
import { listenUnix } from './delegation/delegate-listener.ts';

const { createServer } = process.getBuiltinModule('node:http');

/**
 * /debug/pprof and /debug/flags on a unix socket of mode 0600, for whoever may open it (routes/debugsocket.go, 1.36).
 */
export class DebugSocket {
  readonly #path: string;
  #server: Server | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** A socket that is left over is replaced. @throws OptionsError that names the flag */
  async listen(): Promise<void> {
    const [{ default: express }, { installDebugRoutes }] = await Promise.all([
      import('express'),
      import('./debug-routes.ts'),
    ]);
    const app = express();
    installDebugRoutes(app);
    const server = createServer(app);
    await listenUnix(server, this.#path, 'debug-socket-path');
    this.#server = server;
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logging } from '../logging/logger.ts';
import type { UserInfo } from '../request/user-info.ts';
import { serverContext } from '../request/server-context.ts';
import { httpDelegate } from '../server/delegation/http-delegate.ts';
import { runTestServer, type RunningTestServer } from '../server/testing/test-server.ts';

const quiet = new Logging({ verbosity: 0, write: () => undefined });

/**
 * Two servers with a hop between them, for tests of who a request is from behind it. `/whoami` is answered by the one
 * behind, with its `UserInfo` as JSON.
 */
export class IdentityHop {
  readonly #directory: string;
  readonly #servers: readonly RunningTestServer[];
  /** Who the one in front takes every client for. */
  user: UserInfo = { name: 'nobody', groups: [] };

  private constructor(directory: string, servers: readonly RunningTestServer[]) {
    this.#directory = directory;
    this.#servers = servers;
  }

  /** `link`: whether requests go over a link, or over HTTP alone. Whoever opens it closes it. */
  static open(options: { readonly link: boolean }): Promise<IdentityHop> {
    return quiet.run(async () => {
      const directory = mkdtempSync(join(tmpdir(), 'identity-hop-'));
      const address = { kind: 'unix', path: join(directory, 'back.sock') } as const;
      const behind = await runTestServer(
        { delegateListener: { address } },
        {
          name: 'behind',
          prepare: (server) => {
            server.nonResourceMux.handle('/whoami', tellUser);
          },
        },
      );
      const users = { current: (): UserInfo => hop.user };
      const front = await runTestServer(
        {
          authenticator: { authenticate: () => ({ user: users.current() }) },
          authorizer: { authorize: () => ({ decision: 'Allow', reason: '' }) },
        },
        { name: 'front', delegate: httpDelegate({ name: 'behind', address, link: options.link }) },
      );
      const hop = new IdentityHop(directory, [front, behind]);
      return hop;
    });
  }

  /** The secure port of the one in front. */
  get port(): number {
    return this.#servers[0]?.info.securePort ?? 0;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await server.stop();
    rmSync(this.#directory, { recursive: true });
  }
}

function tellUser(request: IncomingMessage, response: ServerResponse): void {
  const { extra, ...user } = serverContext(request).user;
  // Entries, because JSON would take a key `__proto__` for something else.
  response.end(JSON.stringify({ ...user, extra: Object.entries(extra ?? {}) }));
}

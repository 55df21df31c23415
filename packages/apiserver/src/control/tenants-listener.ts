import type { Server } from 'node:http';
import { unauthorized } from '@kubechain/apimachinery';
import { writeError } from '../responses/write-status.ts';
import { listenUnix } from '../server/delegation/delegate-listener.ts';
import { refuseUpgrade } from '../server/director.ts';
import { followResponse } from '../server/serving/open-responses.ts';
import { http1Limits } from '../server/serving/http1-limits.ts';
import { isTenantPath, type TenantRouter } from '../server/tenant-router.ts';
import { answerTenantsCall } from './control-api.ts';
import { controlHandler } from './control-listener.ts';
import type { TenantKeeper } from './tenant-keeper.ts';

// Not imported: an import reads all exports of node:http, and one of them loads undici.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * Serves tenants to the process in front, on a unix socket that only its owner can connect to: their requests as
 * clients have sent them, with the paths of the chain, and calls about them as the control API has them.
 */
export class TenantsListener {
  readonly #server: Server;

  constructor(tenants: TenantKeeper, router: TenantRouter) {
    const call = controlHandler((asked) => answerTenantsCall(tenants, asked));
    const targets = router.before({
      // One that has ended, or was lost with an earlier process: nobody who asks for it is known.
      request: (request, response) => {
        if (isTenantPath(request.url)) writeError(request, response, unauthorized('Unauthorized'));
        else call(request, response);
      },
      upgrade: (_request, socket) => {
        refuseUpgrade(socket, { code: 401, text: 'Unauthorized', body: '' });
      },
    });
    // Never closes an idle connection before the process in front does.
    this.#server = createServer({ ...http1Limits, noDelay: true });
    this.#server.maxHeadersCount = 0;
    this.#server.on('request', (request, response) => {
      if (followResponse(request, response)) targets.request(request, response);
    });
    this.#server.on('upgrade', targets.upgrade);
  }

  /** @throws OptionsError that names the flag */
  async listen(path: string): Promise<void> {
    await listenUnix(this.#server, path, 'tenants-listen');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

import { startTestEnvironment } from '../testing/test-environment.ts';
import { APIClient } from '../testing/api-client.ts';

/** A fresh set of servers in this process, to ask what they think of objects. */
export interface OfflineServer extends AsyncDisposable {
  readonly client: APIClient;
}

/** The servers themselves, without controllers and in memory: what they say is what a cluster would say. */
export async function startOfflineServer(flags: readonly string[]): Promise<OfflineServer> {
  const env = await startTestEnvironment({ flags });
  const client = new APIClient({
    server: env.url,
    caCertificate: env.caCertificate,
    user: 'admin',
    credentials: { kind: 'token', token: env.adminToken ?? '' },
  });
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      client.close();
      await env.stop();
    },
  };
}

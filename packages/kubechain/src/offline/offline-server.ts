import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '@kubechain/apimachinery';
import { makeCertificateFiles } from '../pki/certificate-files.ts';
import { startEnvironmentWith } from '../testing/test-environment.ts';
import { APIClient } from '../testing/api-client.ts';

/** A fresh set of servers in this process, to ask what they think of objects. */
export interface OfflineServer extends AsyncDisposable {
  readonly client: APIClient;
}

/**
 * The servers themselves, without controllers and in memory: what they say is what a cluster would say. Resolves when
 * they have been told to start, on a thread of their own: this one may work on meanwhile. `started` rejects when they
 * cannot.
 */
export async function beginOfflineServer(
  flags: readonly string[],
): Promise<{ readonly started: Promise<OfflineServer> }> {
  const certificates = await makeCertificateFiles({ nowMs: systemClock.now(), elliptic: true });
  const starting = startEnvironmentWith(certificates, { flags });
  const started = starting.then((env): OfflineServer => {
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
  });
  // Whoever waits for it hears of it.
  started.catch(() => undefined);
  await nextTurn();
  return { started };
}

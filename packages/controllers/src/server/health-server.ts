import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { messageOf, systemClock } from '@kubechain/apimachinery';
import type { FlagValues } from '@kubechain/apiserver/options';
import { unusableFlag } from '@kubechain/apiserver/options';
import type { Client } from '../client/client.ts';
import type { healthFlags } from '../flags.ts';
import { mayRead } from './may-read.ts';
import { ProcessMetrics, type CountedParts } from './process-metrics.ts';

/** A listener for health and metrics. */
export interface HealthServer {
  readonly url: string;
  close(): void;
}

type HealthValues = FlagValues<typeof healthFlags>;

/**
 * Serves /healthz, /livez, /readyz and /metrics over HTTPS. Paths that are not always allowed ask the API server who a
 * bearer token is, and whether that user may read the path.
 * @throws OptionsError when it cannot listen, or the certificate cannot be read
 */
export async function serveHealth(
  values: HealthValues,
  { client, ...counted }: { readonly client: Client } & CountedParts,
): Promise<HealthServer> {
  const { 'secure-port': port, 'bind-address': host, 'authorization-always-allow-paths': open } = values;
  const metrics = new ProcessMetrics(counted);
  const server = createServer(await certificateOf(values), (request, response) => {
    const { pathname: path } = new URL(request.url ?? '/', 'https://localhost');
    const answer = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
      response.end(text);
    };
    void (async () => {
      if (!open.some((pattern) => covers(pattern, path))) {
        const verdict = await mayRead(client, { path, authorization: request.headers.authorization });
        if (verdict === 'unknown') return answer(401, 'Unauthorized');
        if (verdict === 'refused') return answer(403, `Forbidden: no RBAC policy matched for ${path}\n`);
      }
      if (path === '/metrics') return answer(200, await metrics.text());
      if (['/healthz', '/livez', '/readyz'].includes(path)) return answer(200, 'ok');
      answer(404, '404 page not found\n');
    })().catch(() => answer(500, 'Internal Server Error\n'));
  });
  await listen(server, port, host);
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${listening}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function covers(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

async function certificateOf(values: HealthValues): Promise<{ readonly cert: string; readonly key: string }> {
  const { 'tls-cert-file': certFile, 'tls-private-key-file': keyFile } = values;
  if (certFile === '') {
    const { selfSigned } = await import('../certificates/self-signed.ts');
    return selfSigned(systemClock.now());
  }
  try {
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  } catch (cause) {
    throw unusableFlag('tls-cert-file', messageOf(cause), cause);
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(unusableFlag('secure-port', cause.message, cause)));
    server.listen(port, host, resolve);
  });
}

import { getFromBackend } from '@kubechain/apiserver/proxies';
import type { StorageFactory } from '@kubechain/shared-storage/factory';
import { messageOf } from '@kubechain/apimachinery';

/** How a part of the control plane is: what it said of itself, or why it could not be asked. */
export interface ComponentHealth {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly message: string;
  readonly error: string;
}

/** Asks one part of the control plane how it is. Never rejects. */
export type ComponentCheck = () => Promise<ComponentHealth>;

/** How long a part may take to answer (registry/core/componentstatus/validator.go, 1.36). */
const TIMEOUT_MS = 20_000;
/** Of longer answers the rest is not shown (probe/http/http.go, 1.36). */
const MAX_BODY_BYTES = 10 * 1024;

/**
 * The parts that the reference knows: the two others at their default ports on this machine, and each etcd server on
 * its own.
 */
export function controlPlaneChecks(storage: StorageFactory): ReadonlyMap<string, ComponentCheck> {
  return new Map<string, ComponentCheck>([
    ['controller-manager', httpsCheck('127.0.0.1:10257')],
    ['scheduler', httpsCheck('127.0.0.1:10259')],
    ...storage
      .servers()
      .map(
        (server, index) => [`etcd-${index}`, etcdCheck((timeoutMs) => storage.checkServer(server, timeoutMs))] as const,
      ),
  ]);
}

/** GETs /healthz over TLS, whoever certified it. A failed connection is an answer, too: the part is not healthy. */
export function httpsCheck(host: string): ComponentCheck {
  return async () => {
    try {
      const answer = await getFromBackend(
        { scheme: 'https', host, path: '/healthz', query: '', tls: { rejectUnauthorized: false } },
        AbortSignal.timeout(TIMEOUT_MS),
      );
      const body = await readAtMost(answer, MAX_BODY_BYTES);
      const code = answer.statusCode ?? 0;
      return code >= 200 && code < 400 ? healthy(body) : unhealthy(`HTTP probe failed with statuscode: ${code}`);
    } catch (error) {
      return unhealthy(messageOf(error));
    }
  };
}

/** Reads from one etcd server, with a connection of its own. */
export function etcdCheck(read: (timeoutMs: number) => Promise<void>): ComponentCheck {
  return async () => {
    try {
      await read(TIMEOUT_MS);
      return healthy('ok');
    } catch (error) {
      return { status: 'False', message: '', error: messageOf(error) };
    }
  };
}

function healthy(message: string): ComponentHealth {
  return { status: 'True', message, error: '' };
}

function unhealthy(message: string): ComponentHealth {
  return { status: 'False', message, error: '' };
}

async function readAtMost(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit).toString();
}

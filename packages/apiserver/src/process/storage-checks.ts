import type { GenericAPIServer } from '../server/generic-api-server.ts';
import type { OpenedStorage } from './open-storage.ts';

/**
 * What a server tells of its storage in health reports, under the reference's names, and to flow control; and the hook
 * that follows encryption keys.
 */
export function addStorageChecks(server: GenericAPIServer, storage: OpenedStorage): void {
  server.addHealthChecks(storage.healthChecks);
  server.addReadyzChecks(storage.readinessChecks);
  // A restart does not bring a key service back, so that liveness does not ask for it.
  server.addHealthChecks(storage.encryption.healthChecks, { livez: false });
  const { counts } = storage;
  if (counts !== undefined) server.setObjectCounts(() => counts.counts());
  const { startReloading } = storage.encryption;
  if (startReloading !== undefined)
    server.addPostStartHook('start-encryption-provider-config-automatic-reload', startReloading);
}

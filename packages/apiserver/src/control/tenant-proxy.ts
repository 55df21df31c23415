import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DelegateAddress } from '../server/delegation/delegate-address.ts';
import { unansweredStatus } from '../server/delegation/delegation-error.ts';
import { hopByHop } from '../server/delegation/hop-by-hop.ts';
import { HopClient } from '../server/delegation/hop-client.ts';
import { hasBodyToSend } from '../server/delegation/has-body-to-send.ts';
import { HTTPRelay } from '../server/delegation/http-relay.ts';
import type { Relay, RelayOwner } from '../server/delegation/relay.ts';
import { spliceUpgrade } from '../server/delegation/splice-upgrade.ts';
import { tenantPath, type RequestTargets } from '../server/tenant-router.ts';
import { writeError } from '../responses/write-status.ts';

const name = 'tenants';
const connectTimeoutMs = 1_500;

/**
 * Hands requests for tenants to the process that has them, as clients have sent them: who asks, and what they may, is
 * for the tenant's own servers to find out.
 */
export class TenantProxy implements RelayOwner {
  readonly #address: DelegateAddress;
  readonly #client: HopClient;
  readonly #relays = new Set<Relay>();
  readonly #upgrades = new Set<Duplex>();

  constructor(socketPath: string) {
    this.#address = { kind: 'unix', path: socketPath };
    this.#client = new HopClient({ address: this.#address, connectTimeoutMs });
  }

  /** Takes requests for a tenant, which have the paths that it knows. */
  targetsOf(tenant: string): RequestTargets {
    const prefix = tenantPath(tenant);
    return {
      request: (request, response) => {
        // A watch is not known here: every head goes out at once.
        const relay = new HTTPRelay(request, response, { owner: this, streaming: true });
        this.relayStarted(relay);
        relay.start(this.#client, {
          method: request.method ?? 'GET',
          path: `${prefix}${request.url ?? '/'}`,
          fields: fieldsOf(request),
          hasBody: hasBodyToSend(request),
        });
      },
      upgrade: (request, socket, head) => {
        request.url = `${prefix}${request.url ?? '/'}`;
        spliceUpgrade({
          name,
          address: this.#address,
          connectTimeoutMs,
          request,
          headers: [...fieldsOf(request), 'Connection', 'Upgrade', 'Upgrade', String(request.headers.upgrade)],
          socket,
          head,
          sockets: this.#upgrades,
          ended: () => undefined,
        });
      },
    };
  }

  relayStarted(relay: Relay): void {
    this.#relays.add(relay);
  }

  relayEnded(relay: Relay): void {
    this.#relays.delete(relay);
  }

  relayFailed(relay: Relay, error: Error): void {
    writeError(relay.request, relay.response, unansweredStatus(name, relay, error));
  }

  /** Ends what is under way. */
  close(): void {
    for (const relay of this.#relays) relay.finish();
    for (const socket of this.#upgrades) socket.destroy();
    this.#client.close();
  }
}

/** A request's headers but for those that end at this hop, as names and values in turn. */
function fieldsOf({ headers, httpVersionMajor, rawHeaders }: IncomingMessage): string[] {
  const fields: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const field = rawHeaders[i] as string;
    const lower = field.toLowerCase();
    if (hopByHop.has(lower) || lower === 'expect' || lower.startsWith(':')) continue;
    fields.push(field, rawHeaders[i + 1] as string);
  }
  const authority = headers[':authority'];
  if (httpVersionMajor === 2 && headers.host === undefined && typeof authority === 'string')
    fields.push('Host', authority);
  return fields;
}

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { writeTextError } from '../responses/write-text.ts';
import { composeFilters, type NamedFilter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';
import { Logger } from '../logging/logger.ts';
import type { DelegationTarget } from './delegation-target.ts';
import { linger } from './serving/linger.ts';
import { followResponse, whenAnswered } from './serving/open-responses.ts';
import { answerError, type Director } from './director.ts';

// Not imported: an import reads all exports of node:http, and one of them loads undici (90 ms of a start).
const { ServerResponse } = process.getBuiltinModule('node:http');

const log = new Logger('upgrade');

/** Who takes an upgrade once the filters have let it through. */
export interface UpgradeTargets {
  readonly director: Director;
  readonly delegate: DelegationTarget;
}

/** The socket of an upgrade, and what the client has sent after its request. */
export interface PendingUpgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Sockets of upgrades on their way through the filters; taken off again by whoever answers. */
const pending = new WeakMap<IncomingMessage, PendingUpgrade>();

/**
 * Runs the filters for an upgrade (exec, attach, port-forward, watches over WebSocket) as for any request, so that it
 * is authenticated, authorized and audited the same. The response object of the filters writes to the upgrade's
 * socket; when they let the request through it is taken off again and the socket goes to the route's handler or to
 * the delegate.
 */
export function upgradeHandler(
  filters: readonly NamedFilter[],
  targets: UpgradeTargets,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const handler = composeFilters(filters, (request, response) => {
    const upgrade = pending.get(request);
    if (upgrade === undefined) return;
    pending.delete(request);
    response.detachSocket(upgrade.socket as Socket);
    routeUpgrade(request, upgrade, targets);
  });
  return (request, socket, head) => {
    socket.on('error', (error) => {
      if (log.enabled(4)) log.info('upgrade socket error', { err: error.message }, 4);
    });
    whenAnswered(request, socket, () => {
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket as Socket);
      if (!followResponse(request, response)) return;
      // Only what refuses is written to it.
      response.once('finish', () => {
        linger(socket);
      });
      pending.set(request, { socket, head });
      handler(request, response);
    });
  };
}

/** Sends an upgrade that has been through the filters where it belongs; its response has no socket now. */
export function routeUpgrade(
  request: IncomingMessage,
  { socket, head }: PendingUpgrade,
  { director, delegate }: UpgradeTargets,
): void {
  const context = serverContext(request);
  const { response } = context;
  const route = director.upgradeRoute(request);
  if (route.kind === 'ordinary') {
    response.assignSocket(socket as Socket);
    director.serve(request, response);
    return;
  }
  if (route.kind === 'delegate') {
    delegate.handleUpgrade(request, socket, head);
    return;
  }
  response.statusCode = 101;
  Promise.resolve(route.handler(request, socket, head, context)).catch((error: unknown) => {
    if (response.socket === null) response.assignSocket(socket as Socket);
    answerError(request, response, error);
  });
}

/** Refuses an upgrade that has been through the filters: a plain-text answer with the headers that they have set. */
export function refuseFilteredUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  { code, text }: { readonly code: number; readonly text: string },
): void {
  if (socket.destroyed || socket.writableEnded) return;
  const { response } = serverContext(request);
  if (response.socket === null) response.assignSocket(socket as Socket);
  writeTextError(response, code, text);
}

import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestContext } from '../request/request-context.ts';
import { writeTextError } from '../responses/write-text.ts';
import type { ConnectExchange } from '../registry/rest/storage.ts';
import { acceptWebSocketUpgrade, isWebSocketRequest, offeredProtocols } from '../streaming/web-socket-handshake.ts';
import { WebSocket } from '../streaming/web-socket.ts';
import { paced, targetOf, type Backend } from './backend.ts';
import { checkUpgradeStatus, openBackendUpgrade, spliceBackend, type BackendUpgrade } from './backend-upgrade.ts';
import { clientHeaders } from './client-headers.ts';
import { ExchangeEnd } from './exchange-end.ts';

type Upgrade = Extract<ConnectExchange, { kind: 'upgrade' }>;

const tunnelPrefix = 'SPDY/3.1+';

/** Whether a client wants to speak SPDY through a WebSocket (wsstream IsWebSocketRequestWithTunnelingProtocol). */
export function wantsTunnel(exchange: ConnectExchange): exchange is Upgrade {
  return exchange.kind === 'upgrade' && isWebSocketRequest(exchange.request) && tunnelled(exchange).length > 0;
}

/** The protocols inside: `SPDY/3.1+portforward.k8s.io` is `portforward.k8s.io`. */
function tunnelled({ request }: Upgrade): string[] {
  return offeredProtocols(request)
    .filter((protocol) => protocol.startsWith(tunnelPrefix) && protocol.endsWith('.k8s.io'))
    .map((protocol) => protocol.slice(tunnelPrefix.length));
}

/**
 * Carries a SPDY connection to a kubelet through the client's WebSocket, byte by byte in binary messages: the kubelet
 * is asked for SPDY, and the client gets its WebSocket when the kubelet agrees; what else the kubelet says is sent on
 * (apiserver pkg/util/proxy TunnelingHandler, 1.36). @throws ProxyError when the kubelet cannot be asked
 */
export async function tunnelSpdy(context: RequestContext, exchange: Upgrade, backend: Backend): Promise<void> {
  const { request, socket } = exchange;
  const upgrade = await openBackendUpgrade({
    backend,
    method: 'POST',
    target: targetOf(backend),
    headers: outgoingHeaders(exchange),
    signal: context.signal,
    end: new ExchangeEnd(context, backend.upgradeCounts),
  });
  checkUpgradeStatus(upgrade);
  if (upgrade.status !== 101) {
    spliceBackend(upgrade, socket);
    return;
  }
  if (
    !/upgrade/i.test(upgrade.headers.get('connection') ?? '') ||
    !/spdy\/3\.1/i.test(upgrade.headers.get('upgrade') ?? '')
  ) {
    upgrade.socket.destroy();
    upgrade.end.over({ kind: 'refused' });
    writeTextError(exchange.response(), 500, 'unable to upgrade: missing upgrade headers in response');
    return;
  }
  const chosen = `${tunnelPrefix}${upgrade.headers.get('x-stream-protocol-version') ?? ''}`;
  if (
    acceptWebSocketUpgrade(
      request,
      socket,
      offeredProtocols(request).find((protocol) => protocol === chosen),
    )
  )
    join(exchange, upgrade);
  else {
    upgrade.socket.destroy();
    // Its handshake was none: it has been told so.
    upgrade.end.over({ kind: 'client_left' });
  }
}

function outgoingHeaders(exchange: Upgrade): OutgoingHttpHeaders {
  const { request } = exchange;
  const {
    'sec-websocket-key': _key,
    'sec-websocket-protocol': _protocol,
    'sec-websocket-version': _version,
    ...headers
  } = clientHeaders(request);
  return {
    host: request.headers.host,
    ...headers,
    connection: 'Upgrade',
    upgrade: 'SPDY/3.1',
    'x-stream-protocol-version': tunnelled(exchange),
  };
}

/** Both directions with back-pressure; the end of either side ends the other. */
function join({ head, socket }: Upgrade, { backend, bytes, end, headLength, socket: connected }: BackendUpgrade): void {
  const target = paced(connected, backend);
  const connection = new WebSocket(socket, {
    head,
    kind: 'binary',
    messages: {
      message: (payload, kind) => {
        if (kind === 'text') connection.end();
        else if (!target.write(payload)) {
          socket.pause();
          target.once('drain', () => {
            socket.resume();
          });
        }
      },
      closed: () => {
        end.because({ kind: 'client_left' });
        target.end();
      },
    },
  });
  const forward = (chunk: Buffer): void => {
    if (chunk.length === 0 || connection.write(chunk)) return;
    target.pause();
    socket.once('drain', () => {
      target.resume();
    });
  };
  target.on('error', (error) => {
    end.because({ kind: 'broken', error });
    target.destroy();
  });
  target.once('end', () => {
    end.because({ kind: 'completed' });
    connection.end();
  });
  target.once('close', () => {
    end.over({ kind: 'completed' });
    connection.end();
  });
  socket.once('close', () => {
    end.because({ kind: 'client_left' });
    target.destroy();
  });
  forward(bytes.subarray(headLength));
  target.on('data', forward);
  target.resume();
}

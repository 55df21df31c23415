/** Entry point `@kubechain/apiserver/streaming`: streams of commands and ports over WebSockets and SPDY, from either end. */
export { CommandChannels, wantsChannels } from './command-channels.ts';
export { streamOverWebSocket } from './stream-over-web-socket.ts';
export { isWebSocketRequest } from './web-socket-handshake.ts';
export { acceptPortForward } from './accept-port-forward.ts';

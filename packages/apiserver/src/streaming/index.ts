/** Entry point `@kubechain/apiserver/streaming`: channels of a command over a WebSocket, from either end. */
export { CommandChannels, wantsChannels } from './command-channels.ts';
export { streamOverWebSocket } from './stream-over-web-socket.ts';
export { isWebSocketRequest } from './web-socket-handshake.ts';

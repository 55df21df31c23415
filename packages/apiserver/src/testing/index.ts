export { creationOf } from '../admission/testing/attributes.ts';
export { ConnectProxy } from '../egress/testing/connect-proxy.ts';
export { refusal } from './refusal.ts';
export { ResourceServer } from './resource-server.ts';
export type { ResourceServerOptions } from './resource-server.ts';
export { hpackHeaders, hpackLiteral, http2Flags, http2Frame, http2FrameTypes, http2Preface } from './http2-frames.ts';
export { LinkEnd } from './link-end.ts';
export { IdentityHop } from './identity-hop.ts';
export { WebSocketReader } from '../streaming/web-socket-reader.ts';
export {
  HeaderBlocks,
  SpdyReader,
  dataFrame,
  pingFrame,
  resetFrame,
  synStreamFrame,
} from '../streaming/spdy-frames.ts';

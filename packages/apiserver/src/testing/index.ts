export { refusal } from './refusal.ts';
export { ResourceServer } from './resource-server.ts';
export type { ResourceServerOptions } from './resource-server.ts';
export { hpackHeaders, hpackLiteral, http2Flags, http2Frame, http2FrameTypes, http2Preface } from './http2-frames.ts';
export { LinkEnd } from './link-end.ts';

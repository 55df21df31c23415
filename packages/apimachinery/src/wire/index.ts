export { CallFrameReader, CallFrameType, callFrame, callFramesProtocol } from './call-frames.ts';
export type { CallFrameHandler } from './call-frames.ts';
export { corkForTurn } from './cork-for-turn.ts';
export { GRPCMessages, grpcPrefixBytes } from './grpc-messages.ts';
export { joinedCallsPath, joinedHeadBytes } from './joined-calls.ts';
export { WireError, isWireError } from './wire-error.ts';
export { WireReader } from './wire-reader.ts';
export { WireWriter } from './wire-writer.ts';

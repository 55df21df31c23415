export { CommandChannels } from './command-channels.ts';
export type { ChannelSinks, TerminalSize } from './command-channels.ts';
export type { CommandStreams } from './remote-command.ts';

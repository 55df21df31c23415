export { CommandChannels } from './command-channels.ts';

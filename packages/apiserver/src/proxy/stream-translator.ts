import type { Status } from '@kubechain/apimachinery';
import { internalError, messageOf } from '@kubechain/apimachinery';
import type { RequestContext } from '../request/request-context.ts';
import { Logger } from '../logging/logger.ts';
import type { ConnectExchange } from '../registry/rest/storage.ts';
import { CommandChannels, type ChannelSinks } from '../streaming/command-channels.ts';
import {
  remoteCommandProtocols,
  runCommand,
  type CommandOutcome,
  type CommandStreams,
  type RunningCommand,
} from '../streaming/remote-command.ts';
import type { Backend } from './backend.ts';
import { openSpdy, type OpenedSpdy } from './open-spdy.ts';

const log = new Logger('stream-translator');

/**
 * Serves a command in a container to a client that speaks WebSocket, over SPDY to a kubelet that does not: the streams
 * become channels of one WebSocket, and how the command ended is a Status on the channel for errors
 * (apiserver pkg/util/proxy StreamTranslatorHandler, 1.36). Answers the handshake; resolves when all is over.
 */
export async function translateStreams(
  context: RequestContext,
  exchange: Extract<ConnectExchange, { kind: 'upgrade' }>,
  { backend, streams }: { readonly backend: Backend; readonly streams: CommandStreams },
): Promise<void> {
  const channels = CommandChannels.accept(exchange, streams);
  if (channels === undefined) return;
  try {
    channels.writeStatus(JSON.stringify(statusOf(await execute(context, channels, { backend, streams }))));
  } catch (error) {
    if (log.enabled(2))
      log.info('command in a container failed', { err: messageOf(error), URI: exchange.request.url }, 2);
    channels.writeStatus(JSON.stringify(failure(messageOf(error))));
  } finally {
    channels.end();
  }
}

async function execute(
  { signal }: RequestContext,
  channels: CommandChannels,
  { backend, streams }: { readonly backend: Backend; readonly streams: CommandStreams },
): Promise<CommandOutcome> {
  const { client, protocol, socket } = await openSpdy(backend, { protocols: remoteCommandProtocols, signal });
  try {
    const output =
      (write: (chunk: Buffer) => boolean) =>
      (chunk: Buffer): void => {
        if (write(chunk)) return;
        // What is said waits for who listens.
        socket.pause();
        channels.onceDrained(() => {
          socket.resume();
        });
      };
    const command = await runCommand(client, {
      protocol,
      streams,
      output: {
        stdout: output((chunk) => channels.writeStdout(chunk)),
        stderr: output((chunk) => channels.writeStderr(chunk)),
      },
    });
    channels.connect(sinksOf(command, { client, socket }));
    return await command.outcome;
  } finally {
    client.close();
  }
}

function sinksOf(
  { resize, stdin }: RunningCommand,
  { client, socket }: Pick<OpenedSpdy, 'client' | 'socket'>,
): ChannelSinks {
  return {
    stdin: (chunk) => stdin?.write(chunk) ?? true,
    endStdin: () => {
      stdin?.end();
    },
    resize: (size) => {
      resize?.write(Buffer.from(`${JSON.stringify(size)}\n`));
    },
    onceDrained: (listener) => {
      socket.once('drain', listener);
    },
    closed: () => {
      stdin?.end();
      client.close();
    },
  };
}

type StatusBody = Pick<Status, 'status' | 'message' | 'reason' | 'details' | 'code'> & { readonly metadata: object };

function statusOf(outcome: CommandOutcome): StatusBody {
  switch (outcome.kind) {
    case 'success':
      return { metadata: {}, status: 'Success' };
    case 'exit':
      return {
        metadata: {},
        status: 'Failure',
        message: `command terminated with non-zero exit code: command terminated with exit code ${outcome.code}`,
        reason: 'NonZeroExitCode' as NonNullable<Status['reason']>,
        details: { causes: [{ reason: 'ExitCode' as never, message: String(outcome.code) }] },
      };
    case 'error':
      return failure(outcome.text);
    default:
      return outcome satisfies never;
  }
}

function failure(text: string): StatusBody {
  const { code, details, message, reason } = internalError(text).status;
  return {
    metadata: {},
    status: 'Failure',
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    ...(code === undefined ? {} : { code }),
  };
}
